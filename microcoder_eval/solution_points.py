"""The points of a solution, from the results of its tests, where its problem has groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from microcoder_sandbox import record

from .points import (
    GRADER,
    CaseOutcome,
    Grade,
    GroupPoints,
    TestGroup,
    list_leaf_groups,
    list_needed_tests,
    score_groups,
    walk_groups,
)
from .records import GroupResult, Problem, TestResult, Verdict

# The code that graders get for a failure other than WA. Their table has one code for all resource
# limits.
_FAILURES = {Verdict.TLE: "TLE", Verdict.RE: "RTE", Verdict.MLE: "RTE", Verdict.OLE: "RTE"}


@record
class SolutionPoints:
    """The part of a Judgement about points. is_full: None if unknown or if the problem has no
    points."""

    points: float | None = None
    max_points: float | None = None
    groups: tuple[GroupResult, ...] = ()
    is_full: bool | None = None


NO_POINTS = SolutionPoints()


def list_outcomes(
    results: Sequence[TestResult | None], test_count: int
) -> list[CaseOutcome | None]:
    """Return the outcomes that scoring needs; None for each test that did not run."""
    outcomes: list[CaseOutcome | None] = [
        None
        if result is None or result.verdict is None
        else CaseOutcome(
            result.verdict is Verdict.AC, result.points, _FAILURES.get(result.verdict, "WA")
        )
        for result in results
    ]
    return outcomes + [None] * (test_count - len(outcomes))


def score_tests(
    problem: Problem,
    tests: tuple[TestResult, ...],
    grades: Mapping[str, Grade],
    *,
    lacks_program: bool,
) -> tuple[tuple[TestResult, ...], SolutionPoints]:
    """Return the results and the points of a solution that was judged.

    A test whose checker gave only a part of its points becomes a wrong answer that keeps the
    points. grades: the grades of the problem's grader, by group. lacks_program: the answer holds
    none, so no test ran.
    """
    outcomes = list_outcomes(tests, len(problem.tests))
    cannot_run = lacks_program or any(test.verdict is Verdict.CE for test in tests)
    if cannot_run:
        outcomes = [CaseOutcome(False)] * len(outcomes)

    def grade(group: TestGroup, _: Sequence[Grade]) -> Grade:
        return grades.get(group.name, Grade("WA", 0.0))

    total = score_groups(problem.groups, outcomes, problem.objective, grade)
    tests = _refuse_partial_tests(problem, tests, total.groups)
    groups = tuple(
        GroupResult(
            group.name,
            group.points,
            group.max_points,
            Verdict.CE if cannot_run else _find_verdict(group, tests),
        )
        for group in total.groups
    )
    is_graded = any(group.accept == GRADER for group in walk_groups(problem.groups))
    lacks_grades = is_graded and not grades and not cannot_run
    # Judging stopped before all needed tests ran.
    if lacks_grades or list_needed_tests(problem.groups, outcomes):
        return tests, SolutionPoints(None, total.max_points)
    return tests, SolutionPoints(total.points, total.max_points, groups, total.is_full)


def _refuse_partial_tests(
    problem: Problem, tests: tuple[TestResult, ...], groups: tuple[GroupPoints, ...]
) -> tuple[TestResult, ...]:
    shares = {group.name: group.share for group in list_leaf_groups(problem.groups)}
    results = list(tests)
    for group in groups:
        for index in group.partial_tests:
            test = results[index]
            assert test.points is not None
            detail = test.detail or f"{test.points:g} points, {shares[group.name]:g} are full"
            results[index] = replace(test, verdict=Verdict.WA, detail=detail)
    return tuple(results)


def _find_verdict(group: GroupPoints, tests: tuple[TestResult, ...]) -> Verdict | None:
    verdicts = [verdict for i in group.tests if (verdict := tests[i].verdict) is not None]
    return next((v for v in verdicts if v is not Verdict.AC), verdicts[0] if verdicts else None)
