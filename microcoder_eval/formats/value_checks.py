"""Checks values of rows: texts, file names, files and arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.errors import DataError

from . import error_text


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
