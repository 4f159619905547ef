"""CRUXEval, output prediction: the answer is the value that a function returns for an input.

A sample has ``generation`` (or a list, ``generations``): an expression, or an assertion whose
right side it is. The function does not exist when the expression is evaluated, so a prediction
that calls it fails. Source: facebookresearch/cruxeval (the data card; evaluation/utils_execute.py).
"""

from __future__ import annotations

import re

from . import row_fields
from .format import Format, Problems, Row, has_keys

_USED = {"id", "code", "input", "output"}
_ANSWER = re.compile(r"\[ANSWER\](.*?)(?:\[/ANSWER\]|\Z)", re.DOTALL)
_KEYS = ("generations", "generation")


def _holds_problem(row: Row) -> bool:
    return all(isinstance(row.get(key), str) for key in _USED) and "problem_id" not in row


def _read_fields(row: Row) -> Row:
    texts = {key: row_fields.read_text(row, key) for key in _USED - {"input"}}
    return {
        "kind": "assert",
        "test_code": f"assert predict() == {texts['output']}\n",
        "entry_point": "predict",
        "statement": f"{texts['code']}\n\nassert f({row['input']}) == ??",
        "solutions": row_fields.read_programs([_make_program(texts["output"])]),
    }


def _make_program(prediction: str) -> str:
    return f"def predict():\n    return (\n{prediction}\n    )\n"


def _read_prediction(text: str) -> str:
    """Return the expression in an answer."""
    answers = _ANSWER.findall(text)
    text = (answers[-1] if answers else text).strip()
    return text.partition("==")[2].strip() if text.startswith("assert ") else text


def _rewrite_solutions(row: Row, _problems: Problems | None) -> list[Row]:
    texts = row_fields.read_answers(row, "generation")
    fields = {**row_fields.collect_unused(row, {*_KEYS, "id"}), "problem_id": row.get("id")}
    return [{**fields, "code": _make_program(_read_prediction(text))} for text in texts]


FORMAT = Format(
    name="cruxeval",
    names=("id",),
    holds_problem=_holds_problem,
    read_fields=_read_fields,
    uses=frozenset(_USED),
    holds_solution=has_keys("id", one_of=_KEYS, without=("task_id",)),
    rewrite_solutions=_rewrite_solutions,
)
