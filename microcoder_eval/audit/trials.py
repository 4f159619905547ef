"""Runs programs on the judge: several times each, up to the first failure, or only for their
output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import AnyStr

from microcoder_eval.api import Judge
from microcoder_eval.errors import JudgeError, UnjudgeableError
from microcoder_eval.records import Judgement, Limits, Problem, Solution, Verdict
from microcoder_sandbox import record

from .labelled_programs import Program

HASH_SEEDS = (0, 1, 2)  # the first is the one that all other runs use


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


class Runner:
    """Runs programs against problems. Safe to use from several threads."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    def get_limits(self, problem: Problem) -> Limits:
        """Return the effective limits of a problem, before the time scale."""
        return self.judge.options.limits.fill_from(problem.limits)

    def run_trials(self, problem: Problem, programs: Sequence[Program], repeat: int) -> list[Trial]:
        """Judge each program ``repeat`` times, with the hash seeds in turn. A program that exceeds
        the time limit runs only once.

        Repeating slow programs would cost much time, and the finding near_limit covers programs
        near the limit. If the judge fails, its failure is the judgement of that run.
        """
        judgements = [
            [judgement]
            for judgement in self._judge_each(problem, [program.solution for program in programs])
        ]
        repeated = [
            (program.solution, runs)
            for program, runs in zip(programs, judgements, strict=True)
            if all(test.verdict is not Verdict.TLE for test in runs[0].tests)
        ]
        for number in range(1, repeat):
            judge = self.judge.with_hash_seed(HASH_SEEDS[number % len(HASH_SEEDS)])
            results = Runner(judge)._judge_each(problem, [solution for solution, _ in repeated])
            for (_, runs), judgement in zip(repeated, results, strict=True):
                runs.append(judgement)
        return [
            Trial(program, tuple(runs)) for program, runs in zip(programs, judgements, strict=True)
        ]

    def judge_programs(self, problem: Problem, programs: Sequence[Solution]) -> list[Judgement]:
        """Return one judgement of each program, in order. A run on which the judge fails is made
        once more.

        Raises UnjudgeableError where it fails twice for the same reason, JudgeError where the
        judge fails for another reason.
        """
        return [
            self._confirm_judgement(problem, program, judgement)
            for program, judgement in zip(
                programs, self._judge_each(problem, programs), strict=True
            )
        ]

    def _judge_each(self, problem: Problem, programs: Sequence[Solution]) -> list[Judgement]:
        futures = [self.judge.submit(program, problem) for program in programs]
        return [future.result() for future in futures]

    def _confirm_judgement(
        self, problem: Problem, program: Solution, judgement: Judgement
    ) -> Judgement:
        """Return the judgement, or a second one where the judge failed. Raises as
        ``judge_programs``."""
        if judgement.verdict is not Verdict.JE:
            return judgement
        (second_judgement,) = self._judge_each(problem, [program])
        if second_judgement.verdict is not Verdict.JE:
            return second_judgement
        message = second_judgement.error or "the judge failed"
        answered = second_judgement.sandbox_level > 0  # else no worker or node was there to judge
        if message != judgement.error or not answered:
            raise JudgeError(message)
        raise UnjudgeableError(message)

    def run_program(
        self, code: str, stdin: AnyStr, limits: Limits, language: str = "python"
    ) -> AnyStr | None:
        """Return the standard output of a program; None where it fails. Raises JudgeError."""
        outcome = self.judge.run(code, stdin, limits, language=language)
        stdout: AnyStr = outcome.stdout
        return stdout if outcome.exit == 0 and outcome.killed is None else None


def measure_slowest(judgement: Judgement) -> float:
    """Return the CPU seconds of the slowest test."""
    return max((test.cpu_s for test in judgement.tests_run), default=0.0)
