"""What a program holds: pipes, no socket, and nothing that tells of its makers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from microcoder_eval import Judge
from microcoder_sandbox.host.requests import make_script_request
from microcoder_sandbox.host.sandbox import Sandbox
from tests.sandbox.conftest import LIMITS

KINDS = """
import os, stat
def kinds(*_):
    found = []
    for number in range(3, 1024):
        try:
            found.append(stat.filemode(os.fstat(number).st_mode)[0])
        except OSError:
            pass
    return "".join(found)
"""
PEERS = """
import os, socket
ours, theirs = socket.socketpair()
for name in ("SO_TYPE", "SO_ERROR", "SO_DOMAIN", "SO_PROTOCOL", "SO_RCVBUF"):
    ours.getsockopt(socket.SOL_SOCKET, getattr(socket, name))
again = socket.socket(fileno=os.dup(ours.fileno()))
for level in (socket.SOL_SOCKET, socket.SOL_SOCKET | 1 << 32, 0, 6):
    for name in (17, 31, 59, 77, 77 | 1 << 32, 255):
        try:
            ours.getsockopt(level & 0x7fffffff, name & 0x7fffffff, 64)
        except OSError as error:
            if error.errno == 1:
                continue
            print(level, name, error)
        else:
            print("told", level, name)
"""


@pytest.fixture(scope="module", params=[4, 3])
def judge(request: pytest.FixtureRequest) -> Iterator[Judge]:
    with Judge(workers=1, max_level=request.param, isolation="test") as warm:
        yield warm


@pytest.mark.parametrize(
    "problem",
    [
        {"kind": "stdin", "tests": [{"input": "", "output": "."}]},
        {"kind": "call", "entry_point": "kinds", "tests": [{"input": [], "output": "p"}]},
        {"entry_point": "kinds", "test_code": "assert kinds() == 'p'"},
        {"entry_point": "kinds", "test_code": "found = kinds()\nassert found == 'pp'"},
    ],
    ids=["script", "call", "assertion", "test code"],
)
def test_a_program_holds_pipes_for_what_it_returns_and_nothing_else(
    judge: Judge, problem: dict[str, Any]
) -> None:
    end = "print(kinds() + '.')" if problem.get("kind") == "stdin" else ""
    judgement = judge.judge({"code": KINDS + end}, {"problem_id": "p", **problem})
    assert judgement.passed, (judgement.error, judgement.tests)


@pytest.mark.parametrize("profile", ["lean", "numpy"])
def test_a_socket_tells_nothing_of_its_peer(sandbox: Sandbox, profile: str) -> None:
    program = replace(sandbox.prepare_program(PEERS.encode()), script_profile=profile)
    outcome = sandbox.run(make_script_request(program, b"", LIMITS))
    program.close()
    assert (outcome.stdout, outcome.exit_code) == (b"", 0), outcome.stderr
