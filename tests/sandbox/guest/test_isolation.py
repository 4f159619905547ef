"""Nothing one run does is seen by another, and nothing outside is seen by any."""

from __future__ import annotations

import os
import re

import psutil
import pytest

from microcoder_sandbox.host.outcome import ResourceLimits
from microcoder_sandbox.host.requests import ServerKey, make_script_request
from microcoder_sandbox.host.sandbox import Sandbox
from tests.sandbox.conftest import Runner


@pytest.mark.parametrize(
    ("source", "errors"),
    [
        ("import os; os.kill(os.getppid(), 9)", "PermissionError"),
        ("import socket; socket.socket(socket.AF_UNIX)", "PermissionError"),
        ("import os; os.memfd_create('x')", "PermissionError"),
        ("import os; os.listdir('/')", "PermissionError"),
        ("import os; os.listdir('/proc')", "PermissionError"),
        ("import os, sys; os.chmod(sys.executable, 0)", "PermissionError"),
        ("import os, json; os.utime(json.__file__, (0, 0))", "PermissionError"),
        ("import os, json; os.truncate(json.__file__, 0)", "PermissionError"),
        ("import pydantic", "ModuleNotFoundError"),
        # In a root of its own the one is missing, and the other cannot be written to.
        ("open('/etc/passwd').read()", "PermissionError|FileNotFoundError"),
        ("open('x', 'w')", "PermissionError|OSError: .*Read-only"),
    ],
)
def test_a_way_out_is_refused(run: Runner, source: str, errors: str) -> None:
    outcome = run(source)
    assert outcome.exit_code == 1, outcome
    assert re.match(errors, outcome.stderr.decode().splitlines()[-1]), outcome.stderr


@pytest.mark.slow
def test_code_larger_than_a_file_may_be_is_compiled_for_every_run(sandbox: Sandbox) -> None:
    limits = ResourceLimits(20, 60, 1 << 30, 1 << 20)
    lines = [f"x = '{number:04x}' * 1024" for number in range(17_000)]  # constants of 66 MiB
    program = sandbox.prepare_program("\n".join([*lines, "print('fine')"]).encode())
    assert [sandbox.run(make_script_request(program, b"", limits)).stdout for _ in range(2)] == [
        b"fine\n"
    ] * 2
    program.close()


def test_nothing_survives_and_no_descriptor_leaks_after_many_runs(
    run: Runner, sandbox: Sandbox
) -> None:
    run("print(1)")
    before = (len(os.listdir("/proc/self/fd")), len(psutil.Process().children(recursive=True)))
    for index in range(60):
        run("import os\nos.kill(os.getpid(), 9)" if index % 3 else "print(1)")
    run("while True: print('x' * 10000)")
    after = (len(os.listdir("/proc/self/fd")), len(psutil.Process().children(recursive=True)))
    assert after == before


def test_killing_the_server_kills_what_it_runs_and_the_next_run_works(sandbox: Sandbox) -> None:
    server = sandbox.get_or_start(ServerKey("lean"))
    sandbox.kill(ServerKey("lean"))
    assert not psutil.pid_exists(server.pid)
    assert sandbox.get_or_start(ServerKey("lean")).pid != server.pid
