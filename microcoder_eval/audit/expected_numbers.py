"""Finds numbers in expected answers, and replaces one of them by another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from microcoder_eval.compare.numbers import is_float
from microcoder_sandbox import record

_TOKENS = re.compile(rb"\S+")
_INTEGER = re.compile(rb"[+-]?[0-9]{1,18}")
_PLAIN = re.compile(r"[+-]?[0-9]*\.([0-9]+)")
_MAX_NUMBERS = 200  # per expected answer
_MAX_DEPTH = 4
_LIMITS = {int: 10**18, float: 1e300}


@record
class Number:
    """A number in an expected answer.

    text: as it is written there, or the repr of a value.
    replace: returns the answer with another number in its place.
    is_value: whether the answer is a value and not text.
    """

    value: int | float
    text: str
    replace: Callable[[Any], Any]
    is_value: bool

    @property
    def is_real(self) -> bool:
        """Whether the number has a point or an exponent."""
        return isinstance(self.value, float)

    @property
    def decimals(self) -> int:
        """How many digits follow the point."""
        match = _PLAIN.fullmatch(self.text)
        return len(match[1]) if match else 0


def find_numbers(expected: Any) -> list[Number]:
    """Find the first numbers of an expected answer, in its order."""
    if isinstance(expected, bytes):
        return list(islice(_find_in_text(expected), _MAX_NUMBERS))
    return list(islice(_find_in_value(expected, lambda value: value, 0), _MAX_NUMBERS))


def _find_in_text(expected: bytes) -> Iterator[Number]:
    for token in _TOKENS.finditer(expected):
        word = token[0]
        replace = _make_text_replacer(expected, *token.span())
        if _INTEGER.fullmatch(word):
            yield Number(int(word), word.decode(), replace, False)
        elif is_float(word) and abs(float(word)) < _LIMITS[float]:
            yield Number(float(word), word.decode(), replace, False)


def _make_text_replacer(expected: bytes, start: int, end: int) -> Callable[[Any], bytes]:
    return lambda value: expected[:start] + str(value).encode() + expected[end:]


def _find_in_value(expected: Any, replace: Callable[[Any], Any], depth: int) -> Iterator[Number]:
    if type(expected) in _LIMITS and abs(expected) < _LIMITS[type(expected)]:
        yield Number(expected, repr(expected), replace, True)
    elif isinstance(expected, (list, tuple)) and depth < _MAX_DEPTH:
        for position, item in enumerate(expected[:_MAX_NUMBERS]):
            yield from _find_in_value(
                item, _make_item_replacer(expected, position, replace), depth + 1
            )


def _make_item_replacer(
    items: list[Any] | tuple[Any, ...], position: int, replace: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    return lambda value: replace(type(items)([*items[:position], value, *items[position + 1 :]]))
