"""Compares results of calls, which are plain built-in values, and formats them shortly.

The codec of this process makes both sides from exact built-in types and bounds their nesting, so
== is Python's and never a program's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

IsClose = Callable[[float, float], bool]
"""Whether a finite number is accepted for a finite expected one that differs."""
# Types of items for which == of whole lists gives the right result, at the speed of C.
_PLAIN = (frozenset({int}), frozenset({str}), frozenset({bool}), frozenset({bytes}))
_KEY_BITS = 10_000  # longer integers are not converted to JSON keys
_MAX_SHOWN = 60  # of a shortened value: characters, levels, items
_MAX_DEPTH = 3
_MAX_ITEMS = 8
_BRACKETS = (
    (list, "[", "]"), (tuple, "(", ")"), (set, "{", "}"), (frozenset, "frozenset({", "})"),
)  # fmt: skip


def is_same_typed_value(actual: Any, expected: Any) -> bool:
    """Whether values are equal and of the same types at every level; nan equals nothing.

    1, 1.0 and True differ, and so do [1] and (1,).
    """
    if type(actual) is not type(expected):
        return False
    if isinstance(actual, (list, tuple)):
        if len(actual) != len(expected):
            return False
        if _have_same_plain_types(actual, expected):
            return bool(actual == expected)
        return all(map(is_same_typed_value, actual, expected))
    if isinstance(actual, dict):
        if not _have_same_plain_types(actual, expected):
            actual, expected = _add_types_to_keys(actual), _add_types_to_keys(expected)
        return actual.keys() == expected.keys() and all(
            is_same_typed_value(actual[key], expected[key]) for key in actual
        )
    if isinstance(actual, (set, frozenset)) and not _have_same_plain_types(actual, expected):
        return _add_types(actual) == _add_types(expected)
    return bool(actual == expected)


def _add_types_to_keys(value: dict[Any, Any]) -> dict[Any, Any]:
    return {_add_types(key): item for key, item in value.items()}


def _add_types(value: Any) -> tuple[type, Any]:
    """Return a member of a set or a key, or a set, such that equal ones have the same types: 1 and
    True are equal, and so are sets of them."""
    if isinstance(value, tuple):
        return tuple, tuple(map(_add_types, value))
    if isinstance(value, (set, frozenset)):
        return type(value), frozenset(map(_add_types, value))
    return type(value), value


def _have_same_plain_types(actual: Any, expected: Any) -> bool:
    types = frozenset(map(type, actual))
    return types in _PLAIN and types == frozenset(map(type, expected))


def is_same_value(actual: Any, expected: Any, is_close: IsClose | None = None) -> bool:
    """Whether values are equal for an official judge, which compares serialised values.

    A tuple equals a list. ``is_close`` decides about finite numbers if a real one is expected;
    integers are exact (2.0 equals 2 and 1 equals true, by == as in LiveCodeBench). nan equals nan.
    Dict keys that JSON converted to strings equal the original numbers. "5" does not equal 5, nor
    None [].
    """
    if isinstance(expected, (list, tuple)):
        if not isinstance(actual, (list, tuple)) or len(actual) != len(expected):
            return False
        if _have_same_plain_types(actual, expected):
            return list(actual) == list(expected)
        return all(is_same_value(a, e, is_close) for a, e in zip(actual, expected, strict=True))
    if isinstance(expected, dict):
        return isinstance(actual, dict) and _same_dict(actual, expected, is_close)
    if isinstance(expected, float):
        return type(actual) in (int, float) and _is_same_real(actual, expected, is_close)
    if isinstance(expected, (set, frozenset)):
        return isinstance(actual, (set, frozenset)) and actual == expected
    return type(actual) in (type(expected), bool, int, float) and bool(actual == expected)


def has_same_members(actual: Any, expected: Any) -> bool:
    """Whether two lists (or tuples) have the same members as often, in any order at the top level.

    Members must be equal as in is_same_value without a tolerance, since they are sorted. In all of
    them, or in none, keys of dicts are what JSON makes of them.
    """
    if not (isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple))):
        return False
    texts = sorted(map(_format_value, expected))
    return len(actual) == len(expected) and any(
        sorted(_format_value(value, convert_key) for value in actual) == texts
        for convert_key in (_keep_key, _convert_json_key)
    )


def _keep_key(key: Any) -> Any:
    return key


def _format_value(value: Any, convert_key: Callable[[Any], Any] = _keep_key) -> str:
    """Format a value so that equal values have equal texts; hexadecimal takes linear time."""
    if isinstance(value, float):
        return hex(int(value)) if value.is_integer() else value.hex()
    if isinstance(value, int):
        return hex(value)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(_format_value(item, convert_key) for item in value)}]"
    if isinstance(value, (set, frozenset)):
        return f"{{{','.join(sorted(map(_format_value, value)))}}}"
    if isinstance(value, dict):
        members = sorted(
            f"{_format_value(convert_key(key))}:{_format_value(item, convert_key)}"
            for key, item in value.items()
        )
        return f"{{{','.join(members)}}}"
    return repr(value)


def _same_dict(actual: dict[Any, Any], expected: dict[Any, Any], is_close: IsClose | None) -> bool:
    if len(actual) != len(expected):
        return False
    if actual.keys() != expected.keys():
        if not all(isinstance(key, str) for key in expected):
            return False
        actual = {_convert_json_key(key): value for key, value in actual.items()}
        if actual.keys() != expected.keys():
            return False
    return all(is_same_value(actual[key], value, is_close) for key, value in expected.items())


def _convert_json_key(key: Any) -> Any:
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    if isinstance(key, int) and key.bit_length() > _KEY_BITS:
        return key
    return str(key) if isinstance(key, (int, float)) else key


def _is_same_real(actual: float, expected: float, is_close: IsClose | None) -> bool:
    if actual == expected:
        return True
    try:
        actual = float(actual)
    except OverflowError:
        return False
    if math.isnan(actual) and math.isnan(expected):
        return True
    is_finite = math.isfinite(actual) and math.isfinite(expected)
    return is_finite and is_close is not None and is_close(actual, expected)


def format_value(value: Any, depth: int = 0) -> str:
    """Format a plain value shortly, in time that does not depend on its size."""
    if isinstance(value, str | bytes):
        return repr(value) if len(value) <= _MAX_SHOWN else f"{value[:_MAX_SHOWN]!r}…"
    if isinstance(value, int) and value.bit_length() > 4 * _MAX_SHOWN:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, dict):
        return _format_items("{", value, "}", (
            f"{format_value(k, depth + 1)}: {format_value(v, depth + 1)}" for k, v in value.items()
        ), depth)  # fmt: skip
    for kind, start, end in _BRACKETS:
        if isinstance(value, kind):
            items = (format_value(item, depth + 1) for item in value)
            return _format_items(start, value, end, items, depth)
    return repr(value)


def _format_items(start: str, value: Any, end: str, items: Iterable[str], depth: int) -> str:
    if depth >= _MAX_DEPTH:
        return f"{start}…{end}"
    texts = [item for item, _ in zip(items, range(_MAX_ITEMS), strict=False)]
    ellipsis = ", …" if len(value) > _MAX_ITEMS else ""
    comma = "," if isinstance(value, tuple) and len(value) == 1 else ""
    return f"{start}{', '.join(texts)}{comma}{ellipsis}{end}"


def describe_value_difference(actual: Any, expected: Any) -> str:
    """Format both values, each shortened."""
    texts = (format_value(value) for value in (actual, expected))
    actual_text, expected_text = (t if len(t) <= 80 else f"{t[:80]}…" for t in texts)
    return f"got {actual_text}, expected {expected_text}"
