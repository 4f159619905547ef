"""The judge as the dataset uses it: up to the first failure, each judge's failure tried twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from microcoder_eval.api import Judge
from microcoder_eval.data.recipe import Verify
from microcoder_eval.errors import JudgeError
from microcoder_eval.records import (
    DEFAULT_TIME_S,
    Judgement,
    Limits,
    Problem,
    Solution,
    Verdict,
)

_ROOM = 1.2  # times the limit from which a program is too slow
_PATIENCE, _PATIENCE_S = 20.0, 60.0  # a machine may have twenty times more to do than it can
_COUNTING_SECONDS = 5.0
# The judge's own words for what the next run may not meet again.
_PASSING_TROUBLE = ("worker was lost", "judge was closed", "cannot be started")


class UnjudgeableProblemError(Exception):
    """The judge says of this problem, each time, that it cannot judge it."""


class Runner:
    """Runs programs against problems. Safe from several threads."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def judged(self, problem: Problem, programs: Sequence[Solution]) -> list[Judgement]:
        """Judgements in order; tests after the first failure are not run.

        Raises UnjudgeableProblemError where the judge fails for a reason of the problem's, and
        JudgeError where it fails for one of its own.
        """
        futures = [self._judge.submit(program, problem) for program in programs]
        return [
            self._sure(problem, program, future.result())
            for program, future in zip(programs, futures, strict=True)
        ]

    def _sure(self, problem: Problem, program: Solution, judgement: Judgement) -> Judgement:
        if judgement.verdict is not Verdict.JE:
            return judgement
        again = self._judge.judge(program, problem)
        if again.verdict is not Verdict.JE:
            return again
        said = again.error or "the judge failed"
        if said != judgement.error or any(word in said for word in _PASSING_TROUBLE):
            raise JudgeError(said)
        raise UnjudgeableProblemError(said)

    def output(self, code: str, given: str, limits: Limits, language: str = "python") -> str | None:
        """What a program prints; None where it does not end well. Raises JudgeError."""
        ran = self._judge.run(code, given, limits, language=language)
        return str(ran.stdout) if ran.exit == 0 and ran.killed is None else None


def with_time(problem: Problem, time_s: float) -> Problem:
    """The problem with another CPU limit, and a limit on the clock that only what waits for ever
    meets: how long a program waits for a core of a busy machine must decide nothing."""
    wall_s = _PATIENCE * time_s + _PATIENCE_S
    return replace(problem, limits=replace(problem.limits, time_s=time_s, wall_s=wall_s))


def with_time_to_count(problem: Problem, recipe: Verify) -> Problem:
    """The problem for programs that count their steps: time ends only those whose single steps are
    long."""
    return with_time(problem, _COUNTING_SECONDS / recipe.time_scale)


def with_room(problem: Problem, recipe: Verify) -> Problem:
    """The problem with a limit above the one from which a program is too slow: how far time is
    measured."""
    return with_time(problem, time_limit(problem) * recipe.slow_from * _ROOM)


def most_seconds(judgement: Judgement) -> float:
    """CPU seconds of the slowest test that was run."""
    return max((0.0 if test is None else test.cpu_s for test in judgement.tests), default=0.0)


def time_limit(problem: Problem) -> float:
    """CPU seconds a test may take."""
    return problem.limits.time_s or DEFAULT_TIME_S


def first_failure(judgement: Judgement) -> int | None:
    """The test (from 0) at which a program failed; None where it passed or never came to one."""
    for number, test in enumerate(judgement.tests):
        if test is not None and test.verdict is not Verdict.AC:
            return number
    return None
