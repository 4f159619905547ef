"""Time limits for runs in this stage, in place of the problem's own."""

from __future__ import annotations

from dataclasses import replace

from microcoder_data.recipe import Verify
from microcoder_eval.records import HIGHEST_LIMIT, Problem

_TIME_MARGIN = 1.2  # a run is stopped at this many times the time from which a program is too slow
_WALL_FACTOR, _WALL_MARGIN_S = 4.0, 10.0  # waiting for a core of a busy machine does not count
COUNTING_SECONDS = 5.0  # most seconds of a program that counts its steps, on a test
_STEPS_PER_SECOND = 200_000  # even of a slow machine


def with_time_limit(problem: Problem, time_s: float) -> Problem:
    """Return the problem with another CPU limit, and a wall-clock limit that only a program that
    waits forever exceeds."""
    time_s = min(time_s, HIGHEST_LIMIT)
    wall_s = min(_WALL_FACTOR * time_s + _WALL_MARGIN_S, HIGHEST_LIMIT)
    return replace(problem, limits=replace(problem.limits, time_s=time_s, wall_s=wall_s))


def with_counting_time_limit(problem: Problem, time_scale: float, steps: int) -> Problem:
    """Return the problem with the time limit for programs that count their steps. Only a program
    with very long steps exceeds it."""
    seconds = min(COUNTING_SECONDS, max(1.0, steps / _STEPS_PER_SECOND))
    return with_time_limit(problem, seconds / time_scale)  # by which the judge multiplies it


def extend_time_limit(problem: Problem, recipe: Verify) -> Problem:
    """Return the problem with a time limit above the threshold for too slow, so that the excess is
    measured."""
    return with_time_limit(
        problem, problem.limits.effective_time_s * recipe.slow_from * _TIME_MARGIN
    )
