"""A judgement in a program, in a notebook, in a file, and as a message to a model."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from microcoder_eval import Judge, Judgement, Problem, TestResult
from microcoder_eval.formats import problem_from
from microcoder_eval.results.lines import judgement_from_line, judgement_to_line

TESTS = [{"input": f"{n}\n", "output": f"{n * n}\n"} for n in (3, 4, 5, 6)]
HALF = "n = int(input())\nprint(n * n if n < 5 else 0)"
SECRET = "4711471147114711"


@pytest.fixture
def half_right(pool: Judge) -> Judgement:
    """A program that passes two of four tests, which were all run."""
    return pool.judge(HALF, TESTS)


@pytest.fixture
def stopped_early(early_pool: Judge) -> Judgement:
    """The same, stopped at the first failure."""
    return early_pool.judge(HALF, TESTS)


def test_truth_is_refused_with_a_hint(half_right: Judgement) -> None:
    with pytest.raises(TypeError, match=r"\.passed .* or \.reward"):
        bool(half_right)


@pytest.mark.parametrize(("name", "hint"), [("correct", '; did you mean "passed"?'), ("x", "")])
def test_another_name_leads_to_the_attribute(half_right: Judgement, name: str, hint: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(half_right, name)
    assert str(caught.value) == f'a Judgement has no attribute "{name}"{hint}'


def test_a_test_that_was_not_run_has_a_result_without_a_verdict(stopped_early: Judgement) -> None:
    assert [test.verdict for test in stopped_early.tests] == ["AC", "AC", "WA", None]
    assert [test.detail is None for test in stopped_early.tests] == [True, True, False, True]
    assert len(stopped_early.tests_run) == 3
    assert stopped_early.tests[3] == TestResult(None)
    assert [test.failed for test in stopped_early.tests] == [False, False, True, False]


def test_files_hold_null_for_it(stopped_early: Judgement) -> None:
    line = json.loads(stopped_early.to_json())
    assert line["tests"][3] is None
    assert line == stopped_early.to_dict()
    assert judgement_from_line(judgement_to_line(stopped_early)) == stopped_early


def test_score_is_a_share_only_where_all_tests_were_run(
    half_right: Judgement, stopped_early: Judgement, early_pool: Judge
) -> None:
    assert half_right.score == 0.5
    assert stopped_early.score is None
    assert (half_right.reward, stopped_early.reward) == (0.0, 0.0)
    last_fails = "n = int(input())\nprint(n * n if n < 6 else 0)"
    assert early_pool.judge(last_fails, TESTS).score == 0.75  # all were run
    assert early_pool.judge({"code": "print(1"}, TESTS).score == 0.0
    assert early_pool.judge("n = int(input())\nprint(n * n)", TESTS).score == 1.0


@pytest.mark.parametrize(
    ("text", "line"),
    [("print(1", 1), ("a = 1\nfor i in x\n  pass", 2), ("x = 1\n\nreturn x", 3), ("def f(:", 1)],
)
def test_a_text_that_does_not_compile_says_where(pool: Judge, text: str, line: int) -> None:
    judgement = pool.judge(text, TESTS)
    assert (judgement.verdict, judgement.status, judgement.reward) == ("CE", "incomplete", 0.0)
    assert judgement.error is not None
    assert judgement.error.startswith("SyntaxError: ")
    assert f"(line {line})" in judgement.error


@pytest.mark.parametrize(
    "answer", ["```python\nprint(1", "<think>hm", "```c\nint x;\n```", {"response": "print(1"}]
)
def test_an_answer_without_a_program_is_unfinished(pool: Judge, answer: Any) -> None:
    judgement = pool.judge(answer, TESTS)
    assert (judgement.error, judgement.status) == ("no finished program", "incomplete")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (HALF, ["WA", "score=0.5", "test 3", 'got "0", expected "25"']),
        ("raise ValueError('x' * 999)", ["RE", "test 1", "ValueError: xxx"]),
        ("print(1", ["CE", "SyntaxError"]),
        ("print(int(input())**2)", ["AC", "score=1"]),
    ],
)
def test_repr_says_what_failed_first_in_200_characters(
    pool: Judge, code: str, words: list[str]
) -> None:
    text = repr(pool.judge(code, TESTS))
    assert len(text) <= 200
    assert "\n" not in text
    for word in words:
        assert word in text


def test_feedback_has_the_first_failure_and_the_difference(half_right: Judgement) -> None:
    text = half_right.feedback()
    assert text.startswith("Test 3 of 4 failed. The output is wrong: ")
    assert 'got "0", expected "25"' in text


def test_feedback_can_have_the_input(half_right: Judgement) -> None:
    problem = problem_from({"problem_id": "p", "tests": TESTS})
    assert half_right.feedback(problem=problem).endswith("Input of that test:\n5\n")


@pytest.mark.parametrize("chars", [0, 1, 20, 60])
def test_feedback_is_no_longer_than_asked(half_right: Judgement, chars: int) -> None:
    assert len(half_right.feedback(chars)) <= chars


PRINTS = ("5", "", "4711471147114710", f"{SECRET[:6]}\\n{SECRET[:6]}", " 1 2 3")
# They look like what a detail says: each comparer says it in its own words.
LIKE_DETAILS = ("a, expected b", "got x, expected y")
COMPARERS = ("calibrated", "exact", "lines", "unordered_tokens", "fcmp")


@pytest.mark.parametrize(
    ("text", "compare"), [*product(LIKE_DETAILS, COMPARERS), *product(PRINTS, COMPARERS[:1])]
)
def test_feedback_hides_the_expected_output(text: str, compare: str, pool: Judge) -> None:
    code = f"print('{text}')"
    comparing = pool.with_changes(compare=compare, stop="never")
    for expected in (SECRET, f"1\n{SECRET}\n", f"x, expected {SECRET}", f"  {SECRET}  z"):
        judgement = comparing.judge({"code": code}, [{"input": "", "output": expected}])
        assert judgement.verdict == "WA"
        assert "47114711" not in judgement.feedback(hide_expected=True).replace(
            "4711471147114710", ""
        )
        assert judgement.feedback(hide_expected=True).startswith("Test 1 of 1 failed.")


@pytest.mark.parametrize(
    "tests",
    [
        f"for x in [1, 2]:\n    assert f(x) == {SECRET!r}",
        f"assert sorted(f(1)) == {SECRET!r} or f(2)",
        f"try:\n    f(1)\nexcept ZeroDivisionError:\n    raise ValueError('not {SECRET}')",
        "import unittest\nclass T(unittest.TestCase):\n    def test_f(self):\n"
        f"        self.assertEqual(f(1), {SECRET!r})",
    ],
)
@pytest.mark.parametrize("body", ["return 1 / 0", "return [0] * 10**10"])
def test_feedback_hides_test_code_that_the_program_ended(
    tests: str, body: str, pool: Judge
) -> None:
    test_code = f"from solution import f\n{tests}"
    problem = {"kind": "assert", "entry_point": "f", "test_code": test_code}
    judgement = pool.judge({"code": f"def f(x): {body}"}, problem)
    assert judgement.verdict in ("RE", "MLE")
    assert SECRET not in judgement.feedback(hide_expected=True)


def test_feedback_hides_the_expected_value_of_a_call(pool: Judge) -> None:
    tests = [{"input": [1], "output": [SECRET]}]
    problem: Problem = problem_from({"problem_id": "p", "entry_point": "f", "tests": tests})
    judgement = pool.judge("def f(n):\n    return ['x']\n", problem)
    assert SECRET in judgement.feedback()
    feedback = judgement.feedback(hide_expected=True, problem=problem)
    assert SECRET not in feedback
    assert "got ['x']" in feedback
    assert feedback.endswith("Input of that test:\n[1]")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise KeyError(3)", "The program failed at run time: KeyError: 3"),
        ("print(1", "The answer holds no program that runs: SyntaxError"),
        ("x = [0] * 10**9", "memory limit"),
        ("print(int(input())**2)", "All tests passed."),
    ],
)
def test_feedback_says_what_else_went_wrong(pool: Judge, code: str, words: str) -> None:
    assert words in pool.judge(code, TESTS).feedback()
