"""What "groups" of a problem may hold, and the message where they may not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from microcoder_eval.errors import DataError
from microcoder_eval.formats import problem_from
from microcoder_eval.formats.writing import encode_problem
from microcoder_eval.points import TestGroup, encode_groups, parse_groups

TESTS = [{"input": "1", "output": "1"}, {"input": "2", "output": "2"}]


def make_row(**fields: Any) -> dict[str, Any]:
    return {"problem_id": "p", "kind": "stdin", "tests": TESTS, **fields}


def test_groups_are_read_with_the_defaults_of_their_aggregation() -> None:
    least, total = parse_groups(
        [
            {"name": "a", "tests": [0], "points": 30},
            {"name": "b", "tests": [1], "points": 70, "aggregation": "sum", "requires": ["a"]},
        ],
        2,
    )
    assert least == TestGroup("a", (0,), points=30.0, aggregation="min", accept="all")
    assert total == TestGroup(
        "b", (1,), points=70.0, aggregation="sum", accept="any", requires=("a",)
    )


def test_a_passed_test_is_worth_an_equal_share_of_a_sum_and_all_points_otherwise() -> None:
    assert TestGroup("a", (0, 1, 2, 3), points=30, aggregation="sum").passing_points == 7.5
    assert TestGroup("a", (0, 1, 2, 3), points=30, aggregation="avg").passing_points == 30
    assert TestGroup("a", (0, 1), points=30, test_points=2).passing_points == 2


def test_what_is_written_reads_as_equal_groups() -> None:
    groups = parse_groups(
        [
            {
                "name": "all",
                "on_fail": "stop",
                "aggregation": "max",
                "groups": [
                    {"name": "x", "tests": [1], "points": 2, "fail_points": -1},
                    {"name": "y", "tests": [0], "test_points": 3, "accept": "always"},
                ],
            }
        ],
        2,
    )
    assert parse_groups(encode_groups(groups), 2) == groups
    problem = problem_from(make_row(groups=encode_groups(groups), objective="min"))
    assert problem_from(json.loads(encode_problem(problem))) == problem


def test_groups_are_hashed_only_where_a_problem_has_them() -> None:
    plain, grouped, other = (
        problem_from(make_row(**fields)).tests_sha256
        for fields in (
            {},
            {"groups": [{"name": "a", "tests": [0, 1], "points": 1}]},
            {"groups": [{"name": "a", "tests": [0, 1], "points": 2}]},
        )
    )
    # As it was before problems had groups.
    assert plain == problem_from(make_row(groups=None)).tests_sha256
    assert len({plain, grouped, other}) == 3


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ("a", '"groups" must be a list'),
        ([], '"groups" must be a list'),
        ([3], "must be an object"),
        ([{"tests": [0, 1]}], 'needs a "name"'),
        ([{"name": "a"}], 'group "a" needs either "tests" or "groups"'),
        ([{"name": "a", "tests": [0], "groups": []}], "needs either"),
        ([{"name": "a", "tests": []}], "not empty"),
        ([{"name": "a", "tests": [True, 1]}], "indices from 0"),
        ([{"name": "a", "tests": [-1]}], "indices from 0"),
        ([{"name": "a", "tests": [0, 1, 2]}], "there is no test 2"),
        ([{"name": "a", "tests": [0]}], "test 1 .from 0. is in no group"),
        ([{"name": "a", "tests": [0, 1]}, {"name": "b", "tests": [1]}], 'is in group "a", too'),
        ([{"name": "a", "tests": [0]}, {"name": "a", "tests": [1]}], "two groups are named"),
        ([{"name": "a", "tests": [0, 1], "weight": 3}], 'there is no key "weight"'),
        ([{"name": "a", "tests": [0, 1], "points": "3"}], '"points" must be a number'),
        ([{"name": "a", "tests": [0, 1], "points": float("nan")}], '"points" must be a number'),
        ([{"name": "a", "tests": [0, 1], "points": 10**400}], '"points" must be a number'),
        ([{"name": "a", "tests": [0, 1], "aggregation": "median"}], "min, sum, max, avg"),
        ([{"name": "a", "tests": [0, 1], "accept": "some"}], "all, any, always"),
        ([{"name": "a", "tests": [0, 1], "on_fail": "break"}], "continue, stop"),
        ([{"name": "a", "tests": [0, 1], "requires": ["b"]}], "which is no other group"),
        ([{"name": "a", "tests": [0, 1], "requires": ["a"]}], "which is no other group"),
    ],
)
def test_a_fault_is_named(groups: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        problem_from(make_row(groups=groups))


def test_points_need_tests_that_are_known_beforehand() -> None:
    row = {"problem_id": "p", "test_code": "assert f() == 1", "groups": [{"name": "a"}]}
    with pytest.raises(DataError, match="only stdin and call problems"):
        problem_from(row)
    with pytest.raises(DataError, match='"objective" needs "groups"'):
        problem_from(make_row(objective="min"))


def test_groups_nested_without_end_are_refused() -> None:
    group: dict[str, Any] = {"name": "0", "tests": [0, 1]}
    for number in range(1, 50):
        group = {"name": str(number), "groups": [group]}
    with pytest.raises(DataError, match="nested more than"):
        problem_from(make_row(groups=[group]))
