"""LiveCodeBench: problems with compressed private tests, and custom-evaluation output.

Source: LiveCodeBench/LiveCodeBench, lcb_runner/benchmarks/code_generation.py (the keys of a
problem, functional inputs as one JSON value a line) and lcb_runner/runner/custom_evaluator.py
(question_id and code_list; full outputs also carry output_list, the raw answers). One sample a row
has code or response.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import error_text, jsontext

from . import row_fields, test_forms
from .format import Format, Problems, Row, has_keys
from .packed import unpack_text

_PROBLEM_KEYS = frozenset(
    {"question_id", "question_content", "public_test_cases", "private_test_cases", "metadata"}
    | {"starter_code", "platform", "difficulty", "contest_date"}
)
# Keys of an output that belong to the problem or to one sample, and are not put into meta.
_NOT_CARRIED = _PROBLEM_KEYS | {"code_list", "output_list", "graded_list", "question_title"}


_TESTS = ("public_test_cases", "private_test_cases")
_holds_problem = has_keys("question_id", one_of=_TESTS)


def _holds_solution(row: Row) -> bool:
    return "question_id" in row and ("code_list" in row or "output_list" in row or _is_sample(row))


def _is_sample(row: Row) -> bool:
    # Rows of other sets name the problem otherwise, and may have a question_id, too.
    is_other = "problem_id" in row or "task_id" in row or _holds_problem(row)
    return not is_other and ("code" in row or "response" in row)


def _read_fields(row: Row) -> Row:
    cases = [case for key in _TESTS for case in _read_cases(row, key)]
    metadata = row_fields.read_json(row, "metadata") if row.get("metadata") else {}
    if not isinstance(metadata, Mapping):
        raise error_text.wrong_value('"metadata" must hold an object', metadata)
    return {
        **test_forms.read_test_fields(cases, row, '"tests"'),
        "meta": row_fields.collect_unused({**metadata, **row}, {"func_name", *_PROBLEM_KEYS}),
    }


def _read_cases(row: Row, key: str) -> list[Any]:
    """Read the tests under ``key``: JSON in a string, packed JSON, or a decoded list."""
    cases = row.get(key)
    if cases is None or (isinstance(cases, str) and cases.strip() in ("", "null")):
        return []
    if isinstance(cases, str):
        try:
            is_packed = key == "private_test_cases" and cases.lstrip()[:1] not in ("[", "{")
            cases = jsontext.parse_text(unpack_text(cases) if is_packed else cases)
        except (json.JSONDecodeError, DataError) as error:
            raise DataError(f'"{key}" is neither JSON nor packed JSON: {error}') from None
    if not isinstance(cases, list):
        raise error_text.wrong_value(f'"{key}" must hold a list of tests', cases)
    return cases


def _rewrite_solutions(row: Row, _problems: Problems | None) -> list[Row]:
    """Return a solution for each entry of code_list, else of output_list (raw answers)."""
    problem_id = FORMAT.require_name(row)
    if "code_list" not in row and "output_list" not in row:
        return [{**row_fields.collect_unused(row, {"question_id"}), "problem_id": problem_id}]
    key = "code_list" if row.get("code_list") is not None else "output_list"
    programs = row.get(key)
    if not isinstance(programs, list) or not programs:
        raise error_text.wrong_value(f'"{key}" must be a list with at least one program', programs)
    carried = row_fields.collect_unused(row, _NOT_CARRIED)
    grades = row.get("graded_list")
    has_grades = isinstance(grades, list) and len(grades) == len(programs)
    return [
        {
            **carried,
            "problem_id": problem_id,
            "code" if key == "code_list" else "response": program,
            **({"graded": grades[index]} if has_grades and grades else {}),
        }
        for index, program in enumerate(programs)
    ]


FORMAT = Format(
    name="livecodebench",
    names=("question_id",),
    holds_problem=_holds_problem,
    copies={
        "statement": "question_content",
        "platform": "platform",
        "difficulty": "difficulty",
        "date": "contest_date",
    },
    texts={"starter_code": "starter_code"},
    read_fields=_read_fields,
    uses=_PROBLEM_KEYS,
    judges=frozenset(_TESTS),
    holds_solution=_holds_solution,
    rewrite_solutions=_rewrite_solutions,
)
