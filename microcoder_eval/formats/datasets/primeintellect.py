"""PrimeIntellect's verifiable coding problems: tests in "verification_info".

Source: the data card of PrimeIntellect/verifiable-coding-problems and the verifiers written for
it: "test_cases" is a list of cases, or JSON text of {"inputs", "outputs", "fn_name"}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.extract import extract
from microcoder_eval.formats import error_text

from . import cases, row_fields
from .format import Format, Row

_USED = {"problem_id", "prompt", "verification_info", "gold_standard_solution", "source",
         "starter_code"}  # fmt: skip


def _holds_problem(row: Row) -> bool:
    return "verification_info" in row


def _rewrite_problem(row: Row) -> Row:
    verification_info = row_fields.read_json(row, "verification_info")
    if not isinstance(verification_info, Mapping) or "test_cases" not in verification_info:
        raise DataError(
            '"verification_info" needs "test_cases" '
            f"({error_text.describe_keys(verification_info)})"
        )
    language = verification_info.get("language")
    if language not in (None, "python", "python3"):
        raise DataError(f"the tests are for {error_text.describe_value(language)}, not for Python")
    tests: Any = row_fields.read_json(verification_info, "test_cases")
    if isinstance(tests, Mapping) and verification_info.get("fn_name"):
        tests = {"fn_name": verification_info["fn_name"], **tests}
    prompt = row.get("prompt")
    return {
        "problem_id": row_fields.choose_problem_id(
            row, ("problem_id", "in_source_id"), "primeintellect", prompt
        ),
        **cases.read_test_fields(tests, row, '"test_cases"'),
        "statement": cases.read_statement(prompt),
        "starter_code": row_fields.get_optional_text(row.get("starter_code")),
        "platform": row_fields.get_optional_text(row.get("source")),
        "solutions": _read_gold_solutions(row.get("gold_standard_solution")),
        "meta": row_fields.collect_unused(row, _USED),
    }


def _read_gold_solutions(text: Any) -> list[dict[str, Any]]:
    # The text has the form of a model's answer, with the program in a fence.
    if not isinstance(text, str):
        return []
    return row_fields.read_programs([extract(text, "python").code or text])


FORMAT = Format(
    name="primeintellect",
    id_key="problem_id",
    holds_problem=_holds_problem,
    rewrite_problem=_rewrite_problem,
    reads=frozenset(_USED),
    judges=frozenset({"verification_info"}),
    ignores=frozenset(
        {"task_type", "in_source_id", "metadata", "hf_dataset_name", "hf_dataset_split"}
    ),
)
