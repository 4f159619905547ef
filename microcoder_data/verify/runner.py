"""Runs programs on the judge: up to the first failure, and again where the judge itself fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from microcoder_data.recipe import Verify
from microcoder_eval.api import Judge, RunResult
from microcoder_eval.errors import JudgeError
from microcoder_eval.records import (
    DEFAULT_TIME_S,
    HIGHEST_LIMIT,
    Judgement,
    Limits,
    Problem,
    Solution,
    Verdict,
)

_TIME_MARGIN = 1.2  # a run ends at this many times the time from which a program is too slow
_WALL_FACTOR, _WALL_MARGIN_S = 20.0, 60.0  # generous: the machine may be overloaded
_COUNTING_SECONDS = 5.0
# Parts of the judge's error messages for failures that may not occur again.
_TRANSIENT_ERRORS = (
    "worker was lost", "judge was closed", "cannot be started",
    "node that judged it was lost", "no node of the Ray cluster", "Ray engine failed",
)  # fmt: skip


class UnjudgeableProblemError(Exception):
    """The judge fails on this problem, twice for the same reason."""


class Runner:
    """Runs programs against problems. Safe from several threads."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def with_own_children(self) -> Runner:
        """Return a runner on the same workers that runs each test in a process of its own."""
        options = self._judge.options
        return Runner(
            self._judge.with_options(
                isolation="test",
                compare=options.compare,
                stop=options.stop,
                time_scale=options.time_scale,
            )
        )

    def judge_programs(self, problem: Problem, programs: Sequence[Solution]) -> list[Judgement]:
        """Judgements in order; tests after the first failure are not run.

        Raises UnjudgeableProblemError where the problem makes the judge fail, and JudgeError where
        the judge fails for another reason.
        """
        futures = [self._judge.submit(program, problem) for program in programs]
        return [
            self._confirm_judgement(problem, program, future.result())
            for program, future in zip(programs, futures, strict=True)
        ]

    def _confirm_judgement(
        self, problem: Problem, program: Solution, judgement: Judgement
    ) -> Judgement:
        """Return the judgement, or a second one where the judge failed. Raises as
        ``judge_programs``."""
        if judgement.verdict is not Verdict.JE:
            return judgement
        second_judgement = self._judge.judge(program, problem)
        if second_judgement.verdict is not Verdict.JE:
            return second_judgement
        message = second_judgement.error or "the judge failed"
        if message != judgement.error or any(phrase in message for phrase in _TRANSIENT_ERRORS):
            raise JudgeError(message)
        raise UnjudgeableProblemError(message)

    def run_program(
        self, code: str, stdin: str, limits: Limits, language: str = "python"
    ) -> str | None:
        """Return the standard output of a program; None where it fails. Raises JudgeError."""
        outcome = self.run_outcome(code, stdin, language, limits)
        return str(outcome.stdout) if outcome.exit == 0 and outcome.killed is None else None

    def run_outcome(
        self, code: str, stdin: str, language: str = "python", limits: Limits | None = None
    ) -> RunResult:
        """Return what happened to a program. Raises JudgeError."""
        return self._judge.run(code, stdin, limits, language=language)


def set_time_limit(problem: Problem, time_s: float) -> Problem:
    """Return the problem with another CPU limit. The wall-clock limit is so high that only a
    program that waits for ever exceeds it: waiting for a core of a busy machine must not change
    results."""
    time_s = min(time_s, HIGHEST_LIMIT)
    wall_s = min(_WALL_FACTOR * time_s + _WALL_MARGIN_S, HIGHEST_LIMIT)
    return replace(problem, limits=replace(problem.limits, time_s=time_s, wall_s=wall_s))


def set_counting_time_limit(problem: Problem, time_scale: float) -> Problem:
    """Return the problem with the time limit of programs that count their steps: only programs
    with very long steps exceed it."""
    return set_time_limit(problem, _COUNTING_SECONDS / time_scale)


def extend_time_limit(problem: Problem, recipe: Verify) -> Problem:
    """Return the problem with a time limit above the time from which a program is too slow."""
    return set_time_limit(problem, get_time_limit(problem) * recipe.slow_from * _TIME_MARGIN)


def max_cpu_seconds(judgement: Judgement) -> float:
    """CPU seconds of the slowest test."""
    return max((test.cpu_s for test in judgement.tests), default=0.0)


def get_time_limit(problem: Problem) -> float:
    """CPU seconds a test may take."""
    return problem.limits.time_s or DEFAULT_TIME_S


def find_first_failure(judgement: Judgement) -> int | None:
    """Return the position (from 0) of the first failed test; None where all passed or none was
    run."""
    failure = judgement.first_failure
    return None if failure is None else failure[0]
