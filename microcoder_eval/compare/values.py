"""Results of calls: plain built-in values, compared structure by structure.

Both sides are exact built-in types made by the codec in this process, so == is Python's own and
never a program's. Nesting is bounded by the codec.
"""

from __future__ import annotations

import math
from typing import Any

# Kinds for which == of whole lists is the comparison wanted, at the speed of C.
_PLAIN = (frozenset({int}), frozenset({str}), frozenset({bool}), frozenset({bytes}))
_KEY_BITS = 10_000  # a longer number is no key of any JSON object


def identical(actual: Any, expected: Any) -> bool:
    """Equal, and of the same type at every level (1, 1.0 and True differ; [1] and (1,) too).

    nan is nothing's equal, itself included.
    """
    if type(actual) is not type(expected):
        return False
    if isinstance(actual, (list, tuple)):
        return len(actual) == len(expected) and (
            actual == expected
            if _alike(actual, expected)
            else all(map(identical, actual, expected))
        )
    if isinstance(actual, dict):
        # Keys that are equal may differ in type: {1: 0} and {True: 0}.
        return actual.keys() == expected.keys() and all(
            identical(actual[key], expected[key]) for key in actual
        )
    return bool(actual == expected)


def _alike(actual: Any, expected: Any) -> bool:
    kinds = frozenset(map(type, actual))
    return kinds in _PLAIN and kinds == frozenset(map(type, expected))


def python_equal(actual: Any, expected: Any) -> bool:
    """Python's own ==: a list is not a tuple, 1 == 1.0 == True, nan is not nan."""
    return bool(actual == expected)


def same_value(
    actual: Any, expected: Any, absolute: float | None = None, relative: float | None = None
) -> bool:
    """Equal as an official judge sees it, which sees what was serialised.

    A tuple is a list. A real number is close where a real number is expected; integers are exact
    (2.0 for 2, and 1 for true, are equal as Python's == has it, and LiveCodeBench with it). nan
    is nan. Keys that JSON turned into text match the numbers they were. Text is text: "5" is not
    5. None is not an empty list.
    """
    if isinstance(expected, (list, tuple)):
        if not isinstance(actual, (list, tuple)) or len(actual) != len(expected):
            return False
        if _alike(actual, expected):
            return list(actual) == list(expected)
        return all(
            same_value(a, e, absolute, relative) for a, e in zip(actual, expected, strict=True)
        )
    if isinstance(expected, dict):
        return isinstance(actual, dict) and _same_dict(actual, expected, absolute, relative)
    if isinstance(expected, float):
        return type(actual) in (int, float) and _close(actual, expected, absolute, relative)
    if isinstance(expected, (set, frozenset)):
        return isinstance(actual, (set, frozenset)) and actual == expected
    return type(actual) in (type(expected), bool, int, float) and bool(actual == expected)


def same_members(
    actual: Any, expected: Any, absolute: float | None = None, relative: float | None = None
) -> bool:
    """Two lists (or tuples) with the same members as often, in any order at the top level.

    Members must be equal as same_value has it without a tolerance: "close" has no order.
    """
    if not (isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple))):
        return False
    return len(actual) == len(expected) and sorted(map(_name, actual)) == sorted(
        map(_name, expected)
    )


def _name(value: Any) -> str:
    """A text that is the same for equal values; hexadecimal because it is linear in the length."""
    if isinstance(value, float):
        return hex(int(value)) if value.is_integer() else value.hex()
    if isinstance(value, int):
        return hex(value)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(_name, value))}]"
    if isinstance(value, (set, frozenset)):
        return f"{{{','.join(sorted(map(_name, value)))}}}"
    if isinstance(value, dict):
        return f"{{{','.join(sorted(f'{_name(k)}:{_name(v)}' for k, v in value.items()))}}}"
    return repr(value)


def _same_dict(
    actual: dict[Any, Any], expected: dict[Any, Any], absolute: float | None, relative: float | None
) -> bool:
    if len(actual) != len(expected):
        return False
    if actual.keys() != expected.keys():
        if not all(isinstance(key, str) for key in expected):
            return False
        actual = {_json_key(key): value for key, value in actual.items()}
        if actual.keys() != expected.keys():
            return False
    return all(
        same_value(actual[key], value, absolute, relative) for key, value in expected.items()
    )


def _json_key(key: Any) -> Any:
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    if isinstance(key, int) and key.bit_length() > _KEY_BITS:
        return key
    return str(key) if isinstance(key, (int, float)) else key


def _close(actual: float, expected: float, absolute: float | None, relative: float | None) -> bool:
    if actual == expected:
        return True
    try:
        actual = float(actual)
    except OverflowError:
        return False
    if math.isnan(actual) and math.isnan(expected):
        return True
    if not (math.isfinite(actual) and math.isfinite(expected)):
        return False
    gap = abs(actual - expected)
    if relative is not None and gap <= relative * abs(expected):
        return True
    if absolute is None or gap > absolute:
        return False
    # Below the tolerance only its own scale can tell right from wrong; but zero is a fair answer.
    return relative is None or actual == 0 or not 0 < abs(expected) < absolute
