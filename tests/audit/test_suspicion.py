"""When a problem is suspected of several right answers, and when it is not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from microcoder_eval import Judge, Problem
from microcoder_eval.formats import problem_from
from microcoder_eval.suspicion import (
    explain_suspicion,
    find_contradictions,
    group_equal_inputs,
)
from tests.files import read_table

STATEMENTS = read_table(__file__)
ONE = ({"input": "1\n", "output": "1\n"},)


def problem(statement: str | None = None, tests: Any = ONE, **more: Any) -> Problem:
    return problem_from(
        {"problem_id": "p", "statement": statement, "tests": list(tests), **more},
    )


@pytest.mark.parametrize("statement", STATEMENTS["several_answers"])
def test_words_that_allow_several_answers_raise_the_suspicion(statement: str) -> None:
    reason = explain_suspicion(problem(statement))
    assert reason is not None
    assert reason.startswith('the statement says "')


@pytest.mark.parametrize(
    "statement",
    [None, "", *STATEMENTS["one_answer"]],
)
def test_other_uses_of_the_same_words_do_not(statement: str | None) -> None:
    assert explain_suspicion(problem(statement)) is None


def test_the_reason_quotes_the_words_and_is_short() -> None:
    long = "Print any valid route " + "through the old town " * 20 + "."
    reason = explain_suspicion(problem(f"There are towns. {long} The end."))
    assert reason is not None
    assert "Print any valid route" in reason
    assert len(reason) < 120


@pytest.mark.parametrize(
    "checker",
    ["unordered_lines", "unordered_tokens", "uncmp", {"source": "def check(a, b, c): return True"}],
)
def test_a_checker_that_accepts_other_answers_settles_it(checker: Any) -> None:
    given = problem("Print them in any order.", checker=checker)
    assert explain_suspicion(given) is None


@pytest.mark.parametrize("checker", ["floats", "kattis", "tokens", "calibrated"])
def test_a_checker_that_knows_one_answer_only_does_not(checker: str) -> None:
    assert explain_suspicion(problem("Print any of them.", checker=checker)) is not None


def test_the_same_input_with_another_output_raises_the_suspicion() -> None:
    tests = [
        {"input": "5\n", "output": "2 3\n"},
        {"input": "6\n", "output": "3 3\n"},
        {"input": "5 \n", "output": "3 2\n"},
    ]
    given = problem(tests=tests)
    assert list(find_contradictions(given)) == [(0, 2)]
    assert explain_suspicion(given) == ("tests 1 and 3 have the same input and different outputs")


def test_outputs_that_the_judge_takes_for_equal_do_not_contradict() -> None:
    tests = [{"input": "5\n", "output": "0.50\n"}, {"input": "5\n", "output": "0.5"}]
    given = problem(tests=tests)
    assert group_equal_inputs(given) == [[0, 1]]
    assert list(find_contradictions(given)) == []


def test_calls_with_equal_arguments_are_compared_by_value() -> None:
    tests = [
        {"input": [[1, 2], 3], "output": [1]},
        {"input": [[1, 2], 3], "output": [2]},
        {"input": [[1, 2], 3.0], "output": [1]},
    ]
    given = problem(tests=tests, entry_point="f")
    assert group_equal_inputs(given) == [[0, 1]]
    assert list(find_contradictions(given)) == [(0, 1)]


@pytest.mark.parametrize(
    "pair",
    [({"a": 1, "b": 2}, {"b": 2, "a": 1}), ({8, 0}, {0, 8}), (["ab"] * 2, ["ab", "".join("ab")])],
    ids=["dictionaries", "sets", "one text twice"],
)
def test_equal_arguments_may_be_written_in_another_order(pair: tuple[Any, Any]) -> None:
    tests = [{"input": [value], "output": index} for index, value in enumerate(pair)]
    assert group_equal_inputs(problem(tests=tests, entry_point="f")) == [[0, 1]]


def test_judgements_of_such_a_problem_carry_the_flag() -> None:
    problem_row = {"problem_id": "p", "statement": "Print any of them.", "tests": list(ONE)}
    plain = {"problem_id": "q", "tests": list(ONE)}
    with Judge(workers=1) as judge:
        right = judge.judge({"code": "print(1)"}, problem_row)
        wrong = judge.judge({"code": "print(2)"}, problem_row)
        other = judge.judge({"code": "print(1)"}, plain)
    assert (right.verdict, right.flags) == ("AC", ("multiple_answers_suspected",))
    assert (wrong.verdict, wrong.flags) == ("WA", ("multiple_answers_suspected",))
    assert other.flags == ()


def test_the_reason_is_found_once_for_each_problem() -> None:
    given = problem("Print any of them.")
    assert given.multiple_answers_suspected is given.multiple_answers_suspected
    assert json.dumps(given.multiple_answers_suspected).startswith('"the statement')
