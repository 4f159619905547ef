"""DeepCoder-Preview: a statement in "problem", tests as JSON text.

Source: the data card of agentica-org/DeepCoder-Preview-Dataset: its part "taco" has {"inputs",
"outputs", "fn_name"}, its parts "primeintellect", "lcbv5" and "codeforces" a list of cases.
"""

from __future__ import annotations

from collections.abc import Mapping

from microcoder_eval.formats import cases, inouts
from microcoder_eval.formats.format import Format, Row

_NAMES = ("problem_id", "id", "question_id", "task_id")
_USED = {"problem", "tests", "starter_code", "solutions", *_NAMES}


def holds_problem(row: Row) -> bool:
    """Whether the row has a "problem", and "tests" that are not written as ours are."""
    tests = row.get("tests")
    foreign = isinstance(tests, str | Mapping) or cases.are_cases(tests)
    return "problem" in row and foreign


def _problem(row: Row) -> Row:
    return {
        "problem_id": inouts.name_of(row, _NAMES, "deepcoder", row.get("problem")),
        **cases.asked(inouts.object_in(row, "tests"), row, '"tests"'),
        "statement": cases.statement(row.get("problem")),
        "starter_code": inouts.optional_text(row.get("starter_code")),
        "solutions": inouts.programs(row.get("solutions")),
        "meta": inouts.rest(row, _USED),
    }


FORMAT = Format(
    name="deepcoder",
    id_key="problem_id",
    holds_problem=holds_problem,
    problem=_problem,
)
