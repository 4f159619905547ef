"""SIGSTOP to each of our processes: for a while, then for good.

The places chosen here are those where a different piece of code waits; `pytest -m long
tests/faults` plays every step with every part.
"""

from __future__ import annotations

import pytest

from tests.faults.faults import WALL_SECONDS, Place, Played, delay, play_all, stop

DELAYED_DEADLINE_SECONDS = 40.0
# The answer of a server is waited for 15 s; a stopped worker is noticed after 10 s.
STOPPED_DEADLINE_SECONDS = 50.0

pytestmark = pytest.mark.slow


def held(played: dict[Place, Played | BaseException]) -> None:
    """Every result right, at every place."""
    failed = {at: p for at, p in played.items() if not isinstance(p, Played) or p.judge_errors}
    assert not failed, failed


def test_a_process_that_is_stopped_for_a_while_changes_no_result() -> None:
    places = [
        ("receives", "worker"), ("runs", "worker"), ("writes", "worker"), ("pair", "worker"),
        ("requested", "server"), ("runs", "server"), ("ended", "server"),
        ("compiles", "child"), ("runs", "child"), ("pair", "child"),
        ("pair", "tests_server"), ("pair", "tests_child"),
    ]  # fmt: skip
    held(play_all(places, delay, DELAYED_DEADLINE_SECONDS, wall_s=WALL_SECONDS))


def test_a_process_that_is_stopped_for_good_is_replaced_and_changes_no_result() -> None:
    places = [
        ("idle", "worker"), ("receives", "worker"), ("runs", "worker"),
        ("answers", "worker"),
        ("requested", "server"), ("runs", "server"), ("ended", "server"),
        ("compiles", "child"), ("runs", "child"), ("pair", "child"),
        ("pair", "tests_server"), ("pair", "tests_child"),
    ]  # fmt: skip
    held(play_all(places, stop, STOPPED_DEADLINE_SECONDS, wall_s=WALL_SECONDS))
