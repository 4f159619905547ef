"""The arithmetic of points, against cases worked out by hand from the formats' specifications."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_eval.points import (
    CaseOutcome,
    Grade,
    TestGroup,
    TotalPoints,
    list_needed_tests,
    parse_groups,
    score_groups,
)
from microcoder_eval.worker.judge_programs.scores import MAX_SCORE

AC, NO = CaseOutcome(True), CaseOutcome(False)


def score(groups: list[dict[str, Any]], outcomes: list[Any], objective: str = "max") -> TotalPoints:
    return score_groups(parse_groups(groups, len(outcomes)), outcomes, objective)


@pytest.mark.parametrize(
    ("aggregation", "outcomes", "points"),
    [
        ("min", [AC, AC, AC, AC], 40),
        ("min", [AC, NO, AC, AC], 0),
        ("sum", [AC, NO, AC, AC], 30),
        ("avg", [AC, NO, AC, NO], 20),
        ("max", [NO, NO, AC, NO], 40),
        ("sum", [NO, NO, NO, NO], 0),
        ("min", [CaseOutcome(True, 12.5), AC, AC, AC], 12.5),
        ("sum", [CaseOutcome(True, 2.5), AC, NO, CaseOutcome(True, 0)], 12.5),
    ],
)
def test_a_group_has_the_points_of_its_aggregation(
    aggregation: str, outcomes: list[Any], points: float
) -> None:
    group = {"name": "g", "tests": [0, 1, 2, 3], "points": 40, "aggregation": aggregation}
    total = score([group], outcomes)
    assert (total.points, total.max_points, total.is_full) == (points, 40, points == 40)


@pytest.mark.parametrize("aggregation", ["min", "max", "sum", "avg"])
@pytest.mark.parametrize("objective", ["max", "min"])
def test_the_largest_scores_add_up(aggregation: str, objective: str) -> None:
    outcomes = [CaseOutcome(True, sign * MAX_SCORE) for sign in (1, 1, 1, -1)]
    group = {"name": "g", "tests": [0, 1, 2, 3], "aggregation": aggregation}
    points = score([group], outcomes, objective).points
    assert points is not None
    assert abs(points) <= 2 * MAX_SCORE


def test_a_group_that_stops_counts_the_tests_up_to_the_first_failed_one() -> None:
    group = {
        "name": "g",
        "tests": [0, 1, 2, 3],
        "points": 40,
        "aggregation": "avg",
        "on_fail": "stop",
    }
    # Two of the three tests that count are passed.
    assert score([group], [AC, AC, NO, AC]).points == pytest.approx(80 / 3)


def test_a_group_that_needs_all_tests_gives_nothing_after_a_failure() -> None:
    group = {"name": "g", "tests": [0, 1], "points": 10, "aggregation": "sum", "accept": "all"}
    assert score([group], [AC, NO]).points == 0
    assert score([{**group, "accept": "any"}], [AC, NO]).points == 5
    assert score([{**group, "accept": "always", "fail_points": 1}], [NO, NO]).points == 2


def test_a_requirement_is_met_by_all_tests_of_the_group() -> None:
    groups = [
        {"name": "first", "tests": [0, 1], "points": 10, "aggregation": "sum"},
        {"name": "second", "tests": [2], "points": 20, "requires": ["first"]},
        {"name": "third", "tests": [3], "points": 30, "requires": ["second"]},
    ]
    assert score(groups, [AC, AC, AC, AC]).points == 60
    assert score(groups, [AC, NO, AC, AC]).points == 5  # as if second had not run
    assert score(groups, [AC, NO, None, None]).points == 5


def test_a_rejected_group_rejects_its_parent_that_needs_all() -> None:
    parent = {
        "name": "all",
        "aggregation": "sum",
        "accept": "all",
        "groups": [
            {"name": "a", "tests": [0], "points": 0},
            {"name": "b", "tests": [1], "points": 10},
            {"name": "c", "tests": [2], "points": 20},
        ],
    }
    assert score([parent], [AC, AC, AC]).points == 30
    assert score([parent], [AC, AC, NO]).points == 0
    assert score([parent], [NO, AC, AC]).points == 0  # a sample gives nothing and must pass
    assert score([{**parent, "accept": "any"}], [NO, AC, NO]).points == 10


def test_a_sample_gives_no_points_whatever_its_checker_says() -> None:
    groups = [
        {"name": "sample", "tests": [0], "points": 0, "aggregation": "sum", "accept": "all"},
        {"name": "secret", "tests": [1], "points": 50},
    ]
    total = score(groups, [CaseOutcome(True, 25.0), AC])
    assert (total.points, total.max_points, total.is_full) == (50, 50, True)
    assert total.groups[0].points == 0


def test_fewer_points_are_better_with_the_objective_min() -> None:
    group = {
        "name": "g",
        "tests": [0, 1],
        "points": 9,
        "aggregation": "sum",
        "accept": "all",
        "test_points": 1,
    }
    best = score([group], [CaseOutcome(True, 2.0), CaseOutcome(True, 7.0)], "min")
    assert (best.points, best.max_points, best.is_full) == (9, 9, True)
    worse = score([group], [CaseOutcome(True, 2.0), CaseOutcome(True, 70.0)], "min")
    assert (worse.points, worse.is_full, worse.groups[0].partial_tests) == (72, False, (1,))
    assert score([group], [CaseOutcome(True, 2.0), NO], "min").points is None


def test_without_a_known_best_all_tests_must_be_accepted() -> None:
    group = {"name": "g", "tests": [0, 1], "aggregation": "sum"}
    outcomes = [CaseOutcome(True, 3.5), CaseOutcome(True, 0.25)]
    total = score([group], outcomes)
    assert (total.points, total.max_points, total.is_full) == (3.75, None, True)
    assert not score([group], [outcomes[0], NO]).is_full


def test_points_for_nothing_are_no_solution() -> None:
    group = {"name": "g", "tests": [0], "points": 5, "accept": "always", "fail_points": 5}
    total = score([{**group, "aggregation": "sum"}], [NO])
    assert (total.points, total.max_points, total.is_full) == (5, 5, False)


def test_a_test_that_does_not_count_earns_no_points_given_for_nothing() -> None:
    free = {"name": "free", "tests": [0], "points": 5, "accept": "always", "fail_points": 5}
    other = {"name": "other", "tests": [1], "points": 0, "requires": ["free"]}
    total = score([free, other], [NO, AC])
    assert (total.points, total.max_points, total.is_full) == (5, 5, False)


def test_tests_of_required_groups_are_needed_although_their_own_points_are_not() -> None:
    children = [{"name": name, "tests": [n], "points": 5} for n, name in enumerate("ab")]
    parent = {"name": "all", "aggregation": "sum", "on_fail": "stop", "groups": children}
    last = {"name": "c", "tests": [2], "points": 5, "requires": ["b"]}
    assert list_needed_tests(parse_groups([parent, last], 3), [NO, None, None]) == {1, 2}
    assert score([parent, last], [NO, AC, AC]).points == 5
    assert list_needed_tests(parse_groups([parent, last], 3), [NO, NO, None]) == set()


def test_tests_after_a_failed_group_are_needed_unless_their_parent_stops() -> None:
    children = [{"name": name, "tests": [n], "points": 5} for n, name in enumerate("ab")]
    parent = {"name": "all", "aggregation": "sum", "groups": children}
    for on_fail, needed in (("stop", set()), ("continue", {1})):
        groups = parse_groups([{**parent, "on_fail": on_fail, "accept": "any"}], 2)
        assert list_needed_tests(groups, [NO, None]) == needed


GRADED = {"name": "graded", "tests": [0, 1], "aggregation": "grader", "accept": "grader"}
PARTS = [AC, CaseOutcome(False, None, "TLE")]


@pytest.mark.parametrize(
    ("group", "grade", "points", "is_full"),
    [
        ({}, Grade("AC", 7.5), 7.5, False),
        ({"points": 5}, Grade("AC", 7.5), 5, True),
        ({"points": 8}, Grade("AC", 7.5), 7.5, False),
        ({"points": 8}, Grade("WA", 7.5), 0, False),
        ({"points": 8, "aggregation": "sum"}, Grade("AC", 7.5), 4, False),
        ({"points": 8}, None, 0, False),
    ],
)
def test_a_grader_decides_whether_a_group_is_accepted_and_its_points(
    group: dict[str, Any], grade: Grade | None, points: float, is_full: bool
) -> None:
    asked = []

    def ask(_group: TestGroup, results: Sequence[Grade]) -> Grade:
        asked.append([*results])
        assert grade is not None
        return grade

    groups = parse_groups([{**GRADED, **group}], 2)
    total = score_groups(groups, PARTS, grade=ask if grade else None)
    assert (total.points, total.is_full) == (points, is_full)
    if grade:
        (results,) = asked  # once
        assert [result.code for result in results] == ["AC", "TLE"]
        assert results[1].points == 0
    parent = {"name": "all", "aggregation": "sum", "accept": "all", "groups": [{**GRADED, **group}]}
    total = score_groups(parse_groups([parent], 2), PARTS, grade=ask if grade else None)
    assert total.points == points


def test_all_groups_must_be_accepted_where_the_best_is_not_known() -> None:
    groups = parse_groups(
        [{**GRADED, "name": "a", "tests": [0]}, {**GRADED, "name": "b", "tests": [1]}], 2
    )

    def grade(group: TestGroup, _results: Sequence[Grade]) -> Grade:
        return Grade("AC" if group.name in accepted else "WA", 3)

    for accepted in ("ab", "a", ""):
        assert score_groups(groups, [AC, AC], grade=grade).is_full is (accepted == "ab")


def test_a_tenth_is_a_tenth() -> None:
    group = {"name": "g", "tests": list(range(10)), "points": 1, "aggregation": "sum"}
    assert score([group], [AC] * 3 + [NO] * 7).points == 0.3
    assert score([group], [AC] * 10).is_full


# Any results of any groups.

points = st.one_of(st.none(), st.integers(0, 20).map(float))
outcomes = st.lists(
    st.one_of(st.just(NO), st.builds(CaseOutcome, st.just(True), points)), min_size=4, max_size=4
)


def make_group(name: str, tests: tuple[int, ...]) -> st.SearchStrategy[TestGroup]:
    return st.builds(
        TestGroup,
        st.just(name),
        tests=st.just(tests),
        points=st.integers(0, 20).map(float),
        aggregation=st.sampled_from(["min", "sum", "max", "avg"]),
        accept=st.sampled_from(["all", "any", "always"]),
        on_fail=st.sampled_from(["continue", "stop"]),
    )


@st.composite
def make_groups(draw: st.DrawFn) -> tuple[TestGroup, ...]:
    first, second = draw(make_group("a", (0, 1))), draw(make_group("b", (2, 3)))
    if draw(st.booleans()):
        parent = draw(make_group("p", ()))
        return (TestGroup("p", (), (first, second), None, *_list_modes(parent)),)
    if draw(st.booleans()):
        second = replace(second, requires=("a",))
    return first, second


def _list_modes(group: TestGroup) -> tuple[str, str, str]:
    return group.aggregation, group.accept, group.on_fail


@settings(max_examples=50)
@given(make_groups(), outcomes)
def test_points_lie_between_none_and_the_most(
    groups: tuple[TestGroup, ...], results: list[CaseOutcome]
) -> None:
    total = score_groups(groups, results)
    assert total.points is not None
    assert total.max_points is not None
    assert 0 <= total.points <= total.max_points + 1e-9
    assert [group.name for group in total.groups] == ["a", "b"]


@settings(max_examples=50)
@given(make_groups(), outcomes)
def test_tests_that_points_do_not_need_change_nothing(
    groups: tuple[TestGroup, ...], results: list[CaseOutcome]
) -> None:
    # A run in order that leaves out what is no longer needed gives the points of a full run.
    partial: list[CaseOutcome | None] = [None] * len(results)
    while needed := list_needed_tests(groups, partial):
        index = min(needed)
        partial[index] = results[index]
    run, full = score_groups(groups, partial), score_groups(groups, results)
    assert (run.points, run.max_points, run.is_full) == (full.points, full.max_points, full.is_full)
    assert [group.points for group in run.groups] == [group.points for group in full.groups]


@settings(max_examples=50)
@given(make_groups(), outcomes)
def test_a_group_short_of_its_points_names_the_tests_to_blame(
    groups: tuple[TestGroup, ...], results: list[CaseOutcome]
) -> None:
    for group in score_groups(groups, results).groups:
        if group.points == group.max_points:
            assert group.partial_tests == ()
        assert all(results[index].accepted for index in group.partial_tests)


@settings(max_examples=50)
@given(make_groups(), outcomes, st.integers(0, 3))
def test_a_test_more_passed_never_costs_points(
    groups: tuple[TestGroup, ...], results: list[CaseOutcome], index: int
) -> None:
    better = [*results[:index], AC, *results[index + 1 :]]
    if results[index].accepted:  # its checker may have given more
        return
    before, after = score_groups(groups, results), score_groups(groups, better)
    stops = any(group.on_fail == "stop" and group.aggregation in ("avg", "max", "min")
                for group in (*groups, *groups[0].groups))  # fmt: skip
    if not stops:  # the average of one test more may be lower
        assert before.points is not None
        assert after.points is not None
        assert after.points >= before.points - 1e-9
