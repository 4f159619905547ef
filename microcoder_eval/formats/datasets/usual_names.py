"""Reads rows that no format recognises, and that call by other names what we name.

"id" is a problem's name, "question" its statement, "stdin" a test's input. The tests are found by
their shape: one key holds pairs of inputs and outputs, assertions or test code, whatever its name,
or the only object that has such a key (NeMo Gym, SkyRL, VerlTool, INTELLECT-3, which is JSON text).
"completion" has no name of ours: it continues a prompt, and is no program.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import jsontext

from . import row_fields, test_forms, unread
from .format import Row, choose_problem_id
from .row_fields import get_first_object

_TESTS = frozenset({"tests", "test_code", "inputs"})  # a row with one of them names its tests
_STATEMENTS = ("question", "problem_statement", "description", "content", "problem", "prompt",
               "instruction")  # fmt: skip
_FUNCTIONS = ("fn_name", "func_name", "function_name")
_PROBLEM_NAMES = {
    **dict.fromkeys(("id", "question_id", "task_id", "uid"), "problem_id"),
    **dict.fromkeys(_STATEMENTS, "statement"),
    **dict.fromkeys(_FUNCTIONS, "entry_point"),
}
_TYPES: dict[str, Any] = {"statement": str | list, "entry_point": str}  # a list is a chat
# Keys of a few tests that a statement shows.
_FEW_TESTS = re.compile(r"(?i)sample|example|public|visible|shot|demo")
_TEST_WORD = re.compile(r"(?:\b|_|py|unit)test|T(?:est|EST)")  # not in "contest"
_SOLUTION_NAMES = {"id": "problem_id", "solution": "code"}
_OUTPUTS = ("stdout", "expected_output", "expected")
_TEST_NAMES = {"stdin": "input", **dict.fromkeys(_OUTPUTS, "output")}


def rename_problem(row: Row) -> Row:
    """Return a problem with our names, and its tests under "tests" or "test_code". Raises
    DataError where several keys hold tests, or these cannot be read."""
    row = lift_tests(row)
    names = find_problem_names(row)
    fields = _rename(row, names)
    if "statement" not in row and isinstance(fields.get("statement"), list):
        fields["statement"] = row_fields.read_statement(fields["statement"])
    programs = fields.get("solutions") or []
    if names and all(isinstance(program, str) for program in programs):
        fields["solutions"] = row_fields.read_programs(programs)
    key = next((name for name, our in names.items() if our == "tests"), None)
    if key is not None:
        fields |= test_forms.read_own_tests(fields.pop("tests"), fields, f'"{key}"')
        name = choose_problem_id(fields, ("problem_id",), "row", fields.get("statement"))
        fields["problem_id"] = name
    return _rename_tests(fields)


def rename_solution(row: Row) -> Row:
    """Return a solution with our names."""
    return _rename(row, find_solution_names(row))


def find_solution_names(row: Row) -> dict[str, str]:
    """Return the names in a row of a solution that stand for ours."""
    if "response" in row:
        return _find_names(row, {"id": "problem_id"})
    return _find_names(row, _SOLUTION_NAMES) if {"solution", "code"} & row.keys() else {}


def find_test_names(row: Row) -> dict[str, str]:
    """Return the names in the first test of a problem that stand for ours."""
    return _find_names(get_first_object(row.get("tests")), _TEST_NAMES)


def find_problem_names(row: Row) -> dict[str, str]:
    """Return the names in a row of a problem that stand for ours; none where it has no tests.
    Raises DataError where several keys hold tests, or one may hold a part of them."""
    if _TESTS & row.keys():
        return _find_names(row, _PROBLEM_NAMES)
    key = _find_tests_key(row)
    if key is None:
        return {}
    others = {name: value for name, value in row.items() if name != key}
    return {**_find_names(others, _PROBLEM_NAMES), key: "tests"}


def lift_tests(row: Row) -> Row:
    """Return a row with the tests and the other keys of the only object in it that has tests, also
    as JSON text; the row as it is where it has tests itself, or is a solution."""
    is_whole = not row.keys().isdisjoint(_TESTS | {"code", "response"})
    if is_whole or any(_may_be_tests(*item) for item in row.items()):
        return row
    objects = {key: _read_object(row[key]) for key in row.keys() - unread.SAMPLES}
    places = [
        (key, name)
        for key, fields in objects.items()
        for name, value in fields.items()
        if isinstance(name, str) and _may_be_tests(name, value)
    ]
    if len(places) != 1:
        return row
    key, name = places[0]
    fields = {k: v for k, v in objects[key].items() if k != name}
    others = {k: v for k, v in row.items() if k != key}
    return {**fields, **others, f"{key}.{name}": objects[key][name]}


def _read_object(value: Any) -> Row:
    """Return an object, also from JSON text; an empty one for anything else."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = jsontext.parse_text(value)
        except (json.JSONDecodeError, DataError):
            return {}
    return value if isinstance(value, Mapping) else {}


def _find_tests_key(row: Row) -> str | None:
    """Return the key that holds the tests of a row that has none of our keys for them. Raises
    DataError where there are several, or where it may hold a part of them."""
    keys = [key for key, value in row.items() if _may_be_tests(key, value)]
    if len(keys) > 1:
        names = ", ".join(f'"{key}"' for key in keys)
        raise DataError(
            f"{names} hold tests; keep one of them, in Python: row['tests'] = row.pop('{keys[0]}')"
        )
    if not keys:
        return None
    others = {key: value for key, value in row.items() if key != keys[0]}
    more_keys = [key for key, value in others.items() if unread.may_hold_more(key, value)]
    if more_keys or _FEW_TESTS.search(keys[0]):
        reason = f'"{more_keys[0]}" may hold more' if more_keys else "its name says that it has few"
        raise DataError(
            f'"{keys[0]}" holds tests, and {reason}; if it has all, in Python: '
            f"row['tests'] = row.pop('{keys[0]}')"
        )
    return keys[0]


def _may_be_tests(key: str, value: Any) -> bool:
    """Whether a value has the shape of tests. Code has it only under a name with "test": a solution
    may have a function check."""
    if key in unread.SAMPLES or unread.is_empty(value):
        return False
    if isinstance(value, str) and not _TEST_WORD.search(key):
        return unread.is_json_of_tests(value)
    return unread.holds_tests(value, depth=0)


def _rename_tests(row: Row) -> Row:
    """Return a problem with our names in its tests."""
    if not find_test_names(row):
        return row
    tests = [
        _rename(test, _find_names(test, _TEST_NAMES)) if isinstance(test, Mapping) else test
        for test in row["tests"]
    ]
    return {**row, "tests": tests}


def _find_names(row: Row, names: Mapping[str, str]) -> dict[str, str]:
    """Return the names in a row that stand for ours, only the first of several for one."""
    our_names: dict[str, str] = {}
    for name, our in names.items():
        is_missing = row.get(our) is None and our not in our_names.values()
        is_fitting = row.get(name) is not None and isinstance(row[name], _TYPES.get(our, object))
        if is_missing and is_fitting:
            our_names[name] = our
    return our_names


def _rename(row: Row, names: Mapping[Any, str]) -> dict[str, Any]:
    return {names.get(key, key): value for key, value in row.items()}
