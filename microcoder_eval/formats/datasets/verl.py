"""Rows that verl and rLLM train on: tests as JSON text in "ground_truth".

Source: volcengine/verl (docs, "Prepare Data", and utils/reward_score: prime_code, sandbox_fusion
with "assert_case"), rllm-org/rllm (rows with "ground_truth" of their own), ganler/code-r1
("functional").
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.formats import cases, inouts
from microcoder_eval.formats.format import Format, Row

_NAMES = ("problem_id", "id", "question_id", "task_id", "uid")
_USED = {"prompt", "question", "reward_model", "ground_truth", "data_source", "starter_code",
         *_NAMES}  # fmt: skip


def _holds_problem(row: Row) -> bool:
    model = row.get("reward_model")
    inside = isinstance(model, Mapping) and "ground_truth" in model
    return "data_source" in row and (inside or "ground_truth" in row)


def _problem(row: Row) -> Row:
    model = row.get("reward_model")
    held = inouts.object_in(model if isinstance(model, Mapping) else row, "ground_truth")
    prompt = row.get("prompt") or row.get("question")
    return {
        "problem_id": _name(row, prompt),
        **asked(held, row, '"ground_truth"'),
        "statement": cases.statement(prompt),
        "starter_code": inouts.optional_text(row.get("starter_code")),
        "platform": inouts.optional_text(row.get("data_source")),
        "meta": inouts.rest(row, _USED),
    }


def _name(row: Row, prompt: Any) -> str:
    source = inouts.optional_text(row.get("data_source")) or "verl"
    extra = row.get("extra_info")
    index = extra.get("index") if isinstance(extra, Mapping) else None
    if isinstance(index, int) and index.bit_length() < 64:
        index = f"{source}/{index}"  # a number among those of its source
    return inouts.name_of({"index": index, **row}, (*_NAMES, "index"), source, prompt)


def asked(held: Any, row: Row, where: str) -> dict[str, Any]:
    """kind, tests and entry_point, or the assertions, of a ground truth. Raises DataError."""
    if isinstance(held, Mapping):
        code = held.get("functional") or held.get("assert_case")
        if isinstance(code, list) and all(isinstance(one, str) for one in code):
            code = "\n".join(code)
        if isinstance(code, str):
            return {"kind": "assert", "test_code": code}
    return cases.asked(held, row, where)


FORMAT = Format(
    name="verl",
    id_key="problem_id",
    holds_problem=_holds_problem,
    problem=_problem,
)
