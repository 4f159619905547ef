"""Numbers inside expected answers, and the answers that differ in one of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from microcoder_eval.compare.numbers import is_float

_TOKENS = re.compile(rb"\S+")
_INTEGER = re.compile(rb"[+-]?[0-9]{1,18}")
_PLAIN = re.compile(rb"[+-]?[0-9]*\.([0-9]+)")
_MOST_NUMBERS = 200  # of one expected answer
_MOST_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Number:
    """A number in an expected answer. put: the answer with another text or value in its place.

    decimals: digits written after the point (a value: those of its repr). is_value: whether the
    answer is a value and not text.
    """

    value: int | float
    text: str
    decimals: int
    put: Callable[[Any], Any]
    is_value: bool

    @property
    def real(self) -> bool:
        """Whether it is written as a real number."""
        return isinstance(self.value, float)


def numbers_in(expected: Any) -> list[Number]:
    """The first numbers of an expected answer, in its order."""
    found = _in_text(expected) if isinstance(expected, bytes) else _in_value(expected, _itself, 0)
    return [number for number, _ in zip(found, range(_MOST_NUMBERS), strict=False)]


def _in_text(expected: bytes) -> Iterator[Number]:
    for token in _TOKENS.finditer(expected):
        word = token[0]
        put = _put_text(expected, *token.span())
        if _INTEGER.fullmatch(word):
            yield Number(int(word), word.decode(), 0, put, False)
        elif is_float(word) and abs(float(word)) < 1e300:
            yield Number(float(word), word.decode(), _decimals(word), put, False)


def _decimals(word: bytes) -> int:
    plain = _PLAIN.fullmatch(word)
    return len(plain[1]) if plain else 0


def _put_text(expected: bytes, start: int, end: int) -> Callable[[Any], bytes]:
    return lambda other: expected[:start] + str(other).encode() + expected[end:]


def _itself(other: Any) -> Any:
    return other


def _in_value(expected: Any, put: Callable[[Any], Any], depth: int) -> Iterator[Number]:
    if isinstance(expected, bool):
        return
    if isinstance(expected, int) and abs(expected) < 10**18:
        yield Number(expected, str(expected), 0, put, True)
    elif isinstance(expected, float) and abs(expected) < 1e300:
        text = repr(expected)
        yield Number(expected, text, _decimals(text.encode()), put, True)
    elif isinstance(expected, (list, tuple)) and depth < _MOST_DEPTH:
        for position, item in enumerate(expected[:_MOST_NUMBERS]):
            yield from _in_value(item, _put_item(expected, position, put), depth + 1)


def _put_item(
    whole: list[Any] | tuple[Any, ...], position: int, put: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    return lambda other: put(
        type(whole)([*whole[:position], other, *whole[position + 1 :]])  # of the same type
    )
