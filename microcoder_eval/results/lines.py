"""Writes judgements as lines of results.jsonl, and reads and checks such lines.

It uses json and no validation library, because resuming a run may read a million lines, and because
messages must name the wrong key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from microcoder_eval.errors import DataError
from microcoder_eval.records import NOT_RUN, GroupResult, Judgement, Status, TestResult, Verdict
from microcoder_eval.records.judgement import HASH_AND_VERSION_KEYS

_Enum = TypeVar("_Enum", Verdict, Status)

_MAX_NUMBER = 1e12  # so that sums are finite
# Keys of a result line; keys of older or newer versions are kept in meta.
KEYS = frozenset(
    {"problem_id", "solution_id", "verdict", "passed", "score", "status", "tests", "error"}
    | {"points", "max_points", "groups", "flags", "sandbox_level", "versions", "settings", "meta"}
    | {*HASH_AND_VERSION_KEYS}
)


def judgement_to_line(judgement: Judgement) -> bytes:
    """Encode one line of results.jsonl with its newline."""
    return judgement.to_json().encode() + b"\n"


def judgement_from_json(value: object) -> Judgement:
    """Read the object of a result line. Raises DataError that names the key at fault."""
    if not isinstance(value, Mapping):
        raise DataError(f"a result must be a JSON object, not {_name_type(value)}")
    meta = _read_typed(value, "meta", dict) if "meta" in value else {}
    return Judgement(
        problem_id=_read_typed(value, "problem_id", str),
        solution_id=_read_typed(value, "solution_id", str),
        verdict=_read_enum(value, "verdict", Verdict),
        passed=_read_typed(value, "passed", bool),
        score=_read_number_or_none(value, "score"),
        status=_read_enum(value, "status", Status),
        tests=tuple(_test_from_json(test) for test in _read_typed(value, "tests", list)),
        error=_read_text_or_none(value, "error"),
        flags=tuple(_read_texts(value, "flags")),
        sandbox_level=_read_level(value),
        **{key: _read_typed(value, key, str) for key in HASH_AND_VERSION_KEYS},
        versions=_read_versions(value),
        settings=_read_typed(value, "settings", dict) if "settings" in value else {},
        meta={**{key: value[key] for key in value if key not in KEYS}, **meta},
        **_read_points(value),
    )


def _read_points(value: Mapping[str, Any]) -> dict[str, Any]:
    if "groups" not in value:
        return {}
    return {
        "points": _read_number_or_none(value, "points"),
        "max_points": _read_number_or_none(value, "max_points"),
        "groups": tuple(_group_from_json(group) for group in _read_typed(value, "groups", list)),
    }


def _group_from_json(value: object) -> GroupResult:
    if not isinstance(value, Mapping):
        raise DataError(f'an entry of "groups" must be an object, not {_name_type(value)}')
    has_verdict = _read_present(value, "verdict") is not None
    return GroupResult(
        name=_read_typed(value, "name", str),
        points=_read_number_or_none(value, "points"),
        max_points=_read_number_or_none(value, "max_points"),
        verdict=_read_enum(value, "verdict", Verdict) if has_verdict else None,
    )


def judgement_from_line(line: bytes) -> Judgement:
    """Read one line of results.jsonl. Raises DataError."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"not JSON: {error}") from error
    return judgement_from_json(value)


def _test_from_json(value: object) -> TestResult:
    if value is None:
        return NOT_RUN
    if not isinstance(value, Mapping):
        raise DataError(f'an entry of "tests" must be an object or null, not {_name_type(value)}')
    return TestResult(
        verdict=_read_enum(value, "verdict", Verdict),
        cpu_s=_read_number(value, "cpu_s"),
        wall_s=_read_number(value, "wall_s"),
        memory_mb=_read_number_or_none(value, "memory_mb"),
        matched_by=_read_text_or_none(value, "matched_by"),
        detail=_read_text_or_none(value, "detail"),
        points=_read_number(value, "points") if "points" in value else None,
    )


def _read_present(value: Mapping[str, Any], key: str) -> Any:
    if key not in value:
        present_keys = ", ".join(map(str, value)) or "none"
        raise DataError(f'"{key}" is missing (keys found: {present_keys})')
    return value[key]


def _read_typed(value: Mapping[str, Any], key: str, kind: type) -> Any:
    item = _read_present(value, key)
    if type(item) is not kind:  # not isinstance: True is an int
        raise DataError(f'"{key}" must be {_TYPE_NAMES[kind]}, not {_name_type(item)}')
    return item


def _read_number(value: Mapping[str, Any], key: str) -> float:
    item = _read_present(value, key)
    if isinstance(item, bool) or not isinstance(item, int | float):
        raise DataError(f'"{key}" must be a number, not {_name_type(item)}')
    if not abs(item) <= _MAX_NUMBER:  # also true for NaN
        raise DataError(f'"{key}" is not a finite number up to {_MAX_NUMBER:g}')
    return item


def _read_number_or_none(value: Mapping[str, Any], key: str) -> float | None:
    return None if _read_present(value, key) is None else _read_number(value, key)


def _read_level(value: Mapping[str, Any]) -> int:
    level: int = _read_typed(value, "sandbox_level", int)
    if not 0 <= level < 10:
        raise DataError('"sandbox_level" must be a number from 0 to 9')
    return level


def _read_text_or_none(value: Mapping[str, Any], key: str) -> str | None:
    if _read_present(value, key) is None:
        return None
    return str(_read_typed(value, key, str))


def _read_texts(value: Mapping[str, Any], key: str) -> list[str]:
    items: list[str] = _read_typed(value, key, list)
    for item in items:
        if type(item) is not str:
            raise DataError(f'"{key}" must hold texts, not {_name_type(item)}')
    return items


def _read_versions(value: Mapping[str, Any]) -> dict[str, str]:
    """Return the versions; none in results of older versions of this program."""
    versions: dict[str, str] = _read_typed(value, "versions", dict) if "versions" in value else {}
    for version in versions.values():
        if type(version) is not str:
            raise DataError(f'"versions" must hold texts, not {_name_type(version)}')
    return versions


def _read_enum(value: Mapping[str, Any], key: str, parse: Callable[[str], _Enum]) -> _Enum:
    text = _read_typed(value, key, str)
    try:
        return parse(text)
    except ValueError as error:
        raise DataError(f'"{key}" has no such value: {text!r}') from error


_TYPE_NAMES: dict[type, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
    dict: "an object",
}


def _name_type(value: object) -> str:
    if value is None:
        return "null"
    return _TYPE_NAMES.get(type(value), type(value).__name__)
