"""Fork servers start at the first try, however crowded the machine, or end in silence."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from microcoder_sandbox import LEAN, Sandbox, ServerKey, make_plan
from microcoder_sandbox.host.server_config import make_server_config

CROWD = 12
# In a process of its own: a host is single-threaded, and adopts what its servers leave.
STARTS = """
from microcoder_sandbox.host.fork_server import ForkServer, spawn_server_process
from microcoder_sandbox import LEAN, Sandbox, ServerKey, make_plan
from microcoder_sandbox.host.server_config import make_server_config

plan = make_plan(())
with Sandbox(plan):
    config = make_server_config(plan, ServerKey(LEAN))
    for _ in range(10):
        ForkServer(config, None, spawn_server_process()).close()
"""
SERVES = "from microcoder_sandbox.server import main; main.main()"
SERVES_WITHOUT_BASELINE = """
import os
from microcoder_sandbox.server import main

measure_baseline = main._measure_baseline

def kill_child(context):
    main.setup.finish_setup = lambda _: os.kill(os.getpid(), 9)
    return measure_baseline(context)

main._measure_baseline = kill_child
main.main()
"""


@pytest.mark.sandbox
def test_every_server_starts_at_the_first_try_on_a_crowded_machine() -> None:
    starting = [
        subprocess.Popen([sys.executable, "-c", STARTS], stderr=subprocess.PIPE, text=True)
        for _ in range(CROWD)
    ]
    errors = [process.communicate()[1] for process in starting]
    assert not any(errors), errors


def test_a_server_whose_host_is_gone_ends_without_a_word() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.close()
    with theirs:
        words = [sys.executable, "-c", SERVES, str(theirs.fileno())]
        result = subprocess.run(
            words, pass_fds=[theirs.fileno()], capture_output=True, text=True, timeout=60
        )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_a_server_whose_empty_program_dies_says_so_and_measures_nothing() -> None:
    plan = make_plan(())
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs, Sandbox(plan):
        ours.settimeout(60)
        words = [sys.executable, "-c", SERVES_WITHOUT_BASELINE, str(theirs.fileno())]
        with subprocess.Popen(words, pass_fds=[theirs.fileno()]):
            theirs.close()
            ours.send(make_server_config(plan, ServerKey(LEAN)).encode())
            reply = ours.recv(1 << 16).decode()
    assert reply == "FChildProcessError: a child with an empty program ended with exit code -9"
