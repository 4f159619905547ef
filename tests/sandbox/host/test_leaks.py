"""What the host opened before it could open no more is closed, however far it came."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from typing import Any, cast

import pytest

from microcoder_sandbox.host import requests
from microcoder_sandbox.host.child import Child
from microcoder_sandbox.host.programs import Binary, Program, prepare_program
from microcoder_sandbox.host.sandbox import Sandbox
from microcoder_sandbox.host.session import BatchSession
from microcoder_sandbox.host.supervisor import Supervisor
from microcoder_sandbox.wire.runner_messages import RunnerJob
from tests.sandbox.conftest import LIMITS

MANY = 12  # more descriptors than any of these opens
Make = Callable[[Sandbox, Program], Any]


def make_script(_sandbox: Sandbox, program: Program) -> object:
    return requests.make_script_request(program, b"1", LIMITS, arguments=["a"])


def make_binary(_sandbox: Sandbox, program: Program) -> object:
    files = [b"1", b"2"]
    return requests.make_binary_request(Binary(program.code_fd), b"", LIMITS, memory_files=files)


def make_pair(_sandbox: Sandbox, program: Program) -> object:
    return requests.make_pair_requests(program, cast(RunnerJob, {}), LIMITS, LIMITS)


def make_program(_sandbox: Sandbox, _program: Program) -> object:
    return prepare_program(b"print(1)", None, {})


def make_session(sandbox: Sandbox, program: Program) -> object:
    return BatchSession(program, call=False, servers=sandbox, cancel_fds=[])


def start_child(sandbox: Sandbox, program: Program) -> object:
    return sandbox.start_child(requests.make_script_request(program, program.code_fd, LIMITS))


def close(made: Any, sandbox: Sandbox) -> None:
    for each in made if isinstance(made, tuple) else [made]:
        if isinstance(each, Child):
            Supervisor([each], []).run()  # or its server would be killed
            sandbox.end_child(each)
        else:
            each.close()


@pytest.mark.parametrize(
    "make", [make_script, make_binary, make_pair, make_program, make_session, start_child]
)
def test_what_cannot_open_all_that_it_needs_leaves_nothing_open(
    sandbox: Sandbox, make: Make
) -> None:
    program = prepare_program(b"print(1)", None, {})
    close(make(sandbox, program), sandbox)  # starts the server, and imports
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    low_limit = max(map(int, os.listdir("/proc/self/fd"))) + MANY
    failures = 0
    try:
        for room in range(MANY):
            resource.setrlimit(resource.RLIMIT_NOFILE, (low_limit, hard_limit))
            fillers = open_all()
            for descriptor in fillers[:room]:
                os.close(descriptor)
            try:
                made = make(sandbox, program)
            except OSError:
                failures += 1
            else:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft_limit, hard_limit))
                close(made, sandbox)
                resource.setrlimit(resource.RLIMIT_NOFILE, (low_limit, hard_limit))
            rest = open_all()
            for descriptor in (*fillers[room:], *rest):
                os.close(descriptor)
            assert len(rest) == room
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft_limit, hard_limit))
    program.close()
    assert 1 < failures < MANY


def open_all() -> list[int]:
    """Open as many descriptors as there is room for."""
    descriptors = []
    try:
        while True:
            descriptors.append(os.dup(0))
    except OSError:
        return descriptors
