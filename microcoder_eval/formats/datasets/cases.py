"""Tests that each name their kind, as in DeepCoder, PrimeIntellect and rLLM:

{"input", "output", "type": "stdin_stdout" | "function_call", "fn_name"}     PrimeIntellect
{"input", "output", "testtype": "stdin" | "functional", "metadata"}          LiveCodeBench
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import error_text

from . import row_fields
from .format import Row

_CASE_KEYS = frozenset({"type", "testtype", "fn_name"})


def are_cases(tests: Any) -> bool:
    """Whether these are tests that name their kind; tests of our own format do not."""
    return (
        isinstance(tests, list)
        and bool(tests)
        and isinstance(tests[0], Mapping)
        and not _CASE_KEYS.isdisjoint(tests[0])
    )


def read_test_fields(tests: Any, row: Row, where: str) -> dict[str, Any]:
    """Return kind, tests and entry_point of a list of cases, or of {"inputs", "outputs"}.

    Raises DataError.
    """
    starter = row.get("starter_code")
    if not isinstance(tests, list):
        return row_fields.read_inputs_outputs(tests, starter, where)
    for number, case in enumerate(tests, start=1):
        if not isinstance(case, Mapping):
            raise DataError(
                f"{where}: test {number} is {error_text.describe_value(case)}, not an object"
            )
    return row_fields.build_test_fields(tests, _find_function(tests, row, where), starter, where)


def _find_function(cases: Sequence[Row], row: Row, where: str) -> Any:
    metadata = row_fields.read_json(row, "metadata") if row.get("metadata") else None
    functions = {name for case in cases if (name := _read_function_name(case)) is not None}
    if not functions and isinstance(metadata, Mapping) and metadata.get("func_name"):
        return metadata["func_name"]
    if len(functions) > 1:
        raise DataError(f"{where} calls several functions: {', '.join(sorted(functions))}")
    calls = [
        case.get("testtype") == "functional" or case.get("type") == "function_call"
        for case in cases
    ]
    if not functions and any(calls):
        raise DataError(f'{where} calls a function, but neither "fn_name" nor "func_name" names it')
    return functions.pop() if functions else None


def _read_function_name(case: Row) -> str | None:
    metadata = case.get("metadata")
    name = case.get("fn_name") or (
        metadata.get("func_name") if isinstance(metadata, Mapping) else None
    )
    if name is None or name == "" or isinstance(name, str):
        return name or None
    raise DataError(f'"fn_name" must be text, not {error_text.describe_value(name)}')


def read_statement(value: Any) -> str | None:
    """Return a text, or the last user message of a chat."""
    if isinstance(value, list):
        messages = [message for message in value if isinstance(message, Mapping)]
        contents = [message.get("content") for message in messages if message.get("role") == "user"]
        value = contents[-1] if contents else None
    return value if isinstance(value, str) else None
