"""KodCode: test modules of pytest that import from ``solution``.

Source: the data card of KodCode/KodCode-V1; earlier versions write "test_code" and
"test_entry_point" for "test" and "test_info".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.formats import inouts
from microcoder_eval.formats.format import Format, Row

_USED = {"question_id", "conversation_id", "question", "solution", "test", "test_code",
         "test_info", "test_entry_point", "gpt_difficulty"}  # fmt: skip


def _holds_problem(row: Row) -> bool:
    tested = "test" in row or "test_code" in row
    # With a problem_id and test_code it would be one of our own.
    ours = "problem_id" in row and "test_code" in row
    return "question" in row and "solution" in row and tested and not ours


def _problem(row: Row) -> Row:
    question = row.get("question")
    return {
        "problem_id": inouts.name_of(row, ("question_id", "conversation_id"), "kodcode", question),
        "kind": "assert",
        "entry_point": _function(row),
        "test_code": inouts.text_in(row, "test" if "test" in row else "test_code"),
        "test_style": "pytest",
        "statement": question,
        "difficulty": inouts.optional_text(row.get("gpt_difficulty")),
        "solutions": inouts.programs([row.get("solution")]),
        "meta": inouts.rest(row, _USED),
    }


def _function(row: Row) -> str | None:
    told: Any = row.get("test_info")
    if isinstance(told, list) and told and isinstance(told[0], Mapping):
        return inouts.optional_text(told[0].get("function_name"))
    return inouts.optional_text(row.get("test_entry_point"))


FORMAT = Format(
    name="kodcode",
    id_key="question_id",
    holds_problem=_holds_problem,
    problem=_problem,
)
