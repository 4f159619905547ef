"""One problem's audit: its tests alone, then what programs do with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from microcoder_eval.errors import ComparerError, DataError, JudgeError
from microcoder_eval.records import Kind, Problem

from .answers import Answers, answers_of
from .bench import Bench, Trial
from .findings import Finding, Name, Severity
from .outputs import from_outputs, from_values
from .programs import Program
from .sameness import repeated_tests, trivial_tests
from .tolerance import suspicious_tolerance
from .verdicts import from_verdicts, unjudgeable


class Examiner:
    """Examines problems. Safe to use from several threads.

    compare: how answers are compared where a problem has no checker.
    """

    def __init__(self, compare: str | Mapping[str, Any] = "calibrated") -> None:
        self._compare = compare

    def look(self, problem: Problem, programs: Sequence[Program]) -> list[Finding]:
        """What can be found without running anything. programs: all there are."""
        found = list(self._tests_alone(problem))
        if not any(program.right for program in programs):
            detail = "no program is known to be right: only its tests were looked at"
            found.append(Finding(problem.problem_id, Name.NO_REFERENCE, Severity.NOTE, detail))
        return found

    def _tests_alone(self, problem: Problem) -> Iterator[Finding]:
        suspected = problem.multiple_answers_suspected
        if suspected is not None:
            yield Finding(
                problem.problem_id,
                Name.MULTIPLE_ANSWERS_SUSPECTED,
                Severity.WARNING,
                suspected,
                {"reason": suspected, "checker": problem.checker},
            )
        try:
            answers = answers_of(problem, self._compare)
        except (DataError, ComparerError) as error:
            yield unjudgeable(problem.problem_id, str(error), {"reason": str(error)})
            return
        yield from repeated_tests(problem, answers)
        yield from trivial_tests(problem, answers)
        yield from suspicious_tolerance(problem, answers)

    def run(self, bench: Bench, problem: Problem, programs: Sequence[Program]) -> list[Finding]:
        """What these programs show when they are run. Raises StoppedError."""
        try:
            answers = answers_of(problem, self._compare)
        except (DataError, ComparerError):
            return []  # told by look
        trials = bench.trials(problem, programs)
        limits = bench.limits(problem)
        found = list(from_verdicts(problem, answers, trials, limits, bench.time_scale))
        try:
            found += _answered(bench, problem, answers, trials)
        except JudgeError as error:
            reason = f"a program could not be run again: {error}"
            found.append(unjudgeable(problem.problem_id, reason, {"reason": reason}))
        return found


def _answered(
    bench: Bench, problem: Problem, answers: Answers, trials: Sequence[Trial]
) -> Iterator[Finding]:
    if problem.kind is Kind.STDIN:
        return from_outputs(bench, problem, answers, trials)
    return from_values(bench, problem, trials)
