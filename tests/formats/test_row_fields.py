"""What inputs, outputs and limits mean in the sets that descend from APPS, case by case."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.errors import DataError
from microcoder_eval.formats import problem_from
from microcoder_eval.formats.datasets.units import read_limits
from microcoder_eval.records import Test

METHOD = "class Solution:\n    def f(self, n: int) -> {}:\n        "


def read(inputs: list[Any], outputs: list[Any], starter: str = "", name: str = "f") -> list[Test]:
    row_tests = {"fn_name": name, "inputs": inputs, "outputs": outputs}
    row = {"id": 1, "question": "q", "starter_code": starter, "input_output": json.dumps(row_tests)}
    return list(problem_from(row).tests)


@pytest.mark.parametrize(
    ("outputs", "result", "expected"),
    [
        ([[1], [2]], None, [1, 2]),
        ([1, 2], None, [1, 2]),
        ([[1], [2, 3]], None, [[1], [2, 3]]),
        ([[1], []], None, [[1], []]),
        ([[1], [2]], "int", [1, 2]),
        ([[1], [2]], "List[int]", [[1], [2]]),
        ([[[1]], [[2]]], "List[int]", [[1], [2]]),
        ([[[]], [[2]]], "list[int]", [[], [2]]),
        ([[[1]], [[2]]], "List[List[int]]", [[[1]], [[2]]]),
        ([[1], [2]], "Optional[List[int]]", [[1], [2]]),
        ([["a"], ["b"]], "str", ["a", "b"]),
        ([[1], [2]], "list", [[1], [2]]),
    ],
)
def test_a_result_in_a_list_of_one_is_taken_out_where_it_is_no_such_list(
    outputs: list[Any], result: str | None, expected: list[Any]
) -> None:
    starter = METHOD.format(result) if result else ""
    assert [test.output for test in read([[1], [2]], outputs, starter)] == expected


def test_text_is_one_json_value_a_line() -> None:
    tests = read(['[1, 2]\n"x"\n', "[3]"], ["[true, null]", "3"])
    assert tests == [Test([[1, 2], "x"], [True, None]), Test([[3]], 3)]


def test_a_list_holds_the_arguments_as_they_are() -> None:
    assert read([["1", [2]]], ["3"]) == [Test(["1", [2]], "3")]


def test_keys_that_json_made_texts_are_integers_again() -> None:
    given, kept = {"1": "a", "-2": "b"}, {"1": 1, "x": 2}
    tests = read([[given, given], [kept, kept]], [given, kept])
    assert tests[0] == Test([{1: "a", -2: "b"}, given], {1: "a", -2: "b"})
    assert tests[1] == Test([kept, kept], kept)


def test_data_that_looks_like_a_tag_of_ours_stays_data() -> None:
    assert read([[{"$tuple": [1]}]], [{"$set": [1]}]) == [Test([{"$tuple": [1]}], {"$set": [1]})]


@pytest.mark.parametrize(
    ("name", "starter", "entry_point"),
    [
        ("f", "", "f"),
        ("f", "def f(n):\n", "f"),
        ("f", METHOD.format("int"), "Solution.f"),
        ("Solution.f", METHOD.format("int"), "Solution.f"),
        ("f", "# class Solution\ndef f(n):\n", "f"),
    ],
)
def test_a_method_is_called_on_its_class(name: str, starter: str, entry_point: str) -> None:
    row_tests = {"fn_name": name, "inputs": [[1]], "outputs": [1]}
    row = {"id": 1, "question": "q", "starter_code": starter, "input_output": row_tests}
    assert problem_from(row).entry_point == entry_point


@pytest.mark.parametrize(
    ("tests", "reason"),
    [
        ('{"inputs": ["1"], "outputs": []}', '"tests" has 1 inputs and 0 outputs'),
        ('{"inputs": "1", "outputs": ["1"]}', 'in "inputs" and "outputs", not the string "1"'),
        ("[]", "there is no test"),
        ("3", '"tests" must hold an object, not the number 3'),
        ('[{"input": "1"}]', 'test 1 has no "output" (keys found: input)'),
        ("[3]", '"tests": test 1 is the number 3, not an object'),
        ('[{"type": "function_call", "input": [1], "output": 1}]', 'neither "fn_name"'),
        ('[{"input": [1], "output": 1, "fn_name": "f"},'
         ' {"input": [1], "output": 1, "fn_name": "g"}]', "several functions: f, g"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_list_of_cases(tests: str, reason: str) -> None:
    with pytest.raises(DataError) as caught:
        problem_from({"problem": "p", "tests": tests})
    assert reason in str(caught.value)


@pytest.mark.parametrize("tests", [{"input": ["1"], "output": []}, {"input": ["1"]}, 3, [], {}])
def test_what_is_wrong_with_tests_in_columns(tests: Any) -> None:
    row = {"name": "n", "public_tests": tests, "private_tests": {"input": [], "output": []}}
    with pytest.raises(DataError, match=r"public_tests|there is no test"):
        problem_from(row)


def test_programs_without_languages_are_a_data_error() -> None:
    tests = {"input": ["1"], "output": ["1"]}
    row = {"name": "n", "public_tests": tests, "private_tests": tests}
    with pytest.raises(DataError, match="2 languages and 1 solutions"):
        problem_from({**row, "solutions": {"language": [1, 2], "solution": ["x"]}})


def test_the_inputs_of_evalplus_need_the_reference_that_makes_the_outputs() -> None:
    row = {"task_id": "HumanEval/0", "prompt": "def f(): ...", "entry_point": "f", "plus_input": []}
    with pytest.raises(DataError, match='"canonical_solution" must be text'):
        problem_from(row)


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        (2, 2.0),
        (1.5, 1.5),
        ("2", 2.0),
        ("2.0 seconds", 2.0),
        ("1 second", 1.0),
        ("2.5s", 2.5),
        ("500 ms", 0.5),
        ("1500000000ns", 1.5),
        ("1 - 2 seconds", 2.0),
        ({"seconds": 1, "nanos": 500_000_000}, 1.5),
        ({"seconds": 0, "nanos": 250_000_000}, 0.25),
        ({"seconds": 3}, 3.0),
    ],
)
def test_a_time_limit_is_seconds(written: Any, seconds: float) -> None:
    assert read_limits(written) == {"time_s": pytest.approx(seconds)}


@pytest.mark.parametrize(
    ("written", "unit", "mebibytes"),
    [
        (256, "megabytes", 256.0),
        (256.0, "megabytes", 256.0),
        ("256.0 megabytes", "megabytes", 256.0),
        ("64 MB", "megabytes", 64.0),
        ("1 gigabyte", "megabytes", 1024.0),
        ("65536 KB", "megabytes", 64.0),
        ("268435456 bytes", "megabytes", 256.0),
        (268435456, "bytes", 256.0),
        ("268435456", "bytes", 256.0),
        ("256 MB", "bytes", 256.0),
    ],
)
def test_a_memory_limit_is_mebibytes(written: Any, unit: str, mebibytes: float) -> None:
    assert read_limits(memory=written, memory_unit=unit) == {"memory_mb": pytest.approx(mebibytes)}


@pytest.mark.parametrize("unknown", [None, "", 0, 0.0, "0 s", {"seconds": 0, "nanos": 0}, {}])
def test_what_says_nothing_is_no_limit(unknown: Any) -> None:
    assert read_limits(unknown) == {}


@pytest.mark.parametrize(
    "written",
    ["soon", "2 furlongs", "-1", -1, True, [2], "1e9", float("inf"), float("nan"), "2 s or so"],
)
def test_what_cannot_be_read_is_told(written: Any) -> None:
    with pytest.raises(DataError, match=r"the time limit .* cannot be read; write it as a number"):
        read_limits(written)
    with pytest.raises(DataError, match="the memory limit"):
        read_limits(memory=written)


@pytest.mark.parametrize("parts", [{"seconds": "1"}, {"nanos": -1}, {"seconds": True}])
def test_a_duration_needs_numbers(parts: dict[str, Any]) -> None:
    with pytest.raises(DataError, match='numbers in "seconds" and "nanos"'):
        read_limits(parts)


@given(st.floats(0.001, 1e6), st.sampled_from(["", "s", " seconds"]))
def test_seconds_come_back_as_they_were(seconds: float, unit: str) -> None:
    assert read_limits(f"{seconds:.6f}{unit}")["time_s"] == pytest.approx(seconds, abs=1e-6)
