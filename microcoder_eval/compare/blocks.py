"""Outputs read a block at a time: little memory however large they are, and an early end.

A list of all the words of an output takes thirty times its size; of 64 KiB at a time, nothing
worth counting, and splitting stays in the processor's cache, which makes it several times faster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import compress, count
from operator import ne
from typing import TypeVar

BLOCK = 1 << 16  # bytes; a word or line that is longer is a block of its own
BLANK = re.compile(rb"\s")
_TEXT_BLANK = re.compile(r"\s")
LINE_END = re.compile(rb"\n")

T = TypeVar("T", bytes, str)
Blocks = Iterator[list[T]]
TokenTest = Callable[[bytes, bytes], bool]
Rule = Callable[[list[T], list[T]], int | None]
"""Of two lists of the same length, where the first pair stands that is not alike; None: all are."""


def cuts(data: T, end: re.Pattern[T], start: int = 0) -> Iterator[tuple[int, int]]:
    """Where blocks begin and stop, each cut right after a match of ``end``."""
    while start < len(data):
        found = end.search(data, start + BLOCK)
        stop = found.end() if found else len(data)
        yield start, stop
        start = stop


def in_common(
    left: bytes, right: bytes, end: re.Pattern[bytes], starts: tuple[int, int] = (0, 0)
) -> int:
    """How many bytes from the starts on are the same, counted in blocks that stop after ``end``.

    Most outputs are right, or right up to a place: this much need not be taken apart.
    """
    ours, theirs = starts
    size = min(len(left) - ours, len(right) - theirs)
    same = 0
    while (
        same < size
        and left[ours + same : (stop := ours + min(same + BLOCK, size))]
        == (right[theirs + same : theirs + stop - ours])
    ):
        same = stop - ours
    return _last_end(left, end, ours, ours + same) - ours


def _last_end(data: T, end: re.Pattern[T], start: int, stop: int) -> int:
    """Where the last match of ``end``, a single byte, stops; ``start`` when there is none."""
    window = 64
    while start < stop:
        begin = max(start, stop - window)
        if found := [match.end() for match in end.finditer(data, begin, stop)]:
            return found[-1]
        stop, window = begin, 2 * window
    return start


def words(data: bytes, start: int = 0) -> Blocks[bytes]:
    """The words of an output, as bytes.split and C's isspace tell them apart."""
    return filter(None, (data[begin:stop].split() for begin, stop in cuts(data, BLANK, start)))


def text_words(text: str) -> Blocks[str]:
    """The words of a text as str.split tells them apart."""
    return filter(None, (text[start:stop].split() for start, stop in cuts(text, _TEXT_BLANK)))


def lines(data: bytes, start: int = 0) -> Blocks[bytes]:
    """The lines of an output, without the line feeds; after the last line feed begins no other."""
    for begin, stop in cuts(data, LINE_END, start):
        found = data[begin:stop].split(b"\n")
        if stop < len(data) or not found[-1]:
            found.pop()
        yield found


def paired(left: Blocks[T], right: Blocks[T]) -> Iterator[tuple[list[T], list[T]]]:
    """Both side by side, in lists equally long; what one has beyond the other comes last."""
    ours: list[T] = []
    theirs: list[T] = []
    while True:
        ours, theirs = ours or next(left, []), theirs or next(right, [])
        size = min(len(ours), len(theirs))
        if not size:
            if ours or theirs:
                yield ours, theirs
            return
        yield ours[:size], theirs[:size]
        ours, theirs = ours[size:], theirs[size:]


def alike(left: Blocks[T], right: Blocks[T], rule: Rule[T]) -> bool:
    """Whether both have as many members, alike by the rule one after the other."""
    return all(
        len(ours) == len(theirs) and rule(ours, theirs) is None
        for ours, theirs in paired(left, right)
    )


def first_unlike(left: Blocks[T], right: Blocks[T], rule: Rule[T]) -> int | None:
    """The number of the first pair that is not alike, or of the first member one has alone."""
    before = 0
    for ours, theirs in paired(left, right):
        place = 0 if len(ours) != len(theirs) else rule(ours, theirs)
        if place is not None:
            return before + place
        before += len(ours)
    return None


def differing(ours: list[T], theirs: list[T]) -> Iterator[int]:
    """The places at which two lists of the same length differ."""
    return compress(count(), map(ne, ours, theirs))


def identical(ours: list[T], theirs: list[T]) -> int | None:
    """The rule of those that know no freedom at all."""
    return None if ours == theirs else next(differing(ours, theirs))


def pair_by_pair(same: TokenTest) -> Rule[bytes]:
    """A rule out of a test of two members that differ."""

    def rule(ours: list[bytes], theirs: list[bytes]) -> int | None:
        if ours == theirs:
            return None
        return next((at for at in differing(ours, theirs) if not same(ours[at], theirs[at])), None)

    return rule


def any_case(ours: list[bytes], theirs: list[bytes]) -> int | None:
    """The rule of those that fold the case of ASCII letters."""
    if ours == theirs:
        return None
    return identical(list(map(bytes.lower, ours)), list(map(bytes.lower, theirs)))
