"""KodCode: pytest modules that import from ``solution``.

Source: the data card of KodCode/KodCode-V1; earlier versions write "test_code" and
"test_entry_point" for "test" and "test_info".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.errors import DataError

from . import row_fields
from .format import Format, Row, get_optional_text, list_words


def _holds_problem(row: Row) -> bool:
    has_tests = "test" in row or "test_code" in row
    # A row with problem_id and test_code is of our own format.
    is_native = "problem_id" in row and "test_code" in row
    return "question" in row and "solution" in row and has_tests and not is_native


def _read_fields(row: Row) -> Row:
    return {
        "kind": "assert",
        "entry_point": _read_function(row),
        "test_code": _read_tests(row),
        "test_style": "pytest",
        "solutions": row_fields.read_programs([row.get("solution")]),
    }


def _read_tests(row: Row) -> str:
    texts = {row_fields.read_text(row, key) for key in ("test", "test_code") if row.get(key)}
    if len(texts) > 1:
        raise DataError('"test" and "test_code" hold different tests; remove one of them')
    return texts.pop() if texts else row_fields.read_text(row, "test")


def _read_function(row: Row) -> str | None:
    test_info: Any = row.get("test_info")
    if isinstance(test_info, list) and test_info and isinstance(test_info[0], Mapping):
        return get_optional_text(test_info[0].get("function_name"))
    return get_optional_text(row.get("test_entry_point"))


FORMAT = Format(
    name="kodcode",
    names=("question_id", "conversation_id"),
    named_by="question",
    holds_problem=_holds_problem,
    copies={"statement": "question"},
    texts={"difficulty": "gpt_difficulty"},
    read_fields=_read_fields,
    uses=list_words("solution test_info test_entry_point"),
    judges=list_words("test test_code"),
)
