"""What a call of test code in another language must return, and whether it did."""

from __future__ import annotations

import math
import re
from typing import Any

from microcoder_sandbox import record

from .literals import UNDEFINED

ANY_TYPE = "%v"  # as Go prints it, which does not tell types apart
_PLAIN_NUMBER = re.compile(r"[+-]?+(?:\d++\.?+\d*+|\.\d++)(?:[eE][+-]?+\d{1,4})?+")


@record
class Expected:
    """What a call must return.

    tolerance: how much numbers, also those in a list, may differ, None if not at all.
    type_text: the type that Go's reflection names, "" for any.
    is_empty: whether an empty Optional, text or container is expected instead of ``value``.
    is_truth: whether the result itself is the condition.
    tells_zeros: whether 0.0 and -0.0 differ.
    is_loose: whether JavaScript's ``==`` compares.
    bools_are_numbers: whether a truth value equals 0 or 1, as in C++.
    tells_reals: whether an integer and a real differ, as their types do.
    characters_are_numbers: whether a text of one character is its number.
    conversion: what is reported in place of the result, written in the language; {} is the call.
    source: the assertion's text.
    """

    value: Any
    tolerance: float | None = None
    type_text: str = ""
    is_empty: bool = False
    is_loose: bool = False
    bools_are_numbers: bool = False
    is_truth: bool = False
    tells_zeros: bool = False
    tells_reals: bool = False
    characters_are_numbers: bool = False
    conversion: str = "{}"
    source: str = ""

    def accepts(self, actual: Any) -> bool:
        """Whether a value, made in this process of what the program sent, is what is expected."""
        if self.is_empty:
            return actual is None or actual in ("", [], {})
        try:
            return _match(actual, self.value, self)
        except (RecursionError, OverflowError):  # an integer beyond every float
            return False


def _match(actual: Any, expected: Any, rule: Expected) -> bool:
    if rule.is_loose:
        actual, expected = (None if value == UNDEFINED else value for value in (actual, expected))
    if isinstance(expected, (list, dict)) and rule.type_text == ANY_TYPE and actual is None:
        actual = type(expected)()
    if isinstance(expected, list):
        return (
            isinstance(actual, (list, tuple))
            and len(actual) == len(expected)
            and all(_match(one, other, rule) for one, other in zip(actual, expected, strict=True))
        )
    if isinstance(expected, dict):
        return (
            isinstance(actual, dict)
            and actual.keys() == expected.keys()
            and all(_match(actual[key], item, rule) for key, item in expected.items())
        )
    if rule.bools_are_numbers and bool in (type(actual), type(expected)):
        return isinstance(actual, (int, float)) and bool(actual == expected)
    if rule.characters_are_numbers and type(actual) is not type(expected):
        actual, expected = map(_get_character_number, (actual, expected))
    types = {type(actual), type(expected)}
    if rule.is_loose and (str in types or bool in types):
        return _are_equal_in_javascript(actual, expected)
    if isinstance(expected, (int, float)) and not isinstance(expected, bool):
        if not isinstance(actual, (int, float)) or isinstance(actual, bool):
            return False
        if rule.tells_zeros and actual == expected == 0:
            return math.copysign(1, actual) == math.copysign(1, expected)
        if rule.tells_reals and type(actual) is not type(expected):
            return False
        if rule.tolerance is None:
            return actual == expected
        return abs(actual - expected) <= rule.tolerance
    return type(actual) is type(expected) and bool(actual == expected)


def _get_character_number(value: Any) -> Any:
    return ord(value) if isinstance(value, str) and len(value) == 1 else value


def _are_equal_in_javascript(actual: Any, expected: Any) -> bool:
    """Whether JavaScript's ``==`` holds if at least one side is a text or a truth value, which it
    compares with a number as a number."""
    if type(actual) is type(expected):
        return bool(actual == expected)
    if not isinstance(actual, str) and not isinstance(expected, str):
        return isinstance(actual, (bool, int, float)) and bool(actual == expected)
    text, other = (actual, expected) if isinstance(actual, str) else (expected, actual)
    if not isinstance(other, (bool, int, float)) or not _PLAIN_NUMBER.fullmatch(
        text.strip() or "0"
    ):
        return False
    return float(text.strip() or "0") == other
