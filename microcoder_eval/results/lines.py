"""Writes judgements as lines of results.jsonl, and reads and checks such lines.

It uses json and no validation library, because resuming a run may read a million lines, and because
messages must name the wrong key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.records import NOT_RUN, GroupResult, Judgement, Status, TestResult, Verdict
from microcoder_eval.records.judgement import HASH_AND_VERSION_KEYS, REQUIRED_FIELDS

Read = Callable[[Any, str], Any]
"""Returns a value as a record holds it; the text names it in messages. Raises DataError."""
_MAX_NUMBER = 1e12  # so that sums are finite
_TYPE_NAMES: dict[type, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
    dict: "an object",
}


def judgement_to_line(judgement: Judgement) -> bytes:
    """Encode one line of results.jsonl with its newline."""
    return judgement.to_json().encode() + b"\n"


def judgement_from_line(line: bytes, *, lenient: bool = False) -> Judgement:
    """Read one line of results.jsonl. Raises DataError. lenient: see judgement_from_json."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"not JSON: {error}") from error
    return judgement_from_json(value, lenient=lenient)


def judgement_from_json(value: object, *, lenient: bool = False) -> Judgement:
    """Read the object of a result line. Raises DataError that names the key at fault.

    lenient: all but names and verdicts have defaults, for lines of other programs.
    """
    if not isinstance(value, Mapping):
        raise DataError(f"a result must be a JSON object, not {_name_type(value)}")
    required = _NAMES if lenient else REQUIRED_FIELDS
    fields = _read_fields(value, _FIELDS, required)
    if lenient:
        fields = {**_make_defaults(fields["verdict"]), **fields}
    tests = tuple(_read_test(test, lenient=lenient) for test in fields.pop("tests"))
    others = {key: value[key] for key in value if key not in _FIELDS}
    meta = {**others, **fields.pop("meta", {})}
    return Judgement(**fields, tests=tests, meta=meta)


def _make_defaults(verdict: Verdict) -> dict[str, Any]:
    statuses = {Verdict.AC: Status.CORRECT, Verdict.JE: Status.ERROR}
    return {
        "passed": verdict is Verdict.AC,
        "status": statuses.get(verdict, Status.INCORRECT),
        "score": None,
        "error": None,
        "tests": (),
        "flags": (),
        "sandbox_level": 0,
        **dict.fromkeys(HASH_AND_VERSION_KEYS, ""),
    }


def _read_fields(
    value: Mapping[str, Any], fields: Mapping[str, Read], required: Collection[str]
) -> dict[str, Any]:
    for key in fields:
        if key in required and key not in value:
            present_keys = ", ".join(map(str, value)) or "none"
            raise DataError(f'"{key}" is missing (keys found: {present_keys})')
    return {key: read(value[key], f'"{key}"') for key, read in fields.items() if key in value}


def _read_test(value: Any, *, lenient: bool) -> TestResult:
    if value is None:
        return NOT_RUN
    if not isinstance(value, Mapping):
        raise DataError(f'an entry of "tests" must be an object or null, not {_name_type(value)}')
    required = {"verdict"} if lenient else _TEST_FIELDS.keys() - _OPTIONAL_IN_TESTS
    return TestResult(**_read_fields(value, _TEST_FIELDS, required))


def _read_group(value: Any, name: str) -> GroupResult:
    return GroupResult(**_read_fields(_read_object(value, name), _GROUP_FIELDS, _GROUP_FIELDS))


def _read_typed(kind: type, value: Any, name: str) -> Any:
    if type(value) is not kind:  # not isinstance: True is an int
        raise DataError(f"{name} must be {_TYPE_NAMES[kind]}, not {_name_type(value)}")
    return value


_read_text = partial(_read_typed, str)
_read_list = partial(_read_typed, list)
_read_object = partial(_read_typed, dict)


def _read_enum(kind: type[Verdict] | type[Status], value: Any, name: str) -> Verdict | Status:
    text = _read_text(value, name)
    try:
        return kind(text)
    except ValueError as error:
        raise DataError(f"{name} has no such value: {text!r}") from error


def _read_number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(f"{name} must be a number, not {_name_type(value)}")
    if not abs(value) <= _MAX_NUMBER:  # also true for NaN
        raise DataError(f"{name} is not a finite number up to {_MAX_NUMBER:g}")
    return value


def _read_level(value: Any, name: str) -> int:
    level: int = _read_typed(int, value, name)
    if not 0 <= level < 10:
        raise DataError(f"{name} must be a number from 0 to 9")
    return level


def _read_versions(value: Any, name: str) -> dict[str, str]:
    return {key: _read_text(item, f"an entry of {name}")
            for key, item in _read_object(value, name).items()}  # fmt: skip


def _or_null(read: Read) -> Read:
    return lambda value, name: None if value is None else read(value, name)


def _each(read: Read) -> Read:
    return lambda value, name: tuple(
        read(item, f"an entry of {name}") for item in _read_list(value, name)
    )


def _name_type(value: object) -> str:
    if value is None:
        return "null"
    return _TYPE_NAMES.get(type(value), type(value).__name__)


_read_verdict = partial(_read_enum, Verdict)
_TEST_FIELDS: Mapping[str, Read] = {
    "verdict": _read_verdict,
    "cpu_s": _read_number,
    "wall_s": _read_number,
    "memory_mb": _or_null(_read_number),
    "matched_by": _or_null(_read_text),
    "detail": _or_null(_read_text),
    "points": _read_number,
}
_GROUP_FIELDS: Mapping[str, Read] = {
    "name": _read_text,
    "points": _or_null(_read_number),
    "max_points": _or_null(_read_number),
    "verdict": _or_null(_read_verdict),
}
_NAMES = frozenset({"problem_id", "solution_id", "verdict"})
_OPTIONAL_IN_TESTS = frozenset({"points"})  # a key added later belongs here
# Keys of older or newer versions are kept in meta.
_FIELDS: Mapping[str, Read] = {
    "problem_id": _read_text,
    "solution_id": _read_text,
    "verdict": _read_verdict,
    "passed": partial(_read_typed, bool),
    "score": _or_null(_read_number),
    "status": partial(_read_enum, Status),
    "tests": _read_list,
    "error": _or_null(_read_text),
    "flags": _each(_read_text),
    "sandbox_level": _read_level,
    **dict.fromkeys(HASH_AND_VERSION_KEYS, _read_text),
    "versions": _read_versions,
    "settings": _read_object,
    "meta": _read_object,
    "points": _or_null(_read_number),
    "max_points": _or_null(_read_number),
    "groups": _each(_read_group),
}
