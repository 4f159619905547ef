"""Writes judgements as lines of results.jsonl, and reads and checks such lines.

A key's value must be of the type that the record's field has. It uses json and no validation
library, because resuming a run may read a million lines, because results may hold half a surrogate
pair, and because messages must name the wrong key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from enum import Enum
from functools import partial
from types import NoneType
from typing import Any, get_args, get_type_hints

from microcoder_eval.errors import DataError
from microcoder_eval.records import NOT_RUN, GroupResult, Judgement, TestResult, Verdict
from microcoder_eval.records.judgement import REQUIRED_FIELDS

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


def judgement_from_line(line: bytes) -> Judgement:
    """Read one line of results.jsonl. Raises DataError."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"not JSON: {error}") from error
    return judgement_from_json(value)


def judgement_from_json(value: object) -> Judgement:
    """Read the object of a result line. Raises DataError that names the key at fault."""
    if not isinstance(value, Mapping):
        raise DataError(f"a result must be a JSON object, not {_name_type(value)}")
    keys = _read_keys(value, _JUDGEMENT_KEYS, REQUIRED_FIELDS)
    tests = tuple(map(_read_test, keys.pop("tests")))
    others = {key: value[key] for key in value if key not in _JUDGEMENT_KEYS}
    meta = {**others, **keys.pop("meta", {})}
    return Judgement(**keys, tests=tests, meta=meta)


def _read_keys(
    value: Mapping[str, Any], readers: Mapping[str, Read], required: Collection[str]
) -> dict[str, Any]:
    for key in readers:
        if key in required and key not in value:
            present_keys = ", ".join(map(str, value)) or "none"
            raise DataError(f'"{key}" is missing (keys found: {present_keys})')
    return {key: read(value[key], f'"{key}"') for key, read in readers.items() if key in value}


def _read_test(value: Any) -> TestResult:
    if value is None:
        return NOT_RUN
    if not isinstance(value, Mapping):
        raise DataError(f'an entry of "tests" must be an object or null, not {_name_type(value)}')
    return TestResult(**_read_keys(value, _TEST_KEYS, _TEST_KEYS.keys() - _OPTIONAL_IN_TESTS))


def _read_group(value: Any, name: str) -> GroupResult:
    return GroupResult(**_read_keys(_read_object(value, name), _GROUP_KEYS, _GROUP_KEYS))


def _read_typed(kind: type, value: Any, name: str) -> Any:
    if type(value) is not kind:  # not isinstance: True is an int
        raise DataError(f"{name} must be {_TYPE_NAMES[kind]}, not {_name_type(value)}")
    return value


_read_text = partial(_read_typed, str)
_read_list = partial(_read_typed, list)
_read_object = partial(_read_typed, dict)


def _read_enum(kind: type[Enum], value: Any, name: str) -> Enum:
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


def _make_reader(kind: Any) -> Read:
    """Return what reads the values of a field of this type."""
    kinds = get_args(kind)
    if NoneType in kinds:
        read = _make_reader(kinds[0])
        return lambda value, name: None if value is None else read(value, name)
    if kinds[1:] == (...,):
        read = _make_reader(kinds[0])
        return lambda value, name: tuple(
            read(item, f"an entry of {name}") for item in _read_list(value, name)
        )
    if kinds == (str, str):
        return lambda value, name: {
            key: _read_text(item, f"an entry of {name}")
            for key, item in _read_object(value, name).items()
        }
    if kinds:
        return _read_object
    readers = {float: _read_number, int: _read_level, GroupResult: _read_group}
    default = partial(_read_enum if issubclass(kind, Enum) else _read_typed, kind)
    return readers.get(kind, default)


def _make_readers(record: type) -> dict[str, Read]:
    """Return what reads each field of a record, by its name."""
    types = get_type_hints(record)
    return {field.name: _make_reader(types[field.name]) for field in fields(record)}


def _name_type(value: object) -> str:
    if value is None:
        return "null"
    return _TYPE_NAMES.get(type(value), type(value).__name__)


_OPTIONAL_IN_TESTS = frozenset({"points"})  # a key added later belongs here
_GROUP_KEYS = _make_readers(GroupResult)
# A test that was not run has no entry, and one without points no such key: null is neither.
_TEST_KEYS = _make_readers(TestResult) | {
    "verdict": _make_reader(Verdict),
    "points": _read_number,
}
# Keys of older or newer versions are kept in meta.
_JUDGEMENT_KEYS = _make_readers(Judgement) | {"tests": _read_list}
