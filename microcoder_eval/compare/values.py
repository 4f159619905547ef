"""Results of calls: plain built-in values, compared structure by structure.

Both sides are exact built-in types made by the codec in this process, so == is Python's own and
never a program's. Nesting is bounded by the codec.
"""

from __future__ import annotations

import math
from typing import Any

RELATIVE, ABSOLUTE = 1e-6, 1e-6


def identical(actual: Any, expected: Any) -> bool:
    """Equal, and of the same type at every level (1, 1.0 and True differ; [1] and (1,) too)."""
    if type(actual) is not type(expected):
        return False
    if isinstance(actual, (list, tuple)):
        return len(actual) == len(expected) and all(map(identical, actual, expected))
    if isinstance(actual, dict):
        return actual.keys() == expected.keys() and all(
            identical(actual[key], expected[key]) for key in actual
        )
    return bool(actual == expected)


def python_equal(actual: Any, expected: Any) -> bool:
    """Python's own ==: a list is not a tuple, 1 == 1.0 == True, nan is not nan."""
    return bool(actual == expected)


def same_value(actual: Any, expected: Any) -> bool:
    """Equal as an official judge sees it, which sees what was serialised.

    A tuple is a list. A real number is close where a real number is expected; integers are exact
    (2.0 for 2 is equal as Python has it). nan is nan. Keys that JSON turned into text match the
    numbers they were. Text is text: "5" is not 5.
    """
    if isinstance(expected, (list, tuple)):
        if not isinstance(actual, (list, tuple)) or len(actual) != len(expected):
            return False
        return all(map(same_value, actual, expected))
    if isinstance(expected, dict):
        return isinstance(actual, dict) and _same_dict(actual, expected)
    if isinstance(expected, float):
        return type(actual) in (int, float) and _close(actual, expected)
    if isinstance(expected, (set, frozenset)):
        return isinstance(actual, (set, frozenset)) and actual == expected
    return type(actual) in (type(expected), bool, int, float) and bool(actual == expected)


def _same_dict(actual: dict[Any, Any], expected: dict[Any, Any]) -> bool:
    if len(actual) != len(expected):
        return False
    if actual.keys() != expected.keys():
        if not all(isinstance(key, str) for key in expected):
            return False
        actual = {_json_key(key): value for key, value in actual.items()}
        if actual.keys() != expected.keys():
            return False
    return all(same_value(actual[key], value) for key, value in expected.items())


def _json_key(key: Any) -> Any:
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    return str(key) if isinstance(key, (int, float)) else key


def _close(actual: float, expected: float) -> bool:
    try:
        actual = float(actual)
    except OverflowError:
        return False
    if actual == expected or (math.isnan(actual) and math.isnan(expected)):
        return True
    if not (math.isfinite(actual) and math.isfinite(expected)):
        return False
    gap = abs(actual - expected)
    if gap <= RELATIVE * abs(expected):
        return True
    if 0 < abs(expected) < ABSOLUTE and actual != 0:
        return False  # below the tolerance only its own scale can tell right from wrong
    return gap <= ABSOLUTE
