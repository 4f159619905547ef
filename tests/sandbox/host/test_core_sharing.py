"""The host and a child take turns on one core, and both are free again afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from microcoder_sandbox.host.outcome import ResourceLimits
from microcoder_sandbox.host.sandbox import Sandbox
from microcoder_sandbox.host.session import BatchSession, CoreSharing

LIMITS = ResourceLimits(5.0, 20.0, 128 << 20, 1 << 20)
CORES = os.sched_getaffinity(0)
pytestmark = pytest.mark.skipif(len(CORES) < 2, reason="one core can only be shared")


@pytest.fixture
def sleeper() -> Iterator[int]:
    """The number of a process that waits."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process.pid
        process.kill()


def list_cores(pid: int) -> list[set[int]]:
    """Where this thread and the process may run."""
    return [os.sched_getaffinity(0), os.sched_getaffinity(pid)]


def test_both_run_on_one_core_until_the_end(sleeper: int) -> None:
    sharing = CoreSharing()
    sharing.begin(sleeper)
    own, others = list_cores(sleeper)
    sharing.end()
    assert own == others
    assert len(own) == 1
    assert list_cores(sleeper) == [CORES, CORES]


def test_only_the_first_begin_and_the_first_end_count(sleeper: int) -> None:
    sharing = CoreSharing()
    sharing.end()
    sharing.begin(sleeper)
    sharing.begin(os.getppid())
    sharing.end()
    sharing.end()
    assert list_cores(sleeper) == [CORES, CORES]


def test_a_process_that_has_ended_leaves_this_thread_free(sleeper: int) -> None:
    sharing = CoreSharing()
    sharing.begin(sleeper)
    os.kill(sleeper, 9)
    os.waitid(os.P_PID, sleeper, os.WEXITED | os.WNOWAIT)
    sharing.end()
    assert os.sched_getaffinity(0) == CORES


def open_session(sandbox: Sandbox, source: str) -> BatchSession:
    """A session of a program."""
    return sandbox.open_session(sandbox.prepare_program(source.encode()), call=False)


def test_a_session_shares_a_core_from_its_second_test_on(sandbox: Sandbox) -> None:
    session = open_session(sandbox, "print(input())")
    session.run(b"1", LIMITS)
    assert os.sched_getaffinity(0) == CORES
    assert any(_shares_core_after_test(session) for _ in range(50))
    session.close()
    assert os.sched_getaffinity(0) == CORES


def _shares_core_after_test(session: BatchSession) -> bool:
    # Not after each: on a busy machine even a small test can take longer than a core is shared.
    session.run(b"2", LIMITS)
    return len(os.sched_getaffinity(0)) == 1


def test_a_test_that_lasts_longer_may_run_on_any_core(sandbox: Sandbox) -> None:
    loop = "for _ in range(int(input())):\n    pass\nimport os\nprint(*os.sched_getaffinity(0))"
    session = open_session(sandbox, loop)
    session.run(b"0", LIMITS)
    outcome = session.run(b"5000000", LIMITS)
    assert set(map(int, outcome.stdout.split())) == CORES
    assert os.sched_getaffinity(0) == CORES
    session.close()
