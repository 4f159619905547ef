"""The lines of tests.jsonl and solutions.jsonl: their keys, and what each value may be.

They are strict: "6" is not a number and 1 is not a string. Unknown keys are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from types import SimpleNamespace
from typing import Any

from microcoder_eval.errors import DataError, suggest
from microcoder_eval.records import Limits, check_limit

from . import error_text

Check = Callable[[Any, str], object]
"""Checks a value that is not null under a key. Raises DataError."""

LIMIT_KEYS = tuple(limit.name for limit in fields(Limits))


def check_file_name(name: Any, key: str) -> str:
    """Return a relative path with forward slashes that stays in its folder and that no compiler
    takes for an option, or for a file of options. Raises DataError."""
    parts = name.split("/") if isinstance(name, str) else ["\0"]
    if any(part in ("", ".", "..") or part[0] in "-@" or "\0" in part for part in parts):
        raise error_text.wrong_value(f'"{key}" must name a file in a folder', name)
    check_encodable(name, key)
    return str(name)


def check_files(value: Any, key: str) -> dict[str, str]:
    """Return an object {file name: text}. Raises DataError."""
    if not isinstance(value, Mapping):
        raise error_text.wrong_value(f'"{key}" must be an object of texts by file name', value)
    for name, text in value.items():
        check_file_name(name, key)
        if not isinstance(text, str):
            subject = f'"{key}": "{error_text.shorten(name, 60)}"'
            raise error_text.wrong_value(f"{subject} must be text", text)
        check_encodable(text, key)
    return dict(value)


def check_args(value: Any, key: str) -> tuple[str, ...]:
    """Return a list of texts, as programs get arguments. Raises DataError."""
    if not isinstance(value, list | tuple) or not all(isinstance(word, str) for word in value):
        raise error_text.wrong_value(f'"{key}" must be a list of texts', value)
    for word in value:
        if "\0" in word:
            raise DataError(f'"{key}": an argument cannot hold a zero byte')
        check_encodable(word, key)
    return tuple(value)


def check_encodable(text: str, key: str) -> None:
    """Raise DataError if ``text`` has half of a surrogate pair, which UTF-8 cannot encode."""
    try:
        text.isascii() or text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            f'"{key}" has half of a surrogate pair (\\u{ord(text[error.start]):04x}) at character '
            f"{error.start + 1}, which UTF-8 cannot hold; write the whole character"
        ) from None


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
            _check_text(name, key)
            _check_text(text, f'{key}": "{error_text.shorten(name, 60)}')
    elif isinstance(value, str):
        check_encodable(value, key)
    else:
        raise _make_error(value, f'"{key}"', "a string, or an object of strings by language")


def _check_limits(value: Any, key: str) -> None:
    if not isinstance(value, dict):
        raise _make_error(value, f'"{key}"', "an object")
    for name, limit in value.items():
        if name not in LIMIT_KEYS:
            text = error_text.shorten(str(name), 80)
            raise DataError(f'{key}: unknown key "{text}"{suggest(text, LIMIT_KEYS)}')
        try:
            check_limit(name, 1 if limit is None else limit)
        except ValueError as error:
            raise DataError(f"{key}: {error_text.shorten(str(error), 160)}") from None


def _one_of(*choices: str) -> Check:
    names = [f"'{choice}'" for choice in choices]
    expected = f"{', '.join(names[:-1])} or {names[-1]}"

    def check(value: Any, key: str) -> None:
        if not isinstance(value, str) or value not in choices:
            raise error_text.wrong_value(f'"{key}" must be {expected}', value)

    return check


def _make_error(value: Any, subject: str, expected: str) -> DataError:
    hint = ""
    if expected != "a string" and isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        hint = ": it is a JSON text; write what it holds"
    return DataError(f"{subject} must be {expected}, not {error_text.describe_value(value)}{hint}")


# Both are written in this order.
PROBLEM_KEYS: Mapping[str, Check] = {
    "problem_id": _check_name,
    "kind": _one_of("stdin", "call", "assert"),
    "tests": _check_list,
    "test_code": _check_text,
    "test_style": _one_of("assert", "check", "pytest", "unittest"),
    "entry_point": _check_text,
    "limits": _check_limits,
    "checker": _check_anything,
    "interactor": _check_anything,
    "includes": _check_anything,
    "statement": _check_text,
    "starter_code": _check_texts,
    "test_language": _check_text,
    "platform": _check_text,
    "difficulty": _check_anything,
    "date": _check_text,
    "solutions": _check_list,
    "groups": _check_anything,
    "grader": _check_anything,
    "objective": _one_of("max", "min"),
}
SOLUTION_KEYS: Mapping[str, Check] = {
    "problem_id": _check_name,
    "solution_id": _check_name,
    "code": _check_text,
    "response": _check_text,
    "language": _check_text,
    "file": _check_text,
    "files": check_files,
}


def read_line(
    row: Mapping[str, Any], checks: Mapping[str, Check], requirement: str
) -> SimpleNamespace:
    """Return the values of the known keys as attributes, None where one is missing or null; the
    other keys and values are its ``extra``. Raises DataError.

    checks: PROBLEM_KEYS or SOLUTION_KEYS. requirement: what a row must hold, for the message on one
    without a problem's name.
    """
    if "problem_id" not in row:
        keys, guess = error_text.describe_keys(row), error_text.suggest_key(row, ["problem_id"])
        raise DataError(f'no "problem_id" ({keys}); {requirement}{guess}')
    known: dict[str, Any] = dict.fromkeys(checks)
    extra = {}
    for key, value in row.items():
        if (check := checks.get(key)) is not None:
            known[key] = value
            if value is not None or key == "problem_id":
                check(value, key)
            continue
        if not isinstance(key, str):
            raise DataError(f"{key!r}: a key must be a string")
        check_encodable(key, error_text.shorten(key, 80))
        extra[key] = value
    return SimpleNamespace(**known, extra=extra)
