"""Call problems for programs in other languages: what a right program may look like, and what a
dishonest one gains."""

from __future__ import annotations

import json
from typing import Any

import pytest

from microcoder_eval import Judge, Judgement
from microcoder_eval.worker.drivers.go_imports import PACKAGES
from tests.files import read_table
from tests.judges import require_toolchain

ADD = [{"input": [2, 3], "output": 5}, {"input": [-4, 1], "output": -3}]
RIGHT = read_table(__file__)
WRONG, TURNING, OWN_CLASSES = (RIGHT.pop(name) for name in ("wrong", "turning", "own_classes"))


def judge_call(
    judge: Judge, language: str, code: str, entry: str, tests: Any, starter: str | None = None
) -> Judgement:
    require_toolchain(language)
    problem = {"problem_id": "p", "kind": "call", "entry_point": entry, "tests": tests,
               "starter_code": starter}  # fmt: skip
    return judge.judge({"code": code, "language": language}, problem)


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_right_programs_are_accepted(judge: Judge, name: str) -> None:
    row = RIGHT[name]
    tests = json.loads(row["tests"]) if "tests" in row else ADD
    starter = row.get("starter_code")
    judgement = judge_call(judge, row["language"], row["code"], row["entry_point"], tests, starter)
    assert judgement.verdict == "AC", (judgement.error, judgement.tests)
    assert judgement.flags == ()


@pytest.mark.slow
def test_each_package_of_go_is_imported_where_it_is_used(judge: Judge) -> None:
    later = ("cmp", "maps", "slices")  # Go 1.21
    uses = (f"_ = {path.rpartition('/')[2]}.{name}" for path, name in PACKAGES.items()
            if path not in later)  # fmt: skip
    code = f"func add(a int, b int) int {{ {'; '.join(uses)}; return a + b }}"
    assert judge_call(judge, "go", code, "add", ADD).verdict == "AC"


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_wrong_programs_are_not(judge: Judge, name: str) -> None:
    language, code, verdict = WRONG[name]
    assert judge_call(judge, language, code, "add", ADD).verdict == verdict


@pytest.mark.slow
@pytest.mark.parametrize(
    "starter",
    ["/** @param {number[]} a\n * @return {void} */\nvar turn = function(a) {};",
     "def turn(a: List[int]) -> None:\n    "],
    ids=["JavaScript", "Python"],
)  # fmt: skip
@pytest.mark.parametrize(
    ("body", "verdict"),
    [("a.reverse()", "AC"), ("return a.reverse().length", "AC"), ("return [2, 1]", "WA")],
)
def test_what_a_function_that_works_in_place_returns_is_ignored(
    judge: Judge, starter: str, body: str, verdict: str
) -> None:
    code, tests = f"var turn = function(a) {{ {body}; }};", [{"input": [[1, 2]], "output": [2, 1]}]
    assert judge_call(judge, "javascript", code, "turn", tests, starter).verdict == verdict


STARTERS = [
    ("cpp", "void turn(vector<int>& a) {}"),
    ("java", "class Solution { public void turn(int[] a) {} }"),
    *((language, "def turn(a: List[int]) -> None:\n    ") for language in TURNING),
]


@pytest.mark.slow
@pytest.mark.parametrize(("language", "starter"), STARTERS)
def test_a_program_cannot_declare_a_result_where_the_problem_has_none(
    judge: Judge, language: str, starter: str
) -> None:
    program, right, wrong = TURNING[language]
    tests = [{"input": [[1, 2]], "output": [2, 1]}]
    for body, verdict in ((right, "AC"), (wrong, "WA")):
        judgement = judge_call(judge, language, program.format(body), "turn", tests, starter)
        assert judgement.verdict == verdict, (body, judgement.tests)


def test_a_language_without_a_driver_is_no_fault_of_the_program(judge: Judge) -> None:
    judgement = judge_call(judge, "c", "int add(int a, int b) { return a + b; }", "add", ADD)
    assert (judgement.verdict, judgement.error) == ("JE", "call problems take no programs in c")


@pytest.mark.slow
@pytest.mark.parametrize("language", OWN_CLASSES)
def test_an_object_of_the_programs_own_class_is_no_value_and_the_verdict_says_so(
    judge: Judge, language: str
) -> None:
    code, verdict = OWN_CLASSES[language]
    judgement = judge_call(judge, language, code, "add", ADD)
    assert judgement.verdict == verdict
    assert "has no plain form" in (judgement.tests[0].detail or "")
