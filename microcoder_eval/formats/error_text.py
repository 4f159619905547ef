"""The sentences in which readers say what is wrong: places, values and near misses in words."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

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


def sentence(error: ValidationError, needs: str, known: Iterable[str] = ()) -> str:
    """The first thing pydantic found wrong, for a person.

    needs: what such an object must hold, said when a key is missing. known: the keys allowed
    where an unknown one is refused.
    """
    first = error.errors(include_url=False)[0]
    *parents, key = first["loc"] or ("",)
    kind, value = first["type"], first["input"]
    place = _place(parents)
    if kind == "missing":
        return f'{place + " has " if place else ""}no "{key}" ({keys_of(value)}); {needs}'
    if kind == "extra_forbidden":
        return f'{place + ": " if place else ""}unknown key "{key}"{nearest(str(key), known)}'
    if kind == "string_too_short":
        return f'"{key}" is empty'
    if isinstance(key, int):
        subject = _place([*parents, key])
    else:
        subject = f'{place}: "{key}"' if place else f'"{key}"'
    if kind == "literal_error":
        return f"{subject} must be {first['ctx']['expected']}, not {described(value)}"
    expected = _EXPECTED.get(kind)
    if expected is None:
        return f"{subject}: {first['msg'].removeprefix('Value error, ')}"
    return f"{subject} must be {expected}, not {described(value)}"


def _place(parents: Iterable[int | str]) -> str:
    """('tests', 2) -> 'test 3': people count from one."""
    words: list[str] = []
    for part in parents:
        if isinstance(part, int) and words:
            words[-1] = f"{words[-1].removesuffix('s')} {part + 1}"
        else:
            words.append(str(part))
    return ", ".join(words)


def keys_of(value: object) -> str:
    """The keys of an object in its order, or that it has none."""
    if not isinstance(value, Mapping) or not value:
        return "no keys found"
    names = [brief(str(key), 40) for key in list(value)[:12]]
    return f"keys found: {', '.join(names)}{', ...' if len(value) > 12 else ''}"


def nearest(name: str, known: Iterable[str]) -> str:
    """'; did you mean "x"? known: ...', with what there is to say."""
    names = list(known)
    close = difflib.get_close_matches(name[:80], names, n=1)
    guess = f'; did you mean "{close[0]}"?' if close else ";"
    return f"{guess} known: {', '.join(names)}"


def described(value: Any) -> str:
    """A JSON value in words, short whatever its size."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > 200:
        return "a very long integer"  # writing it out is what Python refuses above 4,300 digits
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f'the string "{brief(value, 40)}"'
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, Mapping):
        return "an object"
    return f"a {type(value).__name__}"


def brief(text: str, length: int) -> str:
    """The start of a text, on one line and printable."""
    start = text if len(text) <= length else text[: length - 3] + "..."
    return start.encode("utf-8", "backslashreplace").decode("utf-8").translate(_CONTROLS)


_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), 127)}
_CONTROLS.update({9: "\\t", 10: "\\n", 13: "\\r"})
