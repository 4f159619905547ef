"""The lines of tests.jsonl and solutions.jsonl: their keys, and what each value may be.

They are strict: "6" is not a number and 1 is not a string. Unknown keys are kept. A line exists
for one row; only records leave this package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, fields
from typing import Any, Generic, TypeVar

from microcoder_eval.errors import DataError, suggest
from microcoder_eval.records import HIGHEST_LIMIT, Limits
from microcoder_sandbox import record

from . import error_text
from .values import check_encodable

Line = TypeVar("Line")
Check = Callable[[Any, str], None]
"""Checks a value that is not null under a key. Raises DataError."""
_Metadata = dict[str, Check]

LIMIT_KEYS = tuple(limit.name for limit in fields(Limits))


def _check_text(value: Any, key: str) -> None:
    if not isinstance(value, str):
        raise _make_error(value, f'"{key}"', "a string")
    check_encodable(value, key)


def _check_name(value: Any, key: str) -> None:
    _check_text(value, key)
    if not value:
        raise DataError(f'"{key}" is empty')


def _check_list(value: Any, key: str) -> None:
    if not isinstance(value, list | tuple):
        raise _make_error(value, f'"{key}"', "a list")


def _check_anything(value: Any, key: str) -> None:
    """Check only that a text can be encoded: the reader of problems checks the value."""
    if isinstance(value, str):
        check_encodable(value, key)


def _check_texts(value: Any, key: str) -> None:
    """Check a text, or an object of texts."""
    if isinstance(value, Mapping):
        for name, text in value.items():
            if not isinstance(name, str) or not isinstance(text, str):
                raise _make_error(text, f'{key}: "{name}"', "a string")
            check_encodable(name, key)
            check_encodable(text, key)
    elif isinstance(value, str):
        check_encodable(value, key)
    else:
        raise _make_error(value, f'"{key}"', "a string, or an object of strings by language")


def _check_limits(value: Any, key: str) -> None:
    if not isinstance(value, dict):
        raise _make_error(value, f'"{key}"', "an object")
    for name in value:
        if name not in LIMIT_KEYS:
            text = error_text.shorten(str(name), 80)
            raise DataError(f'{key}: unknown key "{text}"{suggest(text, LIMIT_KEYS)}')
    for name, limit in value.items():
        subject = f'{key}: "{name}"'
        if isinstance(limit, bool) or not isinstance(limit, int | float | None):
            unit = "seconds" if name.endswith("_s") else "MiB"
            raise _make_error(limit, subject, f"a number of {unit}")
        if limit is not None and not 0 < limit <= HIGHEST_LIMIT:
            bounds = f"greater than 0 and at most {HIGHEST_LIMIT:.0f}"
            raise _make_error(limit, subject, bounds)


def _one_of(*choices: str) -> _Metadata:
    names = [f"'{choice}'" for choice in choices]
    expected = f"{', '.join(names[:-1])} or {names[-1]}"

    def check(value: Any, key: str) -> None:
        if not isinstance(value, str) or value not in choices:
            description = error_text.describe_value(value)
            raise DataError(f'"{key}" must be {expected}, not {description}')

    return {"check": check}


def _make_error(value: Any, subject: str, expected: str) -> DataError:
    hint = ""
    if expected != "a string" and isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        hint = ": it is a JSON text; write what it holds"
    if isinstance(value, dict) and value.keys() >= {"inputs", "outputs"}:
        hint = ': write its "inputs" and "outputs" beside "problem_id", not inside'
    return DataError(f"{subject} must be {expected}, not {error_text.describe_value(value)}{hint}")


# The metadata of the fields below.
_NAME: _Metadata = {"check": _check_name}
_TEXT: _Metadata = {"check": _check_text}
_TEXTS: _Metadata = {"check": _check_texts}
_LIST: _Metadata = {"check": _check_list}
_LIMITS: _Metadata = {"check": _check_limits}
_ANYTHING: _Metadata = {"check": _check_anything}


@record
class ProblemLine:
    """One problem in our own format. A field is None if missing or null. extra: unknown keys."""

    problem_id: str = field(metadata=_NAME)
    kind: str | None = field(metadata=_one_of("stdin", "call", "assert"))
    tests: list[Any] | None = field(metadata=_LIST)
    entry_point: str | None = field(metadata=_TEXT)
    test_code: str | None = field(metadata=_TEXT)
    test_style: str | None = field(metadata=_one_of("assert", "check", "pytest", "unittest"))
    limits: Mapping[str, float | None] | None = field(metadata=_LIMITS)
    checker: Any = field(metadata=_ANYTHING)
    interactor: Any = field(metadata=_ANYTHING)
    includes: Any = field(metadata=_ANYTHING)
    statement: str | None = field(metadata=_TEXT)
    starter_code: str | Mapping[str, str] | None = field(metadata=_TEXTS)
    test_language: str | None = field(metadata=_TEXT)
    platform: str | None = field(metadata=_TEXT)
    difficulty: Any = field(metadata=_ANYTHING)
    date: str | None = field(metadata=_TEXT)
    solutions: list[Any] | None = field(metadata=_LIST)
    groups: Any = field(metadata=_ANYTHING)
    grader: Any = field(metadata=_ANYTHING)
    objective: str | None = field(metadata=_one_of("max", "min"))
    extra: Mapping[str, Any]


@record
class SolutionLine:
    """One solution in our own format. A field is None if missing or null. extra: unknown keys."""

    problem_id: str = field(metadata=_NAME)
    solution_id: str | None = field(metadata=_NAME)
    code: str | None = field(metadata=_TEXT)
    response: str | None = field(metadata=_TEXT)
    language: str | None = field(metadata=_TEXT)
    file: str | None = field(metadata=_TEXT)
    files: Any = field(metadata=_ANYTHING)
    extra: Mapping[str, Any]


class LineReader(Generic[Line]):
    """Reads the lines of one class. keys: the keys that it knows."""

    def __init__(self, line_class: Callable[..., Line]) -> None:
        self._line_class = line_class
        self._checks: dict[str, Check] = {
            one.name: one.metadata["check"]
            for one in fields(line_class)  # type: ignore[arg-type]  # it is a record
            if one.name != "extra"
        }
        self.keys = tuple(self._checks)
        self._missing: dict[str, Any] = dict.fromkeys(self.keys)

    def read(self, row: Mapping[str, Any], requirement: str) -> Line:
        """Return the line of a row. Raises DataError. requirement: what a row must hold, for the
        message on one without a problem's name."""
        if "problem_id" not in row:
            keys, guess = error_text.describe_keys(row), error_text.suggest_key(row, ["problem_id"])
            raise DataError(f'no "problem_id" ({keys}); {requirement}{guess}')
        known, extra = self._missing.copy(), {}
        for key, value in row.items():
            if (check := self._checks.get(key)) is not None:
                known[key] = value
                if value is not None or key == "problem_id":
                    check(value, key)
                continue
            if not isinstance(key, str):
                raise DataError(f"{key!r}: a key must be a string")
            check_encodable(key, error_text.shorten(key, 80))
            extra[key] = value
        return self._line_class(**known, extra=extra)


problem_lines, solution_lines = LineReader(ProblemLine), LineReader(SolutionLine)
