"""LiveCodeBench: problems with compressed private tests, and custom-evaluation output.

Source: LiveCodeBench/LiveCodeBench, lcb_runner/benchmarks/code_generation.py (the keys of a
problem, functional inputs as one JSON value a line) and lcb_runner/runner/custom_evaluator.py
(question_id and code_list; full outputs also carry output_list, the raw answers).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import jsontext, words
from microcoder_eval.formats.format import Format, Problems, Row
from microcoder_eval.formats.packed import unpack_text

_CLASS_SOLUTION = re.compile(r"^class\s+Solution\b", re.MULTILINE)
_PROBLEM_KEYS = frozenset(
    {"question_id", "question_content", "public_test_cases", "private_test_cases", "metadata"}
    | {"starter_code", "platform", "difficulty", "contest_date"}
)
# Of an output these are the problem's own, told there already, or one per sample.
_NOT_CARRIED = _PROBLEM_KEYS | {"code_list", "output_list", "graded_list", "question_title"}


def _holds_problem(row: Row) -> bool:
    return "question_id" in row and ("public_test_cases" in row or "private_test_cases" in row)


def _holds_solution(row: Row) -> bool:
    return "question_id" in row and ("code_list" in row or "output_list" in row)


def _problem(row: Row) -> Row:
    name = _name(row)
    try:
        return {**_asked(row), "problem_id": name}
    except DataError as error:
        raise DataError(f'problem "{words.brief(name, 80)}": {error.message}') from None


def _asked(row: Row) -> dict[str, Any]:
    tests = _cases(row, "public_test_cases") + _cases(row, "private_test_cases")
    metadata = _json_in(row, "metadata") or {}
    if not isinstance(metadata, dict):
        raise DataError(f'"metadata" must hold an object, not {words.described(metadata)}')
    function = metadata.get("func_name")
    starter = row.get("starter_code") or None
    asked: dict[str, Any] = {
        "kind": "call" if function else "stdin",
        "tests": [_test(case, number, function) for number, case in enumerate(tests, start=1)],
        "statement": row.get("question_content"),
        "starter_code": starter,
        "platform": row.get("platform"),
        "difficulty": row.get("difficulty"),
        "date": row.get("contest_date"),
        "meta": _meta(row, metadata),
    }
    if function:
        in_class = isinstance(starter, str) and _CLASS_SOLUTION.search(starter)
        asked["entry_point"] = f"Solution.{function}" if in_class else function
    return asked


def _meta(row: Row, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    rest = {key: value for key, value in metadata.items() if key != "func_name"}
    rest.update({key: value for key, value in row.items() if key not in _PROBLEM_KEYS})
    return rest


def _name(row: Row) -> str:
    name = row.get("question_id")
    if isinstance(name, str) and name:
        return name
    raise DataError(
        f'"question_id" must name the problem, not {words.described(name)} ({words.keys_of(row)})'
    )


def _cases(row: Row, key: str) -> list[Any]:
    cases = _json_in(row, key)
    if cases is None:
        return []
    if not isinstance(cases, list):
        raise DataError(f'"{key}" must hold a list of tests, not {words.described(cases)}')
    return cases


def _json_in(row: Row, key: str) -> Any:
    """The value under ``key``: JSON in a string, packed JSON, or already unpacked."""
    value = row.get(key)
    if not isinstance(value, str):
        return value
    if not value.strip():
        return None
    try:
        return jsontext.parse_text(value)
    except json.JSONDecodeError:
        if key != "private_test_cases":
            raise DataError(f'"{key}" does not hold JSON') from None
    try:
        return jsontext.parse_text(unpack_text(value))
    except json.JSONDecodeError:
        raise DataError(f'"{key}" is unpacked, but does not hold JSON') from None
    except DataError as error:
        raise DataError(
            f'"{key}" is neither JSON nor can it be unpacked: {error.message}'
        ) from None


def _test(case: Any, number: int, function: str | None) -> Mapping[str, Any]:
    if not isinstance(case, dict):
        raise DataError(f"test {number} is {words.described(case)}, not an object")
    if not function:
        if case.get("testtype") == "functional":
            raise DataError(f'test {number} calls a function, but "metadata" has no "func_name"')
        return case
    if case.get("testtype") == "stdin":
        raise DataError(f'test {number} is for stdin, but "metadata" has "func_name"')
    if not isinstance(case.get("input"), str) or not isinstance(case.get("output"), str):
        raise DataError(f'test {number} needs text in "input" and "output" ({words.keys_of(case)})')
    try:
        lines = [line for line in case["input"].split("\n") if line.strip()]
        arguments = [jsontext.parse_text(line) for line in lines]
        return {"input": arguments, "output": jsontext.parse_text(case["output"])}
    except json.JSONDecodeError as error:
        raise DataError(
            f"test {number} must hold one JSON value a line ({error.msg}: "
            f'"{words.brief(error.doc, 40)}")'
        ) from None


def _solutions(row: Row, _problems: Problems | None) -> list[Row]:
    """One solution for each entry of code_list, else (raw answers) of output_list."""
    name = _name(row)
    key = "code_list" if row.get("code_list") is not None else "output_list"
    programs = row.get(key)
    if not isinstance(programs, list) or not programs:
        raise DataError(
            f'"{key}" must be a list with at least one program, not {words.described(programs)}'
        )
    rest = {field: value for field, value in row.items() if field not in _NOT_CARRIED}
    grades = row.get("graded_list")
    known = isinstance(grades, list) and len(grades) == len(programs)
    return [
        {
            **rest,
            "problem_id": name,
            "code" if key == "code_list" else "response": program,
            **({"graded": grades[index]} if known and grades else {}),
        }
        for index, program in enumerate(programs)
    ]


FORMAT = Format(
    name="livecodebench",
    id_key="question_id",
    holds_problem=_holds_problem,
    problem=_problem,
    holds_solution=_holds_solution,
    solutions=_solutions,
)
