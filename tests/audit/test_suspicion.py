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

ONE = ({"input": "1\n", "output": "1\n"},)


def problem(statement: str | None = None, tests: Any = ONE, **more: Any) -> Problem:
    return problem_from(
        {"problem_id": "p", "statement": statement, "tests": list(tests), **more},
    )


@pytest.mark.parametrize(
    "statement",
    [
        "Build a fence. If there are multiple answers, print any of them.",
        "If there are several possible solutions, you may print any.",
        "If more than one valid sequence exists, output any of those.",
        "Find the roads. If there are many ways to do it, output any one of them.",
        "Print any.",
        "You can output any valid arrangement of the lamps.",
        "Return any possible route.",
        "Return any answer that keeps the lamps apart.",
        "Find any such set of numbers and print its size and its members.",
        "Should there be two solutions, either is fine. Any of them will be accepted.",
        "Any correct answer is accepted.",
        "All valid answers will be accepted.",
        "Print the numbers in any order.",
        "You may return the answer in any order.",
        "Return all pairs of twins, in any order.",
        "The results may come in arbitrary order.",
        "Output the names, one a line, in any order you like.",
        "The order in which you print the pairs does not matter.",
        "The order of the output does not matter.",
        "Note that 2 1 is also a correct answer.",
        "One possible answer is shown below.",
        "Other outputs may be accepted.",
        "The solution is not necessarily unique.",
        "Print the\npath. If there\nare multiple\nanswers, print\nany of them.",
        "Output an arbitrary one.",
        "PRINT ANY OF THEM.",
        "If multiple routes exist, print <i>any</i> of them.</p>",
        "If several orders are possible, print **any** of them.",
        "Do not print any of them twice, but print any of them once.",
    ],
)
def test_words_that_allow_several_answers_raise_the_suspicion(statement: str) -> None:
    reason = explain_suspicion(problem(statement))
    assert reason is not None
    assert reason.startswith('the statement says "')


@pytest.mark.parametrize(
    "statement",
    [
        None,
        "",
        "Print the sum of the numbers.",
        "The edges are given in any order.",
        "The input contains the n names in any order. Print the first in the alphabet.",
        "Each line of the input holds two cities, in any order.",
        "Return the least number of moves when you may apply the operations in any order.",
        "You may perform the moves in any order. Print the largest sum.",
        "Print the number of ways in which the guests, taken in any order, can sit.",
        "Rearrange the digits in any order and print the largest number.",
        "If there are multiple answers, print the smallest of them.",
        "If there are several shortest words, return the first.",
        "Do not print any extra text.",
        "You shouldn't print any of them.",
        "The program must not output any other answer.",
        "Print the name, without printing any of the titles.",
        "Print the index of the word, if any.",
        "Choose any of the piles and take stones from it. Print who wins.",
        "You can move to any of the neighbouring cells. Return the shortest path's length.",
        "If there isn't any, print -1.",
        "Print -1 if any of the lamps is broken.",
        "For any valid input the answer is below 100.",
        "Any two cities are connected. Print the number of roads.",
        "It is guaranteed that the answer is unique.",
        "Count the pairs; the order of the two members of a pair does not matter.",
        "There are several paths between any two towns. Print the length of the shortest.",
        "There may be multiple spaces between any two words.",
    ],
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


def test_judgements_of_such_a_problem_carry_the_flag() -> None:
    asked = {"problem_id": "p", "statement": "Print any of them.", "tests": list(ONE)}
    plain = {"problem_id": "q", "tests": list(ONE)}
    with Judge(workers=1) as judge:
        right = judge.judge({"code": "print(1)"}, asked)
        wrong = judge.judge({"code": "print(2)"}, asked)
        other = judge.judge({"code": "print(1)"}, plain)
    assert (right.verdict, right.flags) == ("AC", ("multiple_answers_suspected",))
    assert (wrong.verdict, wrong.flags) == ("WA", ("multiple_answers_suspected",))
    assert other.flags == ()


def test_the_reason_is_found_once_for_each_problem() -> None:
    given = problem("Print any of them.")
    assert given.multiple_answers_suspected is given.multiple_answers_suspected
    assert json.dumps(given.multiple_answers_suspected).startswith('"the statement')
