"""Texts for error messages of readers: places, values, keys and similar names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from microcoder_eval.errors import suggest

if TYPE_CHECKING:
    from pydantic_core import ValidationError

_UNITS = {"s": " of seconds", "mb": " of MiB"}  # by the end of a key
_EXPECTED = {
    "string_type": "a string",
    "float_type": "a number",
    "int_type": "a whole number",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "finite_number": "finite",
    "greater_than": "greater than 0",
}


def describe_error(error: ValidationError, requirement: str, known_keys: Iterable[str] = ()) -> str:
    """Describe the first error of pydantic for a person.

    requirement: what the object must hold, added if a key is missing. known_keys: the allowed
    keys, added if a key is unknown.
    """
    first = error.errors(include_url=False)[0]
    *parents, key = first["loc"] or ("",)
    kind, value = first["type"], first["input"]
    path = _describe_path(parents)
    if kind == "missing":
        close = difflib.get_close_matches(
            str(key), [str(name)[:40] for name in list(value)[:50]], 1
        )
        guess = f', did you mean it by "{close[0]}"?' if close else ""
        place = path + " has " if path else ""
        return f'{place}no "{key}" ({describe_keys(value)}); {requirement}{guess}'
    if kind == "extra_forbidden":
        hint = suggest(str(key), known_keys)
        return f'{path + ": " if path else ""}unknown key "{key}"{hint}'
    if kind == "string_too_short":
        return f'"{key}" is empty'
    if isinstance(key, int):
        subject = _describe_path([*parents, key])
    else:
        subject = f'{path}: "{key}"' if path else f'"{key}"'
    if kind == "literal_error":
        return f"{subject} must be {first['ctx']['expected']}, not {describe_value(value)}"
    expected = _EXPECTED.get(kind)
    if kind == "float_type":
        expected = f"a number{_UNITS.get(str(key).rpartition('_')[2], '')}"
    if expected is None:
        return f"{subject}: {first['msg'].removeprefix('Value error, ')}"
    is_json = kind in ("list_type", "dict_type") and isinstance(value, str)
    is_json = is_json and value.lstrip()[:1] in ("[", "{")
    hint = ": it is a JSON text; write what it holds" if is_json else ""
    if isinstance(value, dict) and value.keys() >= {"inputs", "outputs"}:
        hint = ': write its "inputs" and "outputs" beside "problem_id", not inside'
    return f"{subject} must be {expected}, not {describe_value(value)}{hint}"


def _describe_path(parents: Iterable[int | str]) -> str:
    """Convert ('tests', 2) to 'test 3'."""
    parts: list[str] = []
    for part in parents:
        if isinstance(part, int) and parts:
            parts[-1] = f"{parts[-1].removesuffix('s')} {part + 1}"
        else:
            parts.append(str(part))
    return ", ".join(parts)


def describe_keys(value: object) -> str:
    """List the keys of an object in its order."""
    if not isinstance(value, Mapping) or not value:
        return "no keys found"
    names = [shorten(str(key), 40) for key in list(value)[:12]]
    return f"keys found: {', '.join(names)}{', ...' if len(value) > 12 else ''}"


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
    return start.encode("utf-8", "backslashreplace").decode("utf-8").translate(_CONTROLS)


_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), 127)}
_CONTROLS.update({9: "\\t", 10: "\\n", 13: "\\r"})
