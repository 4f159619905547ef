"""Reads the problem in a row of a training set; its columns may hold the tests in many forms.

Rows come from Parquet and Arrow: absent values are None, lists may be arrays, a list of objects
may be an object of lists, and values of mixed types are JSON text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.recent_problems import recent_problems
from microcoder_eval.records import Problem

Row = Mapping[str, Any]
TESTS = "tests"
# Fields of a problem that decide no verdict: such columns belong to the trainer or its user.
_DESCRIPTIONS = frozenset(
    {"statement", "starter_codes", "platform", "difficulty", "date", "solutions", "meta"}
)
# The columns that we read besides the tests.
COLUMNS: tuple[str, ...] = tuple(
    name for name in Problem.__match_args__ if name not in {TESTS, *_DESCRIPTIONS}
)
_TEST_KEYS = ("input", "output")  # None is a value under these keys: a function may return it


def has_tests(row: Row) -> bool:
    """Whether the row has tests. In datasets of several tasks, some rows have none."""
    from microcoder_eval.formats.registry import FORMATS

    return _is_native(row) or any(row_format.holds_problem(row) for row_format in FORMATS)


def get_problem(row: Row) -> Problem:
    """Read the problem of one row. Raises DataError.

    A row has "tests" (or "test_code") and columns such as entry_point and limits, or is of a
    format that docs/formats.md lists. "tests" may be a list of {"input", "output"}, the
    {"inputs", "outputs", "fn_name"} of LiveCodeBench, APPS and prime_code, a list of cases with a
    "type" or "testtype", a whole problem in our format, or any of these as JSON text.
    """
    row = {key: row[key] for key in (TESTS, *COLUMNS) if key in row} if _is_native(row) else row
    # Samples of one prompt share a problem, and reading a large problem takes a second.
    return recent_problems.parse_or_reuse(dict(row), ("row",), _read_problem, keep_first=True)


def _is_native(row: Row) -> bool:
    return any(row.get(key) is not None for key in (TESTS, "test_code"))


def _read_problem(row: Row) -> Problem:
    from microcoder_eval.formats import problem_from
    from microcoder_eval.formats.datasets.test_forms import parse_tests, read_own_tests

    if not _is_native(row):
        return problem_from({"problem_id": "problem", **_convert_to_builtins(row)})
    columns = {key: _convert_to_builtins(row[key]) for key in COLUMNS if row.get(key) is not None}
    columns["problem_id"] = str(columns.get("problem_id") or "problem")  # often a number
    tests = _convert_to_builtins(parse_tests(row.get(TESTS), f'"{TESTS}"'))
    if isinstance(tests, dict) and _is_native(tests):  # a whole problem
        columns |= tests
    elif tests is not None:
        columns |= read_own_tests(tests, columns, f'"{TESTS}"')
    return problem_from(columns, format="native")


def _convert_to_builtins(value: Any) -> Any:
    """Convert a value to built-in types, without the Nones that Arrow adds to objects."""
    if isinstance(value, Mapping):
        return {
            key: _convert_to_builtins(item)
            for key, item in value.items()
            if item is not None or key in _TEST_KEYS
        }
    if isinstance(value, (list, tuple)):
        return [_convert_to_builtins(item) for item in value]
    if hasattr(value, "tolist"):  # a numpy array or scalar
        return _convert_to_builtins(value.tolist())
    return value
