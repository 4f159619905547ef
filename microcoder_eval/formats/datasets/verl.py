"""Training rows of verl and rLLM: tests as JSON text in "ground_truth".

Source: volcengine/verl (docs, "Prepare Data", and utils/reward_score: prime_code, sandbox_fusion
with "assert_case"), rllm-org/rllm (rows with "ground_truth" of their own), ganler/code-r1
("functional", and "pytest" for tests that import the program); TIGER-AI-Lab/verl-tool (tests in
"extra_info", beside an empty "ground_truth"); sets with test code alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import row_fields, test_forms
from .format import Format, Row, choose_problem_id, get_optional_text

_NAMES = ("problem_id", "id", "question_id", "task_id", "uid")


def _holds_problem(row: Row) -> bool:
    model = row.get("reward_model")
    has_ground_truth = isinstance(model, Mapping) and "ground_truth" in model
    return "data_source" in row and (has_ground_truth or "ground_truth" in row)


def choose_tests(ground_truth: Any, extra_info: Any) -> Any:
    """Return the tests of a row: its ground truth, or what VerlTool has beside an empty one."""
    if ground_truth != "" or not isinstance(extra_info, Mapping):
        return ground_truth
    return extra_info.get("test_cases") or extra_info.get("inputs_outputs") or ground_truth


def _read_fields(row: Row) -> Row:
    model = row.get("reward_model")
    ground_truth = (model if isinstance(model, Mapping) else row).get("ground_truth")
    tests = choose_tests(ground_truth, row.get("extra_info"))
    prompt = row.get("prompt") or row.get("question")
    return {
        "problem_id": _make_problem_id(row, prompt),
        **test_forms.read_tests(tests, row, '"ground_truth"'),
        "statement": row_fields.read_statement(prompt),
    }


def _make_problem_id(row: Row, prompt: Any) -> str:
    source = get_optional_text(row.get("data_source")) or "verl"
    extra = row.get("extra_info")
    index = extra.get("index") if isinstance(extra, Mapping) else None
    if isinstance(index, int) and index.bit_length() < 64:
        index = f"{source}/{index}"  # numbers are unique within a source
    return choose_problem_id({"index": index, **row}, (*_NAMES, "index"), source, prompt)


FORMAT = Format(
    name="verl",
    names=_NAMES,
    holds_problem=_holds_problem,
    texts={"starter_code": "starter_code", "platform": "data_source"},
    read_fields=_read_fields,
    uses=frozenset({"prompt", "question"}),
    judges=frozenset({"ground_truth", "reward_model"}),
    repeats=frozenset({"extra_info"}),
)
