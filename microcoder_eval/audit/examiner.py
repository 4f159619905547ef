"""Audits one problem: first its tests alone, then programs on its tests.

compare: the comparer of problems without a checker.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from microcoder_eval.errors import ComparerError, DataError
from microcoder_eval.records import Problem

from .answers import check_answers
from .checkers import check_checker
from .expected_answers import read_expected_answers
from .findings import Finding, Severity
from .labelled_programs import Program
from .sameness import find_repeated_tests, find_trivial_tests
from .tolerance import find_suspicious_tolerance
from .trials import Runner
from .verdicts import check_verdicts

Compare = str | Mapping[str, Any]


def check_tests(
    problem: Problem, programs: Sequence[Program], compare: Compare = "calibrated"
) -> list[Finding]:
    """Return what can be found without running a program. programs: all those of the problem."""
    findings = list(check_tests_without_programs(problem, compare))
    if not any(program.right for program in programs):
        detail = "no program is known to be right: only the tests were checked"
        findings.append(Finding("no_reference", detail, severity=Severity.NOTE))
    return [replace(finding, problem_id=problem.problem_id) for finding in findings]


def check_tests_without_programs(
    problem: Problem, compare: Compare = "calibrated", *, with_tolerance: bool = True
) -> Iterator[Finding]:
    """Yield what the tests show. with_tolerance: also try numbers near the expected ones."""
    reason = problem.multiple_answers_suspected
    if reason is not None:
        yield Finding(
            "multiple_answers_suspected", reason, {"reason": reason, "checker": problem.checker}
        )
    try:
        answers = read_expected_answers(problem, compare)
    except (DataError, ComparerError) as error:
        reason = str(error)
        yield Finding("unjudgeable", reason, {"reason": reason}, Severity.ERROR)
        return
    yield from find_repeated_tests(answers)
    yield from find_trivial_tests(problem, answers)
    if with_tolerance:
        yield from find_suspicious_tolerance(problem, answers)


def check_programs(
    runner: Runner,
    problem: Problem,
    programs: Sequence[Program],
    repeat: int,
    compare: Compare = "calibrated",
) -> list[Finding]:
    """Run each of these programs ``repeat`` times; return what they show."""
    try:
        answers = read_expected_answers(problem, compare)
    except (DataError, ComparerError):
        return []  # reported by check_tests
    trials = runner.run_trials(problem, programs, repeat)
    limits, options = runner.get_limits(problem), runner.judge.options
    findings = list(check_verdicts(answers, trials, limits, options.get_time_scale))
    findings += check_checker(runner, problem, trials)
    findings += check_answers(runner, problem, trials)
    return [replace(finding, problem_id=problem.problem_id) for finding in findings]
