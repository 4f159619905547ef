"""Audits one problem: first its tests alone, then programs on its tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from microcoder_eval.errors import ComparerError, DataError, JudgeError
from microcoder_eval.records import Kind, Problem

from .checkers import check_checker
from .expectations import Expectations, read_expectations
from .findings import Finding, FindingName, Severity
from .outputs import check_outputs, check_values
from .programs import Program
from .sameness import find_repeated_tests, find_trivial_tests
from .tolerance import find_suspicious_tolerance
from .trial_runner import Trial, TrialRunner
from .verdicts import check_verdicts, make_unjudgeable


class Examiner:
    """Examines problems. Safe to use from several threads.

    compare: the comparer of problems without a checker.
    """

    def __init__(self, compare: str | Mapping[str, Any] = "calibrated") -> None:
        self._compare = compare

    def check_tests(self, problem: Problem, programs: Sequence[Program]) -> list[Finding]:
        """Return what can be found without running a program. programs: all of the problem."""
        findings = list(self._check_tests_alone(problem))
        if not any(program.right for program in programs):
            detail = "no program is known to be right: only the tests were checked"
            findings.append(
                Finding(problem.problem_id, FindingName.NO_REFERENCE, Severity.NOTE, detail)
            )
        return findings

    def _check_tests_alone(self, problem: Problem) -> Iterator[Finding]:
        reason = problem.multiple_answers_suspected
        if reason is not None:
            yield Finding(
                problem.problem_id,
                FindingName.MULTIPLE_ANSWERS_SUSPECTED,
                Severity.WARNING,
                reason,
                {"reason": reason, "checker": problem.checker},
            )
        try:
            expectations = read_expectations(problem, self._compare)
        except (DataError, ComparerError) as error:
            yield make_unjudgeable(problem.problem_id, str(error), {"reason": str(error)})
            return
        yield from find_repeated_tests(problem, expectations)
        yield from find_trivial_tests(problem, expectations)
        yield from find_suspicious_tolerance(problem, expectations)

    def check_programs(
        self, trial_runner: TrialRunner, problem: Problem, programs: Sequence[Program]
    ) -> list[Finding]:
        """Run these programs; return what they show. Raises StoppedError."""
        try:
            expectations = read_expectations(problem, self._compare)
        except (DataError, ComparerError):
            return []  # reported by check_tests
        trials = trial_runner.run_trials(problem, programs)
        limits = trial_runner.get_limits(problem)
        findings = list(
            check_verdicts(problem, expectations, trials, limits, trial_runner.time_scale)
        )
        findings += check_checker(trial_runner, problem, trials)
        try:
            findings += _compare_answers(trial_runner, problem, expectations, trials)
        except JudgeError as error:
            reason = f"a program could not be run again: {error}"
            findings.append(make_unjudgeable(problem.problem_id, reason, {"reason": reason}))
        return findings


def _compare_answers(
    trial_runner: TrialRunner, problem: Problem, expectations: Expectations, trials: Sequence[Trial]
) -> Iterator[Finding]:
    if problem.kind is Kind.STDIN:
        return check_outputs(trial_runner, problem, expectations, trials)
    return check_values(trial_runner, problem, trials)
