"""Runs programs for an audit: judges each several times, and reads their outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, TimeoutError
from dataclasses import replace
from itertools import islice

from microcoder_eval.api import Judge
from microcoder_eval.conversion import normalize_newlines
from microcoder_eval.extract import extract
from microcoder_eval.records import MIN_OUTPUT_MB, Judgement, Limits, Problem, Test, Verdict
from microcoder_sandbox import record

from .programs import Program

_POLL_SECONDS = 0.2


class StoppedError(Exception):
    """The audit must stop while a program runs."""


@record
class Trial:
    """A program and its judgements, one for each run, at least one."""

    program: Program
    judgements: tuple[Judgement, ...]

    @property
    def first_judgement(self) -> Judgement:
        """The judgement of the first run."""
        return self.judgements[0]

    @property
    def judge_failure(self) -> Judgement | None:
        """A run on which the judge failed, if there is one."""
        return next((run for run in self.judgements if run.verdict is Verdict.JE), None)


class TrialRunner:
    """Runs each program ``repeat`` times. Safe to use from several threads.

    is_stopped: called while waiting; when it returns True, waiting raises StoppedError.
    """

    def __init__(self, judge: Judge, repeat: int, is_stopped: Callable[[], bool]) -> None:
        self._judge = judge
        self._repeat = repeat
        self._is_stopped = is_stopped

    @property
    def time_scale(self) -> float:
        """The factor on time limits."""
        return self._judge.options.get_time_scale("python")

    def get_limits(self, problem: Problem) -> Limits:
        """Return the effective limits of a problem, before the time scale."""
        return self._judge.options.limits.fill_from(problem.limits)

    def run_trials(self, problem: Problem, programs: Sequence[Program]) -> list[Trial]:
        """Judge each program ``repeat`` times, but only once if it exceeds the time limit.

        Repeating those would cost much time, and the finding NEAR_LIMIT covers programs near it.
        """
        first_judgements = self._judge_programs(problem, programs)
        counts = [0 if _is_slow(judgement) else self._repeat - 1 for judgement in first_judgements]
        repeated_programs = [
            program for program, count in zip(programs, counts, strict=True) for _ in range(count)
        ]
        repeated_judgements = iter(self._judge_programs(problem, repeated_programs))
        return [
            Trial(program, (first_judgement, *islice(repeated_judgements, count)))
            for program, first_judgement, count in zip(
                programs, first_judgements, counts, strict=True
            )
        ]

    def _judge_programs(self, problem: Problem, programs: Sequence[Program]) -> list[Judgement]:
        futures = [self._judge.submit(program.solution, problem) for program in programs]
        return [self._wait_for(future) for future in futures]

    def _wait_for(self, future: Future[Judgement]) -> Judgement:
        while not self._is_stopped():
            try:
                return future.result(timeout=_POLL_SECONDS)
            except TimeoutError:
                continue
        raise StoppedError

    def passes_with(self, problem: Problem, program: Program, comparer_name: str) -> bool:
        """Whether the program passes with another comparer."""
        changed_problem = replace(problem, checker={"name": comparer_name})
        return self._judge_programs(changed_problem, [program])[0].passed

    def run_program(self, problem: Problem, program: Program, test: Test) -> bytes | None:
        """Return the program's output on a test; None if it fails or is killed.

        Raises JudgeError if the judge fails, and StoppedError.
        """
        code = extract_code(program)
        if code is None or problem.includes or program.solution.files:
            return None  # no program of one file
        limits = self.get_limits(problem)
        if limits.output_mb is None:
            expected_mb = len(test.output) / 2**20
            limits = replace(limits, output_mb=max(MIN_OUTPUT_MB, 2 * expected_mb))
        if self._is_stopped():
            raise StoppedError
        stdin = normalize_newlines(test.input).encode("utf-8", "surrogatepass")
        outcome = self._judge.run(code, stdin, limits)
        return outcome.stdout if outcome.exit == 0 and outcome.killed is None else None


def extract_code(program: Program) -> str | None:
    """Return the program, extracted from a model's answer if need be; None if not Python."""
    solution = program.solution
    if solution.language != "python":
        return None
    return solution.code if solution.code is not None else extract(solution.response or "").code


def _is_slow(judgement: Judgement) -> bool:
    return any(test.verdict is Verdict.TLE for test in judgement.tests)
