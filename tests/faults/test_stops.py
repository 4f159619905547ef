"""SIGSTOP to each of our processes: for a while, then for good.

The places chosen here are those where a different piece of code waits; `pytest -m long
tests/faults` plays every step with every part, and faults at random.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faults.faults import (
    AT_ONCE,
    WALL_SECONDS,
    Fault,
    Place,
    Played,
    delay,
    play_all,
    play_at_random,
    stop,
)
from tests.faults.steps import EVERYWHERE

DELAYED_DEADLINE_SECONDS = 40.0
# The answer of a server is waited for 15 s; a stopped worker is noticed after 10 s.
STOPPED_DEADLINE_SECONDS = 50.0
# A compiler may take 90 s on the clock, and is tried again when that was not its own doing.
PATIENT_SECONDS = 240.0

pytestmark = pytest.mark.slow


def assert_right(played: dict[Place, Played | BaseException]) -> None:
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
    assert_right(play_all([*RUNNING, *more], act, deadline_s, wall_s=WALL_SECONDS))


@pytest.mark.long
@pytest.mark.parametrize("act", [delay, stop])
def test_no_stop_anywhere_breaks_a_promise(act: Fault) -> None:
    played = play_all(EVERYWHERE, act, PATIENT_SECONDS, wall_s=WALL_SECONDS)
    assert {at: p for at, p in played.items() if not isinstance(p, Played)} == {}


@pytest.mark.long
def test_no_fault_at_a_random_moment_breaks_a_promise() -> None:
    with ThreadPoolExecutor(max_workers=AT_ONCE) as threads:
        trials = [
            threads.submit(play_at_random, seed, PATIENT_SECONDS, wall_s=WALL_SECONDS)
            for seed in range(240)
        ]
    assert [error for trial in trials if (error := trial.exception())] == []
