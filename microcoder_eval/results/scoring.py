"""From the results of a solution's tests to points, where its problem has groups."""

from __future__ import annotations

from dataclasses import dataclass, replace

from microcoder_eval.points import (
    CaseOutcome,
    GroupPoints,
    list_leaf_groups,
    list_needed_tests,
    score_groups,
)
from microcoder_eval.records import GroupResult, Problem, TestResult, Verdict

TestResults = tuple[TestResult, ...]  # by index


@dataclass(frozen=True, slots=True)
class SolutionPoints:
    """What a Judgement says of points. is_full: None: not known, or the problem has no points."""

    points: float | None = None
    max_points: float | None = None
    groups: tuple[GroupResult, ...] = ()
    is_full: bool | None = None


NO_POINTS = SolutionPoints()


def score_tests(
    problem: Problem, tests: TestResults, *, is_unfinished: bool
) -> tuple[TestResults, SolutionPoints]:
    """The results and the points of a solution that was judged.

    A test whose checker gave only a part of its points becomes a wrong answer that keeps the
    points. is_unfinished: there is no program, so no test ran.
    """
    has_no_program = is_unfinished or any(test.verdict is Verdict.CE for test in tests)
    outcomes = [
        None if test.verdict is None else CaseOutcome(test.verdict is Verdict.AC, test.points)
        for test in tests
    ]
    outcomes += [None] * (len(problem.tests) - len(outcomes))
    if has_no_program:
        outcomes = [CaseOutcome(False)] * len(outcomes)
    total = score_groups(problem.groups, outcomes, problem.objective)
    tests = _mark_short_tests(problem, tests, total.groups)
    verdict = Verdict.CE if has_no_program else None
    groups = tuple(
        GroupResult(
            group.name,
            group.points,
            group.max_points,
            verdict or _find_verdict(group, tests),
        )
        for group in total.groups
    )
    if list_needed_tests(problem.groups, outcomes):  # it was stopped before
        return tests, SolutionPoints(None, total.max_points)
    return tests, SolutionPoints(total.points, total.max_points, groups, total.is_full)


def _mark_short_tests(
    problem: Problem, tests: TestResults, groups: tuple[GroupPoints, ...]
) -> TestResults:
    shares = {group.name: group.share for group in list_leaf_groups(problem.groups)}
    results = list(tests)
    for group in groups:
        for index in group.short:
            test = results[index]
            assert test.points is not None
            detail = test.detail or f"{test.points:g} points, {shares[group.name]:g} are full"
            results[index] = replace(test, verdict=Verdict.WA, detail=detail)
    return tuple(results)


def _find_verdict(group: GroupPoints, tests: TestResults) -> Verdict | None:
    verdicts = [verdict for i in group.counted if (verdict := tests[i].verdict) is not None]
    return next((v for v in verdicts if v is not Verdict.AC), verdicts[0] if verdicts else None)
