"""Conditions that assertions of other languages check: a call, and what must come of it."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

from microcoder_sandbox import record

from .literals import UNDEFINED, list_java_classes, pair_up, read_value
from .tokens import (
    NotTranslatableError,
    Tokens,
    find_end,
    split,
    split_arguments,
    split_call,
    texts,
    unwrap,
)

_ABSOLUTE = {"abs", "fabs", "std::abs", "std::fabs", "Math.abs", "math.Abs", "f64::abs", "f32::abs"}
_PLAIN_NUMBER = re.compile(r"[+-]?+(?:\d++\.?+\d*+|\.\d++)(?:[eE][+-]?+\d{1,4})?+")
ANY_TYPE = "%v"  # as Go prints it, which does not tell types apart
_STRINGIFY = ["JSON", ".", "stringify", "("]
AS_JSON = "JSON.parse(JSON.stringify({}))"
_STRICTLY = "{}, true"  # the second argument of ``report`` in drivers/before.js
_LIBRARY = ("JSON", "Math", "math", "Objects", "Arrays", "Object", "String", "assert")


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


def read_condition(language: str, tokens: Tokens) -> tuple[Tokens, Expected]:
    """Return the call, and what must come of it. Raises NotTranslatableError."""
    tokens = unwrap(tokens)
    words = texts(tokens)
    if any(len(split(tokens, frozenset([mark]))) > 1 for mark in ("&&", "||", "?", "!=", "!==")):
        raise NotTranslatableError("a condition of several parts")
    sides = split(tokens, frozenset(("==", "===")))
    if len(sides) == 2:
        is_loose = len(split(tokens, frozenset(["=="]))) == 2
        return read_equality(language, *sides, is_loose=is_loose)
    if len(sides) > 2:
        raise NotTranslatableError("several comparisons")
    if words[:1] in (["!"], ["not"]):
        return require_call(tokens[1:]), Expected(value=False, is_truth=True)
    pair = _read_closeness(language, tokens) or (
        _read_java_method(tokens) if language == "java" else None
    )
    return pair or (require_call(tokens), Expected(value=True, is_truth=True))


def read_equality(
    language: str, left: Tokens, right: Tokens, *, is_loose: bool = False
) -> tuple[Tokens, Expected]:
    """Return the side that is a call, and the value on the other one."""
    conversion = "{}"
    if language == "javascript":
        left, right = unwrap(left), unwrap(right)
        left_text, right_text = _unwrap_stringify(left), _unwrap_stringify(right)
        conversion = "{}" if is_loose else _STRICTLY
        if left_text and right_text:
            left, right = left_text, right_text
            conversion = AS_JSON
    for call, literal in ((left, right), (right, left)):
        try:
            value = read_value(language, literal)
        except NotTranslatableError:
            continue
        return require_call(call), Expected(
            value,
            is_loose=is_loose and language == "javascript",
            tells_reals=language == "rust",
            characters_are_numbers=language in ("cpp", "java"),
            conversion=conversion,
        )
    raise NotTranslatableError("a comparison with no value")


def require_call(tokens: Tokens) -> Tokens:
    """Return the tokens if they call a function, or a method of an object, and do nothing else with
    the result. Raises NotTranslatableError."""
    tokens = unwrap(tokens)
    head, inner = split_call(tokens)
    words = texts(head)
    if words[-2:] == [".", "get"] and not inner and words[-3] == ")":  # of an Optional
        return [*require_call(head[:-2]), *tokens[len(head) - 2 :]]
    names = head[5:] if words[:1] == ["new"] and words[2:5] == ["(", ")", "."] else head
    is_path = len(names) % 2 == 1 and all(name.text in (".", "::") for name in names[1::2])
    if not is_path or names[-1].kind != "name" or tokens[len(head)].text != "(":
        raise NotTranslatableError("no call")
    if words[0] in _LIBRARY:
        raise NotTranslatableError("a call of the library")
    return tokens


def _unwrap_stringify(tokens: Tokens) -> Tokens | None:
    return split_call(tokens)[1] if texts(tokens[:4]) == _STRINGIFY else None


def _read_closeness(language: str, tokens: Tokens) -> tuple[Tokens, Expected] | None:
    """Read ``abs(call - number) < number``; None for another form."""
    for mark in ("<", "<="):
        sides = split(tokens, frozenset([mark]))
        if len(sides) != 2:
            continue
        head, inner = split_call(sides[0])
        if "".join(texts(head)) not in _ABSOLUTE:
            return None
        end = find_end(inner, texts(inner).index("(")) if "(" in texts(inner) else 0
        operator = texts(inner[end + 1 : end + 2])
        if operator not in (["-"], ["+"]):
            return None
        value, tolerance = (
            read_value(language, inner[end + 2 :]), read_value(language, sides[1])
        )  # fmt: skip
        if type(value) not in (int, float) or type(tolerance) not in (int, float):
            return None
        expected = -value if operator == ["+"] else value
        # The largest distance that is less than a number is the float before it.
        tolerance = math.nextafter(tolerance, -math.inf) if mark == "<" else tolerance
        return require_call(inner[: end + 1]), Expected(expected, tolerance)
    return None


def _read_java_method(tokens: Tokens) -> tuple[Tokens, Expected] | None:
    """Read ``call.equals(value)``, ``Objects.equals(a, b)`` or ``call.isEmpty()``; None for another
    form."""
    head, inner = split_call(tokens)
    words = texts(head)
    if words[-2:] == [".", "equals"]:
        sides = split_pair(inner) if words[0] == "Objects" else [head[:-2], inner]
        call, expected = read_equality("java", *sides)
        classes = list_java_classes(
            [token for side in sides for token in side if token not in call]
        )
        return call, replace(
            expected,
            tells_reals=True,
            tells_zeros=True,
            characters_are_numbers=False,
            conversion=f"{{}}, {classes}",
        )
    if words[-2:] == [".", "isEmpty"]:
        return require_call(head[:-2]), Expected(None, is_empty=True)
    return None


def split_pair(tokens: Tokens) -> list[Tokens]:
    """Return two arguments; a third is a message."""
    parts = split_arguments(tokens)
    if len(parts) < 2:
        raise NotTranslatableError("a comparison of one value")
    return list(parts[:2])


def read_same(arguments: Tokens, kind: str) -> tuple[Tokens, Expected]:
    """Read ``issame(call, value)``, a function of C++ tests that compares two containers."""
    call, literal = split_pair(arguments)
    value = read_value("cpp", literal)
    if kind == "map":
        return require_call(call), Expected(pair_up(value))
    return require_call(call), Expected(value, tolerance=1e-4 if kind == "close" else None)
