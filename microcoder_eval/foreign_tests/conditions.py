"""Conditions that assertions of other languages check: a call, and what must come of it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from microcoder_sandbox import record

from .expected import Expected
from .literals import list_java_classes, pair_up, read_value
from .tokens import (
    NotTranslatableError,
    Tokens,
    find_end,
    list_texts,
    split,
    split_arguments,
    split_call,
    unwrap,
)

_ABSOLUTE = {"abs", "fabs", "std::abs", "std::fabs", "Math.abs", "math.Abs", "f64::abs", "f32::abs"}
_STRINGIFY = ["JSON", ".", "stringify", "("]
AS_JSON = "JSON.parse(JSON.stringify({}))"
_STRICTLY = "{}, true"  # the second argument of ``report`` in drivers/before.js
_LIBRARY = ("JSON", "Math", "math", "Objects", "Arrays", "Object", "String", "assert")


@record
class Check:
    """A call in the test code, and what must come of it."""

    call: Tokens
    expected: Expected

    def expecting(self, **changes: Any) -> Check:
        """Return the check with these changes to what is expected."""
        return Check(self.call, replace(self.expected, **changes))


def read_condition(language: str, tokens: Tokens) -> Check:
    """Return the check that a condition makes. Raises NotTranslatableError."""
    tokens = unwrap(tokens)
    words = list_texts(tokens)
    if any(len(split(tokens, frozenset([mark]))) > 1 for mark in ("&&", "||", "?", "!=", "!==")):
        raise NotTranslatableError("a condition of several parts")
    sides = split(tokens, frozenset(("==", "===")))
    if len(sides) == 2:
        is_loose = len(split(tokens, frozenset(["=="]))) == 2
        return read_equality(language, *sides, is_loose=is_loose)
    if len(sides) > 2:
        raise NotTranslatableError("several comparisons")
    if words[:1] in (["!"], ["not"]):
        return Check(require_call(tokens[1:]), Expected(value=False, is_truth=True))
    check = _read_closeness(language, tokens) or (
        _read_java_method(tokens) if language == "java" else None
    )
    return check or Check(require_call(tokens), Expected(value=True, is_truth=True))


def read_equality(language: str, left: Tokens, right: Tokens, *, is_loose: bool = False) -> Check:
    """Return the check that compares two sides: one is a call, and one a value."""
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
        expected = Expected(
            value,
            is_loose=is_loose and language == "javascript",
            tells_reals=language == "rust",
            characters_are_numbers=language in ("cpp", "java"),
            conversion=conversion,
        )
        return Check(require_call(call), expected)
    raise NotTranslatableError("a comparison with no value")


def require_call(tokens: Tokens) -> Tokens:
    """Return the tokens if they call a function, or a method of an object, and do nothing else with
    the result. Raises NotTranslatableError."""
    tokens = unwrap(tokens)
    head, inner = split_call(tokens)
    words = list_texts(head)
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
    return split_call(tokens)[1] if list_texts(tokens[:4]) == _STRINGIFY else None


def _read_closeness(language: str, tokens: Tokens) -> Check | None:
    """Read ``abs(call - number) < number``; None for another form."""
    for mark in ("<", "<="):
        sides = split(tokens, frozenset([mark]))
        if len(sides) != 2:
            continue
        head, inner = split_call(sides[0])
        if "".join(list_texts(head)) not in _ABSOLUTE:
            return None
        end = find_end(inner, list_texts(inner).index("(")) if "(" in list_texts(inner) else 0
        operator = list_texts(inner[end + 1 : end + 2])
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
        return Check(require_call(inner[: end + 1]), Expected(expected, tolerance))
    return None


def _read_java_method(tokens: Tokens) -> Check | None:
    """Read ``call.equals(value)``, ``Objects.equals(a, b)`` or ``call.isEmpty()``; None for another
    form."""
    head, inner = split_call(tokens)
    words = list_texts(head)
    if words[-2:] == [".", "equals"]:
        sides = split_pair(inner) if words[0] == "Objects" else [head[:-2], inner]
        check = read_equality("java", *sides)
        classes = list_java_classes(
            [token for side in sides for token in side if token not in check.call]
        )
        return check.expecting(
            tells_reals=True,
            tells_zeros=True,
            characters_are_numbers=False,
            conversion=f"{{}}, {classes}",
        )
    if words[-2:] == [".", "isEmpty"]:
        return Check(require_call(head[:-2]), Expected(None, is_empty=True))
    return None


def split_pair(tokens: Tokens) -> list[Tokens]:
    """Return two arguments; a third is a message."""
    parts = split_arguments(tokens)
    if len(parts) < 2:
        raise NotTranslatableError("a comparison of one value")
    return list(parts[:2])


def read_same(arguments: Tokens, kind: str) -> Check:
    """Read ``issame(call, value)``, a function of C++ tests that compares two containers."""
    call, literal = split_pair(arguments)
    value = read_value("cpp", literal)
    if kind == "map":
        return Check(require_call(call), Expected(pair_up(value)))
    return Check(require_call(call), Expected(value, tolerance=1e-4 if kind == "close" else None))
