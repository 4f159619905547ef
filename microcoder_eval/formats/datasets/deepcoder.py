"""DeepCoder-Preview: a statement in "problem", tests as JSON text.

Source: the data card of agentica-org/DeepCoder-Preview-Dataset: its part "taco" has {"inputs",
"outputs", "fn_name"}, its parts "primeintellect", "lcbv5" and "codeforces" a list of cases.
"""

from __future__ import annotations

from collections.abc import Mapping

from . import row_fields, test_forms
from .format import Format, Row, list_words


def holds_problem(row: Row) -> bool:
    """Whether the row has a "problem", and "tests" in another form than our own."""
    tests = row.get("tests")
    is_foreign = isinstance(tests, str | Mapping) or test_forms.are_cases(tests)
    return "problem" in row and is_foreign


def _read_fields(row: Row) -> Row:
    return {
        **test_forms.read_tests(row.get("tests"), row, '"tests"'),
        "statement": row_fields.read_statement(row.get("problem")),
        "solutions": row_fields.read_programs(row.get("solutions")),
    }


FORMAT = Format(
    name="deepcoder",
    names=("problem_id", "id", "question_id", "task_id"),
    named_by="problem",
    holds_problem=holds_problem,
    texts={"starter_code": "starter_code"},
    read_fields=_read_fields,
    uses=list_words("solutions"),
    judges=list_words("tests"),
)
