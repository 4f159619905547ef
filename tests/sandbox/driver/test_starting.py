"""Fork servers start at the first try, however crowded the machine, or end in silence."""

from __future__ import annotations

import socket
import subprocess
import sys

CROWD = 12
# In a process of its own: a driver is single-threaded, and adopts what its servers leave.
STARTS = """
from microcoder_sandbox import client, flavours
from microcoder_sandbox.cage import Cage, make_plan

with Cage(make_plan(())) as cage:
    config = cage._config((flavours.LEAN, 0))
    for _ in range(10):
        client.ForkServer(config).close()
"""
SERVES = "from microcoder_sandbox import server; server.main()"


def test_every_server_starts_at_the_first_try_on_a_crowded_machine() -> None:
    starting = [
        subprocess.Popen([sys.executable, "-c", STARTS], stderr=subprocess.PIPE, text=True)
        for _ in range(CROWD)
    ]
    said = [process.communicate()[1] for process in starting]
    assert not any(said), said


def test_a_server_whose_driver_is_gone_ends_without_a_word() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.close()
    with theirs:
        words = [sys.executable, "-c", SERVES, str(theirs.fileno())]
        ended = subprocess.run(
            words, pass_fds=[theirs.fileno()], capture_output=True, text=True, timeout=60
        )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
