"""PrimeIntellect's verifiable coding problems: tests in "verification_info".

Source: the data card of PrimeIntellect/verifiable-coding-problems and the verifiers written for
it: "test_cases" is a list of cases, or JSON text of {"inputs", "outputs", "fn_name"}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.extract import extract
from microcoder_eval.formats import cases, inouts, words
from microcoder_eval.formats.format import Format, Row

_USED = {"problem_id", "prompt", "verification_info", "gold_standard_solution", "source",
         "starter_code"}  # fmt: skip


def _holds_problem(row: Row) -> bool:
    return "verification_info" in row


def _problem(row: Row) -> Row:
    held = inouts.object_in(row, "verification_info")
    if not isinstance(held, Mapping) or "test_cases" not in held:
        raise DataError(f'"verification_info" needs "test_cases" ({words.keys_of(held)})')
    language = held.get("language")
    if language not in (None, "python", "python3"):
        raise DataError(f"the tests are for {words.described(language)}, not for Python")
    tests: Any = inouts.object_in(held, "test_cases")
    if isinstance(tests, Mapping) and held.get("fn_name"):
        tests = {"fn_name": held["fn_name"], **tests}
    prompt = row.get("prompt")
    return {
        "problem_id": inouts.name_of(row, ("problem_id", "in_source_id"), "primeintellect", prompt),
        **cases.asked(tests, row, '"test_cases"'),
        "statement": cases.statement(prompt),
        "starter_code": inouts.optional_text(row.get("starter_code")),
        "platform": inouts.optional_text(row.get("source")),
        "solutions": _gold(row.get("gold_standard_solution")),
        "meta": inouts.rest(row, _USED),
    }


def _gold(text: Any) -> list[dict[str, Any]]:
    # Written as a model's answer: a program in a fence.
    if not isinstance(text, str):
        return []
    return inouts.programs([extract(text, "python").code or text])


FORMAT = Format(
    name="primeintellect",
    id_key="problem_id",
    holds_problem=_holds_problem,
    problem=_problem,
)
