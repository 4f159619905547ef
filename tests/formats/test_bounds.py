"""Reading a line takes memory in proportion to its length, whatever is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from microcoder_eval.errors import DataError
from microcoder_eval.formats import jsontext, problem_from, solution_from
from microcoder_eval.formats.native import parse_problem
from tests.memory import Call, measure_calls

LINE_BYTES = 1 << 20
MAX_RATIO = 100  # bytes of memory for a byte of text; a report on each fault took over 600
NAME = '"problem_id": "p"'
CALL = f'{NAME}, "entry_point": "f"'
TESTS = f'{NAME}, "tests": [{{"input": "", "output": ""}}]'


def many(unit: str) -> str:
    """A list of one value, repeated."""
    return f"[{','.join([unit] * (LINE_BYTES // (len(unit) + 1)))}]"


def many_keys() -> str:
    """An object with short keys."""
    return "{" + ",".join(f'"{number:x}":1' for number in range(LINE_BYTES // 9)) + "}"


def hostile_lines() -> dict[str, str]:
    return {
        **{f"tests: {unit}": f'{{{NAME}, "tests": {many(unit)}}}' for unit in ("{}", "[]", "1")},
        "tests: one key": f'{{{NAME}, "tests": {many(json.dumps({"input": 1}))}}}',
        "arguments": f'{{{CALL}, "tests": [{{"input": {many("[]")}, "output": 0}}]}}',
        "solutions": f'{{{TESTS}, "solutions": {many("1")}}}',
        "limits": f'{{{TESTS}, "limits": {many_keys()}}}',
        "checker": f'{{{TESTS}, "checker": {many_keys()}}}',
        "interactor": f'{{{TESTS}, "interactor": {many("{}")}}}',
        "unknown keys": f"{{{TESTS}, {many_keys()[1:]}",
        "meta": f'{{{TESTS}, "meta": {many("{}")}}}',
        "exponents": f'{{{CALL}, "tests": {many("1e9999")}}}',
        "code": f'{{{NAME}, "code": {many("{}")}}}',
    }  # fmt: skip


def read(text: str) -> None:
    """As a problem and as a solution, refused or not."""
    reads: list[Callable[[Any], object]] = [
        problem_from,
        lambda value: problem_from(value, format="native"),
        lambda value: solution_from(value, default_id="p#1"),
    ]
    for read_value in reads:
        try:
            read_value(jsontext.parse(text.encode()))
        except DataError:
            pass


def list_readings() -> Iterator[Call]:
    read("{}")  # which imports what reading needs
    for name, text in hostile_lines().items():
        yield name, len(text), partial(read, text)


@pytest.mark.slow
@pytest.mark.timeout(300)  # some ten seconds of CPU time; quadratic in the keys it is over 300
def test_a_line_takes_memory_in_proportion_to_its_length() -> None:
    peaks = measure_calls("tests.formats.test_bounds:list_readings")
    assert peaks.keys() == hostile_lines().keys()
    assert {name: times for name, times in peaks.items() if times >= MAX_RATIO} == {}


def test_the_first_fault_is_reported() -> None:
    right = {"input": "", "output": ""}
    limits = {"time_s": 1, "time": 1, "memory": 1}
    for fields, reason in (
        ({"tests": [right, {"input": ""}, 1]}, 'test 2 has no "output"'),
        ({"tests": [right], "solutions": [{}, 1, 2]}, "solution 2 must be an object, not the numb"),
        ({"tests": [right], "limits": limits}, 'unknown key "time"; did you mean "time_s"'),
    ):
        with pytest.raises(DataError, match=reason):
            parse_problem({"problem_id": "p", **fields})
