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

from . import row_fields, test_forms
from .format import Format, Row, has_keys, list_words


def _read_fields(row: Row) -> Row:
    verification_info = row_fields.read_json(row, "verification_info")
    if not isinstance(verification_info, Mapping) or "test_cases" not in verification_info:
        raise DataError(
            '"verification_info" needs "test_cases" '
            f"({error_text.describe_keys(verification_info)})"
        )
    language = verification_info.get("language")
    if language not in (None, "python", "python3"):
        raise DataError(f"the tests are for {error_text.describe_value(language)}, not for Python")
    tests: Any = test_forms.parse_tests(verification_info["test_cases"], '"test_cases"')
    if isinstance(tests, Mapping) and verification_info.get("fn_name"):
        tests = {"fn_name": verification_info["fn_name"], **tests}
    return {
        **test_forms.read_tests(tests, row, '"test_cases"'),
        "statement": row_fields.read_statement(row.get("prompt")),
        "solutions": _read_gold_solutions(row.get("gold_standard_solution")),
    }


def _read_gold_solutions(text: Any) -> list[dict[str, Any]]:
    # The text has the form of a model's answer, with the program in a fence.
    if not isinstance(text, str):
        return []
    return row_fields.read_programs([extract(text, "python").code or text])


FORMAT = Format(
    name="primeintellect",
    names=("problem_id", "in_source_id"),
    named_by="prompt",
    holds_problem=has_keys("verification_info"),
    texts={"starter_code": "starter_code", "platform": "source"},
    read_fields=_read_fields,
    uses=list_words("gold_standard_solution"),
    judges=list_words("verification_info"),
    carries=list_words("in_source_id"),
)
