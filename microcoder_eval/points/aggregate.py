"""The arithmetic of points: results of tests in, points of groups and of the solution out.

Pure functions. Points depend only on the tests' results, in the order of the tests. They depend
neither on additional tests that ran without being needed, nor on the processes that ran them.

Sources: the default grader of the problem package format, legacy
(https://www.kattis.com/problem-package-format/spec/legacy.html#default-grader-specification), and
scoring in its version 2023-07
(https://www.kattis.com/problem-package-format/spec/2023-07-draft.html#scoring-problems).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from microcoder_sandbox import record

from .groups import GRADER, TestGroup, list_leaf_groups
from .outcomes import CaseOutcome, Grade, GroupOutcomes, Outcomes

_TOLERANCE = 1e-9  # of sums of fractions
_DIGITS = 9
_FAILURES = ("RTE", "TLE", "WA")  # the worst first, of the format's default grader
_AGGREGATES: dict[str, Callable[[list[float]], float]] = {
    "min": min,
    "max": max,
    "sum": math.fsum,
    "avg": lambda points: math.fsum(points) / len(points),  # fmean, without a MiB of imports
}
_ACCEPTS: dict[str, Callable[[Iterator[bool]], bool]] = {
    "all": all,
    "any": any,
    "always": lambda _: True,
}
# What the problem's grader makes of a group with such results.
GradeGroup = Callable[[TestGroup, Sequence[Grade]], Grade]


@record
class GroupPoints:
    """The points of one group that holds tests.

    points: None if it has none, with the objective "min".
    max_points: the best it can have, None if that is not known.
    tests: those that count.
    partial_tests: those of them that were accepted and keep the group from its full points.
    """

    name: str
    points: float | None
    max_points: float | None
    tests: tuple[int, ...]
    partial_tests: tuple[int, ...]


@record
class TotalPoints:
    """The points of a solution. points: None if it has none, with the objective "min". max_points:
    the best possible, None if that is not known. is_full: whether it has the best possible, or, if
    that is not known, all its tests are accepted; never without an accepted test."""

    points: float | None
    max_points: float | None
    groups: tuple[GroupPoints, ...]
    is_full: bool


def score_groups(
    groups: Sequence[TestGroup],
    outcomes: Outcomes,
    objective: str = "max",
    grade: GradeGroup | None = None,
) -> TotalPoints:
    """Return the points of a solution with these results. A test that counts and did not run is
    taken as failed. objective: whether more ("max") or fewer ("min") points are better. grade:
    asked once for each group that the problem's grader grades. If it is None, since there is no
    grader or it was not asked, such a group fails."""
    group_outcomes = GroupOutcomes(groups, outcomes)
    scorer = _Scorer(group_outcomes, objective, grade)
    scores = {group.name: scorer.score_group(group) for group in groups}
    scored_groups = [group for group in groups if group.is_scored]
    points = _sum_known([scores[group.name].points for group in scored_groups])
    max_points = _sum_known([scorer.find_best(group) for group in scored_groups])
    leaves = tuple(scorer.score_leaf(group) for group in list_leaf_groups(groups))
    is_full = (
        group_outcomes.are_accepted(scored_groups or groups)
        and all(scores[group.name].accepted for group in scored_groups)
        if max_points is None or (max_points == 0 and objective == "max")
        else _reaches(points, max_points, objective)
    )
    # A grader, or groups that are always accepted, may give all points for nothing.
    has_accepted = any(map(scorer.has_accepted_test, list_leaf_groups(groups)))
    return TotalPoints(points, max_points, leaves, is_full and has_accepted)


def may_be_full(
    groups: Sequence[TestGroup], outcomes: Outcomes, objective: str, *, has_scores: bool
) -> bool:
    """Whether a solution may still have the best points, whatever the tests give that did not run.
    has_scores: whether a checker may give them points, of any number."""
    most = -math.inf if objective == "min" else math.inf
    best = CaseOutcome(True, most if has_scores else None)
    hoped = [best if outcome is None else outcome for outcome in outcomes]
    return score_groups(groups, hoped, objective, lambda *_: Grade("AC", most)).is_full


class _Scorer:
    def __init__(self, outcomes: GroupOutcomes, objective: str, grade: GradeGroup | None) -> None:
        self._grade = grade
        self._outcomes = outcomes
        self._objective = objective
        self._scores: dict[str, CaseOutcome] = {}  # of the groups that count, by name

    def score_group(self, group: TestGroup) -> CaseOutcome:
        score = self._scores[group.name] = self._score(group)
        return score

    def _score(self, group: TestGroup) -> CaseOutcome:
        if not self._outcomes.meets_requirements(group):
            return CaseOutcome(False, self._no_points)
        scores = list(self._count_children(group))
        if group.accept == GRADER:
            return self._read_grade(group, scores)
        accepted = _ACCEPTS[group.accept](score.accepted for score in scores)
        points = self._aggregate(group, scores)
        if not accepted or points is None:
            return CaseOutcome(accepted, self._no_points, _find_worst(scores))
        return CaseOutcome(accepted, points)

    def _read_grade(self, group: TestGroup, scores: Sequence[CaseOutcome]) -> CaseOutcome:
        if self._grade is None:
            return CaseOutcome(False, self._no_points)
        grade = self._grade(group, [score.grade for score in scores])
        if grade.code != "AC":  # the points of a group that is not accepted are ignored
            return CaseOutcome(False, self._no_points, grade.code)
        if group.aggregation != GRADER:
            return CaseOutcome(True, self._aggregate(group, scores))
        return CaseOutcome(True, self._cap(group, grade.points))

    def _aggregate(self, group: TestGroup, scores: Sequence[CaseOutcome]) -> float | None:
        if group.aggregation == "full":
            return group.points
        values = [score.points for score in scores if score.points is not None]
        return self._cap(group, _AGGREGATES[group.aggregation](values)) if values else None

    def _cap(self, group: TestGroup, points: float) -> float:
        if group.points is not None and self._objective == "max":
            points = min(points, group.points)
        return points

    def score_leaf(self, group: TestGroup) -> GroupPoints:
        """Return the points of a group with tests. Call ``score_group`` of all groups before."""
        best = self.find_best(group)
        score = self._scores.get(group.name)
        # Its parent lacks a required group, or was stopped by a failed group before this one.
        if score is None:
            return GroupPoints(group.name, self._no_points, best, (), ())
        points = score.points if group.is_scored else 0.0
        points = None if points is None else round(points, _DIGITS)
        is_full = best is None or not group.is_scored or _reaches(points, best, self._objective)
        return GroupPoints(
            group.name,
            points,
            best,
            tuple(self._outcomes.list_counted(group)),
            () if is_full else tuple(self._list_partial_tests(group)),
        )

    def has_accepted_test(self, group: TestGroup) -> bool:
        """Whether a group with tests counts, is accepted, and holds an accepted test that counts.
        Other accepted tests may not have run. Call ``score_group`` of all groups before."""
        score = self._scores.get(group.name)
        if score is None or not score.accepted:
            return False
        results = map(self._outcomes.__getitem__, self._outcomes.list_counted(group))
        return any(result is not None and result.accepted for result in results)

    def find_best(self, group: TestGroup) -> float | None:
        """Return the best points that a group can have."""
        if group.points is not None or not group.groups:
            return group.points
        best_points = [self.find_best(child) for child in group.groups if child.is_scored]
        if not best_points:
            return 0.0
        if None in best_points or group.aggregation not in _AGGREGATES:
            return None
        return _AGGREGATES[group.aggregation]([best for best in best_points if best is not None])

    @property
    def _no_points(self) -> float | None:
        return None if self._objective == "min" else 0.0

    def _list_partial_tests(self, group: TestGroup) -> Iterator[int]:
        """Yield accepted tests that give less than an equal share of the group's points. There is
        at least one if the group lacks points although no test failed."""
        share = group.share if group.aggregation in _AGGREGATES else None
        for index in self._outcomes.list_counted(group):
            outcome = self._outcomes[index]
            if share is None or outcome is None or not outcome.accepted:
                continue
            if outcome.points is not None and not _reaches(outcome.points, share, self._objective):
                yield index

    def _count_children(self, group: TestGroup) -> Iterator[CaseOutcome]:
        """Yield the scores of the tests or groups that count."""
        if not group.groups:
            yield from (
                self._score_test(group, index) for index in self._outcomes.list_counted(group)
            )
            return
        for child in group.groups:
            score = self.score_group(child)
            yield score if child.is_scored else replace(score, points=None)
            if group.on_fail == "stop" and not score.accepted:
                return

    def _score_test(self, group: TestGroup, index: int) -> CaseOutcome:
        outcome = self._outcomes[index] or CaseOutcome(False)
        points = outcome.points
        if points is None:
            points = (group.passing_points or 0.0) if outcome.accepted else group.fail_points
        return replace(outcome, points=points)


def _find_worst(scores: Sequence[CaseOutcome]) -> str:
    """Return the worst failure, as the format's default grader orders them."""
    failures = {score.failure for score in scores if not score.accepted}
    return next((failure for failure in _FAILURES if failure in failures), "WA")


def _sum_known(values: Sequence[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return round(math.fsum(numbers), _DIGITS) if len(numbers) == len(values) else None


def _reaches(points: float | None, best: float, objective: str) -> bool:
    """Whether points are as good as the best."""
    if points is None:
        return False
    distance = points - best if objective == "min" else best - points
    return distance <= _TOLERANCE * max(1.0, abs(best))
