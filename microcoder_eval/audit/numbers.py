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
_PLAIN = re.compile(rb"[+-]?[0-9]*\.([0-9]+)")
_MAX_NUMBERS = 200  # per expected answer
_MAX_DEPTH = 4


@record
class Number:
    """A number in an expected answer.

    decimals: how many digits follow the point, for a value in its repr.
    replace: returns the answer with another number in its place.
    is_value: whether the answer is a value and not text.
    """

    value: int | float
    text: str
    decimals: int
    replace: Callable[[Any], Any]
    is_value: bool

    @property
    def is_real(self) -> bool:
        """Whether the number has a point or an exponent."""
        return isinstance(self.value, float)


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
            yield Number(int(word), word.decode(), 0, replace, False)
        elif is_float(word) and abs(float(word)) < 1e300:
            yield Number(float(word), word.decode(), _count_decimals(word), replace, False)


def _count_decimals(word: bytes) -> int:
    match = _PLAIN.fullmatch(word)
    return len(match[1]) if match else 0


def _make_text_replacer(expected: bytes, start: int, end: int) -> Callable[[Any], bytes]:
    return lambda value: expected[:start] + str(value).encode() + expected[end:]


def _find_in_value(expected: Any, replace: Callable[[Any], Any], depth: int) -> Iterator[Number]:
    if isinstance(expected, bool):
        return
    if isinstance(expected, int) and abs(expected) < 10**18:
        yield Number(expected, str(expected), 0, replace, True)
    elif isinstance(expected, float) and abs(expected) < 1e300:
        text = repr(expected)
        yield Number(expected, text, _count_decimals(text.encode()), replace, True)
    elif isinstance(expected, (list, tuple)) and depth < _MAX_DEPTH:
        for position, item in enumerate(expected[:_MAX_NUMBERS]):
            yield from _find_in_value(
                item, _make_item_replacer(expected, position, replace), depth + 1
            )


def _make_item_replacer(
    items: list[Any] | tuple[Any, ...], position: int, replace: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    return lambda value: replace(type(items)([*items[:position], value, *items[position + 1 :]]))
