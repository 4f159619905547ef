"""Whatever form the columns of a row hold the tests in, they are the same tests."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from microcoder_eval import DataError, Kind
from microcoder_eval.formats.lines import PROBLEM_KEYS
from microcoder_eval.integrations.rows import COLUMNS, TESTS, get_problem, has_tests

INPUTS, OUTPUTS = ["1\n", "2\n"], ["2\n", "4\n"]
PAIRS = [{"input": i, "output": o} for i, o in zip(INPUTS, OUTPUTS, strict=True)]
LISTS = {"inputs": INPUTS, "outputs": OUTPUTS}


@pytest.mark.parametrize(
    "tests",
    [
        PAIRS,
        json.dumps(PAIRS),
        LISTS,
        json.dumps(LISTS),
        {**LISTS, "fn_name": None},
        {"input": INPUTS, "output": OUTPUTS},
        {"inputs": np.array(INPUTS, dtype=object), "outputs": np.array(OUTPUTS, dtype=object)},
        np.array(PAIRS, dtype=object),
        [{**pair, "type": "stdin_stdout"} for pair in PAIRS],
        [{**pair, "testtype": "stdin", "fn_name": None} for pair in PAIRS],
        json.dumps({"kind": "stdin", "tests": PAIRS}),
    ],
)
def test_stdin_tests_are_read_in_every_form(tests: Any) -> None:
    problem = get_problem({"tests": tests})
    assert problem.kind is Kind.STDIN
    assert [(test.input, test.output) for test in problem.tests] == list(
        zip(INPUTS, OUTPUTS, strict=True)
    )


@pytest.mark.parametrize(
    "row",
    [
        {"tests": [{"input": [1, 2], "output": 3}], "entry_point": "add"},
        {"tests": '[{"input": [1, 2], "output": 3}]', "entry_point": "add", "kind": "call"},
        {"tests": {"inputs": ["1\n2"], "outputs": ["3"], "fn_name": "add"}},
        {"tests": {"inputs": [[1, 2]], "outputs": [3]}, "entry_point": "add"},
        {"tests": [{"input": "1\n2", "output": "3", "testtype": "functional", "fn_name": "add"}]},
    ],
)
def test_calls_are_read_in_every_form(row: dict[str, Any]) -> None:
    problem = get_problem(row)
    assert (problem.kind, problem.entry_point) == (Kind.CALL, "add")
    assert [(test.input, test.output) for test in problem.tests] == [([1, 2], 3)]


def test_a_row_that_says_that_its_tests_are_texts_calls_nothing() -> None:
    problem = get_problem({"tests": LISTS, "entry_point": "main", "kind": "stdin"})
    assert (problem.kind, problem.tests[0].input) == (Kind.STDIN, INPUTS[0])


def test_tests_may_be_test_code() -> None:
    problem = get_problem({"tests": "def test_add():\n    assert add(1, 2) == 3\n"})
    assert problem.kind is Kind.ASSERT


def test_an_expected_none_stays_where_absent_values_go() -> None:
    row = {
        "tests": [{"input": [1], "output": None}],
        "entry_point": "f",
        "limits": {"time_s": 2.0, "memory_mb": None},
        "checker": None,
    }
    problem = get_problem(row)
    assert problem.tests[0].output is None
    assert (problem.limits.time_s, problem.limits.memory_mb) == (2.0, None)


def test_assertions_are_read_as_a_column_and_as_a_ground_truth() -> None:
    code = "assert double(2) == 4"
    for row in ({"test_code": code}, {"tests": {"assert_case": [code]}}):
        assert get_problem(row).kind is Kind.ASSERT


def test_a_row_of_a_known_format_needs_no_column_of_ours() -> None:
    row = {"question": "Double it.", "input_output": json.dumps(LISTS), "solutions": ""}
    assert has_tests(row)
    assert len(get_problem(row).tests) == 2


def test_the_columns_of_others_are_left_alone() -> None:
    row = {"tests": PAIRS, "image": object(), "question": "q", "answer": lambda: None}
    assert len(get_problem(row).tests) == 2
    assert get_problem({"tests": PAIRS, "problem_id": 17}).problem_id == "17"


def test_the_same_row_is_read_once() -> None:
    text = json.dumps(PAIRS)
    assert get_problem({"tests": text}) is get_problem({"tests": text, "prompt": "another"})
    assert get_problem({"tests": text}) is not get_problem(
        {"tests": text, "limits": {"time_s": 1.0}}
    )


@pytest.mark.parametrize(
    "tests", ["not JSON", "[]", 7, [{"input": "1"}], {"inputs": ["1"], "outputs": []}, {}]
)
def test_tests_that_cannot_be_read_are_an_error_of_the_data(tests: Any) -> None:
    assert has_tests({"tests": tests})
    with pytest.raises(DataError):
        get_problem({"tests": tests})


def test_a_row_without_tests_says_so() -> None:
    assert not has_tests({"tests": None, "answer": "42"})


def test_every_field_that_can_change_a_verdict_is_read_from_its_column() -> None:
    told_only = {"statement", "platform", "difficulty", "date", "solutions"}
    assert {TESTS, *COLUMNS} == PROBLEM_KEYS.keys() - told_only


def test_files_that_every_program_is_built_with_come_along() -> None:
    includes = {"python": {"helper.py": "def answer():\n    return 3\n"}}
    row = {"tests": [{"input": "", "output": "3"}], "includes": {**includes, "cpp": None}}
    assert get_problem(row).includes == includes
