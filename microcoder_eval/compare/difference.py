"""The first difference between two texts, in words a person can use, short and safe for logs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from .blocks import BLANK, LINE_END, Blocks, Rule, cuts, first_unlike, identical, in_common, words
from .texts import stripped_lines

_SHOWN = 60
_COUNTED = 1 << 20  # bytes in which the words are counted to name one
_WORD = re.compile(rb"\S++")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two outputs part: in words, and as (start, end) in each where there is such a place.

    What is missing is an empty place in the output.
    """

    message: str
    actual: Span | None = None
    expected: Span | None = None


@dataclass(frozen=True, slots=True)
class LineView:
    """How a method sees lines: what reads them from a place on, and what stands for one.

    from_first: blank lines before the first other line are not seen. Lines of the same bytes must
    be alike to the method.
    """

    read: Callable[[bytes, int], Any] = stripped_lines
    member: re.Pattern[bytes] = re.compile(rb"[^\n]*+\n|[^\n]++")
    from_first: bool = False

    def find(self, data: bytes, number: int, start: int = 0) -> Span | None:
        """Where the line with that number stands, counted from 0 at ``start`` as ``read`` does."""
        if self.from_first:
            start = len(data) - len(data.lstrip())
        found = _nth(data, number, LINE_END, self.member, start)
        return found and (found[0], found[1] - data.endswith(b"\n", *found))


EVERY_LINE = LineView()
NOT_BLANK = re.compile(rb"(?m)^[^\S\n]*+\S[^\n]*+")


def by_words(actual: bytes, expected: bytes, rule: Rule[bytes] = identical) -> Difference:
    """The first word that is not alike; where all are, the first line laid out otherwise."""
    return tell_word(actual, expected, first_unlike(words(actual), words(expected), rule))


def tell_word(actual: bytes, expected: bytes, number: int | None, start: int = 0) -> Difference:
    """The same when it is known which word it is, counted from 0 at ``start``, before which all
    bytes are the same."""
    if not actual.strip() and expected.strip():
        at = len(expected) - len(expected.lstrip())
        first = expected[at : at + 4 * _SHOWN].strip()
        return Difference(f"no output, expected {quoted(first)}", (0, 0), (at, at + 1))
    if number is None:
        return _by_layout(actual, expected)
    ours, theirs = (_nth_word(data, number, start) for data in (actual, expected))
    if ours is None:
        end = len(actual.rstrip())
        wanted = quoted(_cut(expected, theirs))
        return Difference(f"the output ends too early, expected {wanted} next", (end, end), theirs)
    line = actual.rfind(b"\n", 0, ours[0]) + 1
    token = sum(map(len, words(actual[line : ours[0]]))) + 1
    here = f"{_line(actual, line)}, token {token}"
    found = quoted(_cut(actual, ours))
    if theirs is None:
        return Difference(f"{here}: {found} is more than is expected", ours)
    pair = f"got {found}, expected {quoted(_cut(expected, theirs))}"
    return Difference(f"{here}: {pair}", ours, theirs)


def by_bytes(actual: bytes, expected: bytes) -> Difference:
    """The first byte that differs."""
    at = _common(actual, expected)
    column = at - actual.rfind(b"\n", 0, at)
    here = f"{_line(actual, at)}, column {column}"
    end = at, at + 1
    if at == len(actual):
        rest = quoted(expected[at : at + 4 * _SHOWN])
        return Difference(f"the output ends too early, expected {rest} next", (at, at), end)
    if at == len(expected):
        return Difference(
            f"{here}: {quoted(actual[at : at + 4 * _SHOWN])} is more than is expected", end
        )
    pair = f"got {quoted(_cut(actual, end))}, expected {quoted(_cut(expected, end))}"
    return Difference(f"{here}: {pair}", end, end)


def by_lines(
    actual: bytes, expected: bytes, rule: Rule[Any] = identical, view: LineView = EVERY_LINE
) -> Difference:
    """The first line that is not alike, as ``view`` sees lines."""
    start = 0 if view.from_first else in_common(actual, expected, LINE_END)
    number = first_unlike(view.read(actual, start), view.read(expected, start), rule)
    if number is None:
        return by_words(actual, expected)
    ours, theirs = (view.find(data, number, start) for data in (actual, expected))
    if ours is None:
        end = len(actual)
        missing = quoted(_cut(expected, theirs))
        return Difference(f"the output ends too early, expected {missing} next", (end, end), theirs)
    here = _line(actual, ours[0])
    if theirs is None:
        return Difference(f"{here}: {quoted(_cut(actual, ours))} is more than is expected", ours)
    pair = f"got {quoted(_cut(actual, ours))}, expected {quoted(_cut(expected, theirs))}"
    return Difference(f"{here}: {pair}", ours, theirs)


def by_members(
    actual: bytes, expected: bytes, read: Callable[[bytes], Blocks[bytes]]
) -> Difference:
    """A member that one has more often, where the order is free."""
    if max(len(actual), len(expected)) > _COUNTED:
        return Difference("not the same members as often")
    ours, theirs = (
        Counter(m for block in read(data) for m in block) for data in (actual, expected)
    )
    for member in [*ours, *theirs]:
        if ours[member] != theirs[member]:
            times = f"comes {_times(ours[member])}, expected {_times(theirs[member])}"
            return Difference(f"{quoted(member)} {times}")
    return Difference("not the same members")


def quoted(data: bytes) -> str:
    """A short, printable form of some output."""
    text = data[: _SHOWN * 4].decode("utf-8", "replace")
    plain = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
    return f'"{plain}"' if len(plain) <= _SHOWN else f'"{plain[:_SHOWN]}…"'


def _line(data: bytes, at: int) -> str:
    number = data.count(b"\n", 0, at) + 1
    return f"line {number}"


def _times(count: int) -> str:
    return {0: "never", 1: "once"}.get(count, f"{count} times")


def _cut(data: bytes, span: Span | None) -> bytes:
    return data[slice(*span)] if span else b""


def _by_layout(actual: bytes, expected: bytes) -> Difference:
    start = in_common(actual, expected, LINE_END)
    number = first_unlike(stripped_lines(actual, start), stripped_lines(expected, start), identical)
    if number is None:
        return Difference("no token differs, but the layout or the format does")
    ours, theirs = (EVERY_LINE.find(data, number, start) for data in (actual, expected))
    pair = f"{quoted(_cut(actual, ours).rstrip())}, not {quoted(_cut(expected, theirs).rstrip())}"
    line = actual.count(b"\n", 0, start) + number + 1
    return Difference(f"only white space differs: line {line}: {pair}", ours, theirs)


def _nth_word(data: bytes, number: int, start: int) -> Span | None:
    for begin, stop in cuts(data, BLANK, start):
        count = len(data[begin:stop].split())
        if number < count:
            return _nth(data[:stop], number, BLANK, _WORD, begin)
        number -= count
    return None


def _nth(
    data: bytes, number: int, end: re.Pattern[bytes], member: re.Pattern[bytes], start: int = 0
) -> Span | None:
    """Where the member with that number stands, counted from 0; None when there are fewer."""
    for begin, stop in cuts(data, end, start):
        count = len(member.findall(data, begin, stop))
        if number < count:
            return next(islice(member.finditer(data, begin, stop), number, None)).span()
        number -= count
    return None


def _common(left: bytes, right: bytes) -> int:
    """Length of the common prefix, by halving: comparing views costs no copy."""
    a, b = memoryview(left), memoryview(right)
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
