"""Names that others use for ours, where a row has no format: id, solution, stdin, expected_output.

"completion" is none of them: it continues a prompt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .format import Row

_PROBLEM_NAMES = {"id": "problem_id"}
_SOLUTION_NAMES = {"id": "problem_id", "solution": "code"}
_TEST_NAMES = {
    "stdin": "input",
    "stdout": "output",
    "expected_output": "output",
    "expected": "output",
}


def rename_problem(row: Row) -> Row:
    """Return a problem with our names."""
    row = _rename(row, _find_problem_names(row))
    if not _find_names(get_first_test(row), _TEST_NAMES):
        return row
    tests = [_rename(t, _TEST_NAMES) if isinstance(t, Mapping) else t for t in row["tests"]]
    return {**row, "tests": tests}


def rename_solution(row: Row) -> Row:
    """Return a solution with our names."""
    return _rename(row, _find_solution_names(row))


def describe_problem_names(row: Row) -> Iterator[str]:
    """Yield a sentence for each name of a problem that is read as one of ours."""
    names = {
        **_find_names(row, _find_problem_names(row)),
        **_find_names(get_first_test(row), _TEST_NAMES),
    }
    for name, our in names.items():
        yield f'"{name}" is read as "{our}"'


def describe_solution_names(row: Row) -> Iterator[tuple[str, str]]:
    """Yield (name, sentence) of each name of a solution that is read as one of ours."""
    for name, our in _find_names(row, _find_solution_names(row)).items():
        yield name, f'"{name}" is read as "{our}"'


def _find_problem_names(row: Row) -> Mapping[str, str]:
    return _PROBLEM_NAMES if {"tests", "test_code", "inputs"} & row.keys() else {}


def _find_solution_names(row: Row) -> Mapping[str, str]:
    if "response" in row:
        return _PROBLEM_NAMES
    return _SOLUTION_NAMES if {"solution", "code"} & row.keys() else {}


def get_first_test(row: Row) -> Row:
    """Return the first test of a problem; an empty row where it is no object."""
    tests = row.get("tests")
    first = tests[0] if isinstance(tests, list) and tests else None
    return first if isinstance(first, Mapping) else {}


def _find_names(row: Row, names: Mapping[str, str]) -> dict[str, str]:
    """Return the names in a row that stand for ours, only the first of several for one."""
    our_names: dict[str, str] = {}
    for name, our in names.items():
        if name in row and our not in row and our not in our_names.values():
            our_names[name] = our
    return our_names


def _rename(row: Row, names: Mapping[str, str]) -> Row:
    our_names: dict[Any, str] = _find_names(row, names)
    return {our_names.get(key, key): value for key, value in row.items()} if our_names else row
