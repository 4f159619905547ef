"""APPS and TACO: tests in "input_output".

Source: hendrycks/apps (problem_id, question, solutions, input_output, difficulty, url,
starter_code), FlagOpen/TACO (the same without a number, with time_limit and memory_limit).
"""

from __future__ import annotations

from . import row_fields, test_forms, units
from .format import Format, Row, has_keys, list_words


def _read_fields(row: Row) -> Row:
    tests = row_fields.read_json(row, "input_output")
    return {
        **test_forms.read_inputs_outputs(tests, row, '"input_output"'),
        "limits": units.read_limits(row.get("time_limit"), row.get("memory_limit")),
        "solutions": row_fields.read_programs(row.get("solutions")),
    }


FORMAT = Format(
    name="apps",
    names=("problem_id", "id"),
    named_by="question",
    holds_problem=has_keys("input_output", "question"),
    copies={"statement": "question", "difficulty": "difficulty"},
    texts={"starter_code": "starter_code", "platform": "source", "date": "date"},
    read_fields=_read_fields,
    uses=list_words("solutions time_limit memory_limit"),
    judges=list_words("input_output"),
)
