"""Tests that each say how they are asked, as DeepCoder, PrimeIntellect and rLLM hand them on:

{"input", "output", "type": "stdin_stdout" | "function_call", "fn_name"}     PrimeIntellect
{"input", "output", "testtype": "stdin" | "functional", "metadata"}          LiveCodeBench
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import inouts, words
from microcoder_eval.formats.format import Row

_OWN_KEYS = frozenset({"type", "testtype", "fn_name"})


def are_cases(tests: Any) -> bool:
    """Whether these are tests that say how they are asked, which our own never do."""
    return (
        isinstance(tests, list)
        and bool(tests)
        and isinstance(tests[0], Mapping)
        and not _OWN_KEYS.isdisjoint(tests[0])
    )


def asked(held: Any, row: Row, where: str) -> dict[str, Any]:
    """kind, tests and entry_point of a list of cases, or of {"inputs", "outputs"}. DataError."""
    starter = row.get("starter_code")
    if not isinstance(held, list):
        return inouts.tests_of(held, starter, where)
    for number, case in enumerate(held, start=1):
        if not isinstance(case, Mapping):
            raise DataError(f"{where}: test {number} is {words.described(case)}, not an object")
    return inouts.asked(held, _function(held, row, where), starter, where)


def _function(cases: Sequence[Row], row: Row, where: str) -> Any:
    outer = inouts.object_in(row, "metadata") if row.get("metadata") else None
    told = {name for case in cases if (name := _function_of(case)) is not None}
    if not told and isinstance(outer, Mapping) and outer.get("func_name"):
        return outer["func_name"]
    if len(told) > 1:
        raise DataError(f"{where} calls several functions: {', '.join(sorted(told))}")
    calls = [c.get("testtype") == "functional" or c.get("type") == "function_call" for c in cases]
    if not told and any(calls):
        raise DataError(f'{where} calls a function, but neither "fn_name" nor "func_name" names it')
    return told.pop() if told else None


def _function_of(case: Row) -> str | None:
    inner = case.get("metadata")
    name = case.get("fn_name") or (inner.get("func_name") if isinstance(inner, Mapping) else None)
    if name is None or name == "" or isinstance(name, str):
        return name or None
    raise DataError(f'"fn_name" must be text, not {words.described(name)}')


def statement(value: Any) -> str | None:
    """A text, or the last user's message of a chat."""
    if isinstance(value, list):
        turns = [turn for turn in value if isinstance(turn, Mapping)]
        questions = [turn.get("content") for turn in turns if turn.get("role") == "user"]
        value = questions[-1] if questions else None
    return value if isinstance(value, str) else None
