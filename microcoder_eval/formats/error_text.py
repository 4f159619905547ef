"""Texts for error messages of readers: values and keys."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from microcoder_eval.errors import DataError, guess_name

if TYPE_CHECKING:
    from pydantic import ValidationError

_MAX_COMPARED = 50


def describe_keys(value: object) -> str:
    """List the keys of an object in its order, and which of them hold nothing."""
    if not isinstance(value, Mapping) or not value:
        return "no keys found"
    names = [shorten(str(key), 40) + " (null)" * (value[key] is None) for key in list(value)[:12]]
    return f"keys found: {', '.join(names)}{', ...' if len(value) > 12 else ''}"


def suggest_key(value: Mapping[Any, Any], names: Iterable[str]) -> str:
    """Return a question after a key of an object that is close to one of these names, or nothing.
    Only its first keys are compared."""
    for key in list(value)[:_MAX_COMPARED]:
        for close in difflib.get_close_matches(str(key)[:40], names, 1):
            return f'; rename "{shorten(str(key), 40)}" to "{close}"?'
    return ""


def wrong_value(requirement: str, value: Any, hint: str = "", *, row: object = None) -> DataError:
    """Return the error of a value that is not as required. hint: follows the value. row: the object
    whose keys the message lists."""
    keys = "" if row is None else f" ({describe_keys(row)})"
    return DataError(f"{requirement}, not {describe_value(value)}{hint}{keys}")


def describe_invalid(
    error: ValidationError, *, depth: int | None = None, known_keys: Iterable[str] = ()
) -> str:
    """Describe the first fault of settings or of an answer: its key, value and reason.

    depth: how many parts of the key are shown; pydantic adds the names of types to it. known_keys:
    those that an unknown key may mean.
    """
    fault = error.errors(include_url=False)[0]
    names = [part for part in fault["loc"][:depth] if isinstance(part, str)]
    reason = fault["msg"].removeprefix("Value error, ")
    if fault["type"] == "extra_forbidden":
        reason = f"unknown key{guess_name(names[-1], known_keys)}"
    key = ".".join(names)
    if key and fault["type"] != "missing":
        key = f"{key}={shorten(repr(fault['input']), 80)}"
    return f"{key}: {reason}" if key else reason


def describe_value(value: Any) -> str:
    """Describe a JSON value shortly."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > 200:
        return "a very long integer"  # Python refuses to format more than 4,300 digits
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f'the string "{shorten(value, 40)}"'
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, Mapping):
        return "an object"
    return f"a {type(value).__name__}"


def shorten(text: str, length: int) -> str:
    """Return the start of a text, on one line and printable."""
    start = text if len(text) <= length else text[: length - 3] + "..."
    # A terminal obeys controls beyond ASCII, too, and shows text in the order that others ask for.
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in start)
