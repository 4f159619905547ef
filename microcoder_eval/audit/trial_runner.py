"""Runs programs for an audit: their verdicts, a few times over, and what they print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, TimeoutError
from dataclasses import dataclass, replace

from microcoder_eval.api import Judge, unix_lines
from microcoder_eval.extract import extract
from microcoder_eval.records import MIN_OUTPUT_MB, Judgement, Limits, Problem, Test, Verdict

from .programs import Program

_POLL_SECONDS = 0.2


class StoppedError(Exception):
    """The audit was told to stop while a program ran."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A program and its judgements, one for each run; at least one."""

    program: Program
    judgements: tuple[Judgement, ...]

    @property
    def first(self) -> Judgement:
        """The judgement of the first run."""
        return self.judgements[0]

    @property
    def failed_judge(self) -> Judgement | None:
        """A run in which the judge failed, if there was one."""
        return next((run for run in self.judgements if run.verdict is Verdict.JE), None)


class Bench:
    """A judge, and how often each program is run. Safe to use from several threads.

    stopped: asked while waiting; True makes all waiting end with StoppedError.
    """

    def __init__(self, judge: Judge, repeat: int, stopped: Callable[[], bool]) -> None:
        self._judge = judge
        self._repeat = repeat
        self._stopped = stopped

    @property
    def time_scale(self) -> float:
        """What multiplies time limits."""
        return self._judge.settings.time_scale

    def limits(self, problem: Problem) -> Limits:
        """The limits that hold, before the time scale."""
        return self._judge.settings.limits.over(problem.limits)

    def trials(self, problem: Problem, programs: Sequence[Program]) -> list[Trial]:
        """Judge each program ``repeat`` times.

        Once only where a run hit the time limit: it would cost the limit again and again, and
        what is near it is told by near_limit.
        """
        firsts = self._judged(problem, programs)
        again = [
            program
            for program, first in zip(programs, firsts, strict=True)
            if not _is_slow(first)
            for _ in range(self._repeat - 1)
        ]
        others = iter(self._judged(problem, again))
        return [
            Trial(program, (first, *(next(others) for _ in range(self._more(first)))))
            for program, first in zip(programs, firsts, strict=True)
        ]

    def _more(self, first: Judgement) -> int:
        return 0 if _is_slow(first) else self._repeat - 1

    def _judged(self, problem: Problem, programs: Sequence[Program]) -> list[Judgement]:
        futures = [self._judge.submit(program.solution, problem) for program in programs]
        return [self._waited(future) for future in futures]

    def _waited(self, future: Future[Judgement]) -> Judgement:
        while not self._stopped():
            try:
                return future.result(timeout=_POLL_SECONDS)
            except TimeoutError:
                continue
        raise StoppedError

    def passes(self, problem: Problem, program: Program, comparer: str) -> bool:
        """Whether the program passes when its answers are compared in another way."""
        asked = replace(problem, checker={"name": comparer})
        return self._judged(asked, [program])[0].passed

    def output(self, problem: Problem, program: Program, test: Test) -> bytes | None:
        """What the program prints for a test; None where it does not end well and in time.

        Raises JudgeError when the run did not come about.
        """
        code = program_text(program)
        if code is None:
            return None
        limits = self.limits(problem)
        if limits.output_mb is None:
            expected_mb = len(test.output) / 2**20
            limits = replace(limits, output_mb=max(MIN_OUTPUT_MB, 2 * expected_mb))
        if self._stopped():
            raise StoppedError
        given = unix_lines(test.input).encode("utf-8", "surrogatepass")
        ran = self._judge.run(code, given, limits)
        return ran.stdout if ran.exit == 0 and ran.killed is None else None


def program_text(program: Program) -> str | None:
    """The program, taken from the answer where it is one; None where outputs cannot be had."""
    solution = program.solution
    if solution.language != "python":
        return None
    return solution.code if solution.code is not None else extract(solution.response or "").code


def _is_slow(judgement: Judgement) -> bool:
    return any(test is not None and test.verdict is Verdict.TLE for test in judgement.tests)
