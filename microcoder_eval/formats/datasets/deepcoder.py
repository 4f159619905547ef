"""DeepCoder-Preview: a statement in "problem", tests as JSON text.

Source: the data card of agentica-org/DeepCoder-Preview-Dataset: its part "taco" has {"inputs",
"outputs", "fn_name"}, its parts "primeintellect", "lcbv5" and "codeforces" a list of cases.
"""

from __future__ import annotations

from collections.abc import Mapping

from . import cases, row_fields
from .format import Format, Row

_NAMES = ("problem_id", "id", "question_id", "task_id")
_USED = {"problem", "tests", "starter_code", "solutions", *_NAMES}


def holds_problem(row: Row) -> bool:
    """Whether the row has a "problem", and "tests" in another form than our own."""
    tests = row.get("tests")
    is_foreign = isinstance(tests, str | Mapping) or cases.are_cases(tests)
    return "problem" in row and is_foreign


def _rewrite_problem(row: Row) -> Row:
    return {
        "problem_id": row_fields.choose_problem_id(row, _NAMES, "deepcoder", row.get("problem")),
        **cases.read_test_fields(row_fields.read_json(row, "tests"), row, '"tests"'),
        "statement": cases.read_statement(row.get("problem")),
        "starter_code": row_fields.get_optional_text(row.get("starter_code")),
        "solutions": row_fields.read_programs(row.get("solutions")),
        "meta": row_fields.collect_unused(row, _USED),
    }


FORMAT = Format(
    name="deepcoder",
    id_key="problem_id",
    holds_problem=holds_problem,
    rewrite_problem=_rewrite_problem,
    reads=frozenset(_USED),
    judges=frozenset({"tests"}),
    ignores=frozenset({"metadata"}),
)
