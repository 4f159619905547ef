"""SIGSTOP to each of our processes: for a while, then for good.

The places chosen here are those where a different piece of code waits; `pytest -m long
tests/faults` plays every step with every part.
"""

from __future__ import annotations

import pytest

from tests.faults.faults import WALL_SECONDS, Fault, Place, Played, delay, play_all, stop

DELAYED_DEADLINE_SECONDS = 40.0
# The answer of a server is waited for 15 s; a stopped worker is noticed after 10 s.
STOPPED_DEADLINE_SECONDS = 50.0

pytestmark = pytest.mark.slow


def held(played: dict[Place, Played | BaseException]) -> None:
    """Every result right, at every place."""
    failed = {at: p for at, p in played.items() if not isinstance(p, Played) or p.judge_errors}
    assert not failed, failed


RUNNING = [
    ("receives", "worker"), ("runs", "worker"), ("requested", "server"), ("runs", "server"),
    ("ended", "server"), ("compiles", "child"), ("runs", "child"), ("pair", "child"),
    ("pair", "tests_server"), ("pair", "tests_child"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("act", "more", "deadline_s"),
    [
        (delay, [("writes", "worker"), ("pair", "worker")], DELAYED_DEADLINE_SECONDS),
        (stop, [("idle", "worker"), ("answers", "worker")], STOPPED_DEADLINE_SECONDS),
    ],
    ids=["for a while", "for good"],
)
def test_a_process_that_is_stopped_changes_no_result(
    act: Fault, more: list[Place], deadline_s: float
) -> None:
    held(play_all([*RUNNING, *more], act, deadline_s, wall_s=WALL_SECONDS))
