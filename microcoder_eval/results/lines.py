"""Judgements as lines of results.jsonl: written in the contract's key order, read with checks.

Standard library only: journals of a million lines are read back with this when a run is resumed,
and its messages must name the key that is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from microcoder_eval.errors import DataError
from microcoder_eval.records import Judgement, Status, TestResult, Verdict
from microcoder_sandbox import codec

_Enum = TypeVar("_Enum", Verdict, Status)

_TEXT_KEYS = (
    "memory_method",
    "isolation",
    "tests_sha256",
    "code_sha256",
    "config_sha256",
    "version",
)
# Keys of a result line; everything else an older or newer version wrote there is kept in meta.
KEYS = frozenset(
    {"problem_id", "solution_id", "verdict", "passed", "score", "status", "tests", "error"}
    | {"flags", "sandbox_level", "meta", *_TEXT_KEYS}
)


def judgement_to_json(judgement: Judgement) -> dict[str, Any]:
    """The result line of a judgement, keys in the contract's order; ``meta`` last, if any."""
    line: dict[str, Any] = {
        "problem_id": judgement.problem_id,
        "solution_id": judgement.solution_id,
        "verdict": str(judgement.verdict),
        "passed": judgement.passed,
        "score": judgement.score,
        "status": str(judgement.status),
        "tests": [_test_to_json(test) for test in judgement.tests],
        "error": judgement.error,
        "flags": list(judgement.flags),
        "sandbox_level": judgement.sandbox_level,
    }
    line.update((key, getattr(judgement, key)) for key in _TEXT_KEYS)
    if judgement.meta:
        line["meta"] = dict(judgement.meta)
    return line


def _test_to_json(test: TestResult | None) -> dict[str, Any] | None:
    if test is None:
        return None
    return {
        "verdict": str(test.verdict),
        "cpu_s": test.cpu_s,
        "wall_s": test.wall_s,
        "memory_mb": test.memory_mb,
        "matched_by": test.matched_by,
        "detail": test.detail,
    }


def judgement_to_line(judgement: Judgement) -> bytes:
    """One line of results.jsonl, newline included; always valid UTF-8 and valid JSON."""
    line = judgement_to_json(judgement)
    try:
        text = json.dumps(line, ensure_ascii=False, allow_nan=False)
    except ValueError:
        # NaN, or an integer too long for str(), carried along in meta: write it with tags.
        text = json.dumps(codec.to_json(line), ensure_ascii=True)
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:  # half of a surrogate pair, legal in JSON only as an escape
        return json.dumps(json.loads(text), ensure_ascii=True).encode() + b"\n"


def judgement_from_json(value: object) -> Judgement:
    """Read a result line back. Raises DataError that names the key at fault."""
    if not isinstance(value, Mapping):
        raise DataError(f"a result must be a JSON object, not {_kind(value)}")
    meta = _typed(value, "meta", dict) if "meta" in value else {}
    return Judgement(
        problem_id=_typed(value, "problem_id", str),
        solution_id=_typed(value, "solution_id", str),
        verdict=_one_of(value, "verdict", Verdict),
        passed=_typed(value, "passed", bool),
        score=_number_or_none(value, "score"),
        status=_one_of(value, "status", Status),
        tests=tuple(_test_from_json(test) for test in _typed(value, "tests", list)),
        error=_text_or_none(value, "error"),
        flags=tuple(_each_text(value, "flags")),
        sandbox_level=_typed(value, "sandbox_level", int),
        **{key: _typed(value, key, str) for key in _TEXT_KEYS},
        meta={**{key: value[key] for key in value if key not in KEYS}, **meta},
    )


def judgement_from_line(line: bytes) -> Judgement:
    """Read one line of results.jsonl. Raises DataError."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"not JSON: {error}") from error
    return judgement_from_json(value)


def _test_from_json(value: object) -> TestResult | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise DataError(f'an entry of "tests" must be an object or null, not {_kind(value)}')
    return TestResult(
        verdict=_one_of(value, "verdict", Verdict),
        cpu_s=_number(value, "cpu_s"),
        wall_s=_number(value, "wall_s"),
        memory_mb=_number_or_none(value, "memory_mb"),
        matched_by=_text_or_none(value, "matched_by"),
        detail=_text_or_none(value, "detail"),
    )


def _present(value: Mapping[str, Any], key: str) -> Any:
    if key not in value:
        found = ", ".join(map(str, value)) or "none"
        raise DataError(f'"{key}" is missing (keys found: {found})')
    return value[key]


def _typed(value: Mapping[str, Any], key: str, kind: type) -> Any:
    item = _present(value, key)
    if type(item) is not kind:  # exact: True is no sandbox level
        raise DataError(f'"{key}" must be {_NAMES[kind]}, not {_kind(item)}')
    return item


def _number(value: Mapping[str, Any], key: str) -> float:
    item = _present(value, key)
    if isinstance(item, bool) or not isinstance(item, int | float):
        raise DataError(f'"{key}" must be a number, not {_kind(item)}')
    return item


def _number_or_none(value: Mapping[str, Any], key: str) -> float | None:
    return None if _present(value, key) is None else _number(value, key)


def _text_or_none(value: Mapping[str, Any], key: str) -> str | None:
    if _present(value, key) is None:
        return None
    return str(_typed(value, key, str))


def _each_text(value: Mapping[str, Any], key: str) -> list[str]:
    items: list[str] = _typed(value, key, list)
    for item in items:
        if type(item) is not str:
            raise DataError(f'"{key}" must hold texts, not {_kind(item)}')
    return items


def _one_of(value: Mapping[str, Any], key: str, make: Callable[[str], _Enum]) -> _Enum:
    text = _typed(value, key, str)
    try:
        return make(text)
    except ValueError as error:
        raise DataError(f'"{key}" has no such value: {text!r}') from error


_NAMES: dict[type, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
    dict: "an object",
}


def _kind(value: object) -> str:
    if value is None:
        return "null"
    return _NAMES.get(type(value), type(value).__name__)
