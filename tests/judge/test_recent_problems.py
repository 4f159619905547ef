"""Plain dicts and lists of tests are kept from their second reading; an edit of them is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from microcoder_eval import Problem, judge
from microcoder_eval.arguments import read_problem
from microcoder_eval.formats import problem_from
from microcoder_eval.recent_problems import RecentProblems, recent_problems

TEXTS = [{"input": f"{n}\n", "output": f"{n + 1}\n"} for n in range(9)]
CALLS = [{"input": [{"a": 1, "b": [1.0, 0.0]}], "output": 2}]


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("tests", "keywords"),
    [
        (TEXTS, {}),
        (tuple(TEXTS), {}),
        ({"tests": TEXTS, "limits": {"time_s": 2.0}}, {}),
        ({"inputs": ["1\n", "2\n"], "outputs": ["1", "2"]}, {}),
        (CALLS, {"entry_point": "f"}),
        ({"test_code": "assert f(1) == 2", "entry_point": "f"}, {}),
    ],
)
def test_equal_tests_are_one_problem(tests: Any, keywords: dict[str, str]) -> None:
    recent_problems.clear()
    first = read_problem(tests, **keywords)
    problem = read_problem(tests, **keywords)
    assert problem is not first
    assert problem == first
    assert read_problem(tests, **keywords) is problem
    assert read_problem(_copy(tests), **keywords) is problem
    if "entry_point" in keywords:
        assert read_problem(tests, entry_point="g") is not problem


def _swap(items: dict[str, Any]) -> None:
    items["a"] = items.pop("a")


@pytest.mark.parametrize(
    ("tests", "edit"),
    [
        (TEXTS, lambda tests: tests[4].update(output="7")),
        (TEXTS, lambda tests: tests[5].update(input="7")),
        (TEXTS, lambda tests: tests.append({"input": "", "output": ""})),
        (CALLS, lambda tests: tests[0].update(output=2.0)),
        (CALLS, lambda tests: tests[0]["input"][0].update(a=True)),
        (CALLS, lambda tests: tests[0]["input"][0]["b"].__setitem__(1, -0.0)),
        (CALLS, lambda tests: _swap(tests[0]["input"][0])),
    ],
)
def test_a_test_that_is_edited_in_place_is_seen(tests: Any, edit: Callable[[Any], None]) -> None:
    tests = _copy(tests)
    entry_point = "f" if tests[0].keys() and isinstance(tests[0]["input"], list) else None
    for _ in range(2):
        before = read_problem(tests, entry_point=entry_point)
    before_sha256 = before.tests_sha256
    edit(tests)
    after = read_problem(tests, entry_point=entry_point)
    recent_problems.clear()
    fresh = read_problem(_copy(tests), entry_point=entry_point)
    assert repr(after.tests) == repr(fresh.tests) != repr(before.tests)
    assert after.tests_sha256 == fresh.tests_sha256
    assert before.tests_sha256 == before_sha256


def test_an_edited_test_does_not_change_the_problem_of_equal_ones() -> None:
    tests, others = _copy(CALLS), _copy(CALLS)
    for _ in range(2):
        read_problem(tests, entry_point="f")
    tests[0]["input"][0]["a"] = 5
    assert read_problem(others, entry_point="f").tests[0].input == CALLS[0]["input"]


def test_the_verdict_follows_the_edit() -> None:
    tests = [{"input": "1\n", "output": "2\n"}]
    program = {"code": "print(int(input()) + 1)"}
    assert judge(program, tests).passed
    tests[0]["output"] = "3\n"
    assert not judge(program, tests).passed


def test_what_cannot_be_serialised_is_read_each_time() -> None:
    parsed = []

    def parse(tests: Any) -> Problem:
        parsed.append(tests)
        return read_problem(TEXTS)

    tests = {"tests": TEXTS, "meta": lambda: 1}
    recent = RecentProblems()
    for _ in range(2):
        recent.parse_or_reuse(tests, (), parse)
    assert parsed == [tests, tests]


def test_problems_are_kept_within_their_bytes() -> None:
    count = 0

    def parse(tests: Any) -> Problem:
        nonlocal count
        count += 1
        return problem_from({"problem_id": "p", "tests": list(tests)})

    recent = RecentProblems(max_bytes=450_000)
    lists = [[{"input": str(n) * 100_000, "output": ""}] for n in range(3)]
    for tests in (*lists, *lists, lists[2], lists[1], lists[0]):
        recent.parse_or_reuse(tests, (), parse)
    assert count == 7  # two fit
    huge = [{"input": "x" * 300_000, "output": ""}]
    for _ in range(3):
        recent.parse_or_reuse(huge, (), parse)
    assert count == 10
    recent.parse_or_reuse(lists[1], (), parse)
    assert count == 10  # what is too large for all displaces nothing
