"""Which function is called when several could be meant."""

from __future__ import annotations

import pytest

from microcoder_eval import Judge

PROBLEM = {
    "problem_id": "p",
    "kind": "call",
    "entry_point": "count",
    "tests": [{"input": [1, 2, 3, 4], "output": 10}],
}


@pytest.mark.parametrize(
    "code",
    [
        "from itertools import *\nclass Solution:\n    def count(self, a, b, c, d): return a+b+c+d",
        "from functools import *\n@lru_cache\ndef count(a, b, c, d): return a+b+c+d",
        "class Solution:\n    def count(self, *a): return 0\ndef count(a, b, c, d): return a+b+c+d",
        "count = lambda *a: sum(a)",
        "class Solution:\n    count = staticmethod(lambda *a: sum(a))",
        "class Solution:\n    def other(self, a, b, c, d): return a+b+c+d",
        "def only(a, b, c, d): return a+b+c+d",
    ],
)
def test_the_program_s_own_definition_is_called_never_an_imported_one(
    judge: Judge, code: str
) -> None:
    assert judge.judge({"code": code}, PROBLEM).passed


@pytest.mark.parametrize(
    ("code", "flags"),
    [
        ("def only(a, b, c, d): return a+b+c+d", ("other_entry_point",)),
        ("class Solution:\n    def other(self, *a): return sum(a)", ("other_entry_point",)),
        ("def only(*a): return 0", ("other_entry_point",)),
        ("def count(*a): return sum(a)\ndef other(): pass", ()),
        ("class Solution:\n    def count(self, *a): return sum(a)", ()),
    ],
)
@pytest.mark.parametrize("test_count", [1, 3])
def test_a_call_of_a_function_with_another_name_is_flagged(
    judge: Judge, code: str, flags: tuple[str, ...], test_count: int
) -> None:
    judgement = judge.judge({"code": code}, {**PROBLEM, "tests": PROBLEM["tests"] * test_count})
    assert judgement.flags == flags


@pytest.mark.parametrize("test", ["assert count(1, 2) == 3", "assert abs(count(1, 2) - 3) < 1"])
@pytest.mark.parametrize(
    ("code", "passed"),
    [("def count(a, b): return a + b", True), ("def add(a, b): return a + b", False)],
)
def test_assertions_call_the_function_that_they_name_and_no_other(
    judge: Judge, test: str, code: str, passed: bool
) -> None:
    problem = {"problem_id": "p", "entry_point": "count", "test_code": test}
    judgement = judge.judge({"code": code}, problem)
    assert (judgement.passed, judgement.status != "error") == (passed, True)
