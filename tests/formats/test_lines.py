"""A row that is read without pydantic_core is one that it would accept, with the same values."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval.errors import DataError
from microcoder_eval.formats.lines import LineReader, problem_lines, solution_lines

VALUES: tuple[Any, ...] = (
    None, "", "x", "é", "\ud800", "stdin", "assert", "check", "max", 0, 1, True, 1.5, -1.0,
    float("nan"), float("inf"), 1e300, [], ["x"], (), {}, {"python": "x"}, {"python": 1}, {1: "x"},
    {"time_s": 1.0}, {"time_s": 2}, {"time_s": True}, {"time_s": 0}, {"time_s": None}, {"time": 1},
    {"time_s": "1"}, {"python": "\ud800"}, b"x", type("Text", (str,), {})("x"),
)  # fmt: skip


def _validate(reader: LineReader[Any], row: dict[Any, Any]) -> object:
    try:
        return reader._validate(row, "")
    except DataError as error:
        return error.message


@pytest.mark.parametrize("reader", [problem_lines, solution_lines])
def test_what_is_certainly_valid_is_valid(reader: LineReader[Any]) -> None:
    certain_count = 0
    for key in (*reader.keys, "other", 7):
        for value in VALUES:
            row = {"problem_id": "p", key: value}
            if reader._is_certainly_valid(row):
                certain_count += 1
                assert _validate(reader, row) == row
    assert certain_count > len(reader.keys) * 5
    assert not reader._is_certainly_valid({"code": "x"})


def test_what_is_not_is_worded_by_pydantic() -> None:
    with pytest.raises(DataError, match='"tests" must be a list, not'):
        problem_lines.read({"problem_id": "p", "tests": "x"}, "")
    with pytest.raises(DataError, match='no "problem_id"'):
        problem_lines.read({"tests": []}, "a requirement")
