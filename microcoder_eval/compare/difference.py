"""Describes the first difference between two outputs, shortly and safely for logs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any

from microcoder_sandbox import record

from .blocks import (
    LINE_END,
    WHITESPACE,
    Blocks,
    FindMismatch,
    count_common_bytes,
    count_common_prefix,
    find_block_spans,
    find_first_mismatch,
    find_unequal,
    split_words,
)
from .texts import split_stripped_lines

# How the detail of a wrong output begins or ends, for those who count the reasons.
NO_OUTPUT, ENDS_EARLY = "no output", "the output ends too early"
TOO_MUCH = "is more than is expected"  # at its end
LAYOUT_DIFFERS = ("only white space differs", "no token differs")
_MAX_SHOWN = 60
_MAX_COUNTED_BYTES = 1 << 20  # in larger outputs, members are not counted to name one
_WORD = re.compile(rb"\S++")

Span = tuple[int, int]


@record
class Difference:
    """The first difference of two outputs: a message, and its span in each output, if it has one.

    The span of something missing is empty.
    """

    message: str
    actual: Span | None = None
    expected: Span | None = None


@record
class LineReader:
    """How a method reads lines; the method must accept lines of equal bytes.

    read: reads the lines from an offset on.
    pattern: matches one line.
    skips_leading_blanks: whether ``read`` skips blank lines at the start.
    """

    read: Callable[[bytes, int], Any] = split_stripped_lines
    pattern: re.Pattern[bytes] = re.compile(rb"[^\n]*+\n|[^\n]++")
    skips_leading_blanks: bool = False

    def find(self, data: bytes, number: int, start: int) -> Span | None:
        """Find the span of a line by its number, counted from 0 at ``start`` as ``read`` does."""
        if self.skips_leading_blanks:
            start = len(data) - len(data.lstrip())
        span = _find_nth(data, number, LINE_END, self.pattern, start)
        return span and (span[0], span[1] - data.endswith(b"\n", *span))


_EVERY_LINE = LineReader()
NONBLANK_LINE = re.compile(rb"(?m)^[^\S\n]*+\S[^\n]*+")


def find_word_difference(
    actual: bytes, expected: bytes, find_mismatch: FindMismatch[bytes] = find_unequal
) -> Difference:
    """Find the first word that does not match, else the first line with another layout."""
    return describe_word_difference(
        actual,
        expected,
        find_first_mismatch(split_words(actual), split_words(expected), find_mismatch),
    )


def describe_word_difference(
    actual: bytes, expected: bytes, number: int | None, start: int = 0
) -> Difference:
    """Describe the difference at a word.

    number: the number of the word, from 0 at ``start``, None if only the layout differs. Before
    ``start`` all bytes are equal.
    """
    if not actual.strip() and expected.strip():
        position = len(expected) - len(expected.lstrip())
        excerpt = expected[position : position + 4 * _MAX_SHOWN].strip()
        return Difference(
            f"{NO_OUTPUT}, expected {quote(excerpt)}", (0, 0), (position, position + 1)
        )
    if number is None:
        return _find_layout_difference(actual, expected)
    actual_span, expected_span = (
        _find_nth(data, number, WHITESPACE, _WORD, start) for data in (actual, expected)
    )
    position = actual_span[0] if actual_span else len(actual)
    line = actual.rfind(b"\n", 0, position) + 1
    token = sum(map(len, split_words(actual[line:position]))) + 1
    location = f"{_describe_line(actual, line)}, token {token}"
    end = len(actual.rstrip())
    return _describe_spans(actual, expected, (actual_span, expected_span), location, end)


def _describe_spans(
    actual: bytes, expected: bytes, spans: tuple[Span | None, Span | None], location: str, end: int
) -> Difference:
    """Describe the difference of two words or lines. spans: their places in both outputs, None
    where one has none. end: where the output ends."""
    actual_span, expected_span = spans
    actual_text, expected_text = quote(_cut(actual, spans[0])), quote(_cut(expected, spans[1]))
    if actual_span is None:
        message = f"{ENDS_EARLY}, expected {expected_text} next"
        return Difference(message, (end, end), expected_span)
    if expected_span is None:
        return Difference(f"{location}: {actual_text} {TOO_MUCH}", actual_span)
    message = f"{location}: got {actual_text}, expected {expected_text}"
    return Difference(message, actual_span, expected_span)


def find_byte_difference(actual: bytes, expected: bytes) -> Difference:
    """Find the first byte that differs."""
    position = count_common_prefix(actual, expected)
    column = position - actual.rfind(b"\n", 0, position)
    location = f"{_describe_line(actual, position)}, column {column}"
    # If one text goes on where the other ends, its next characters are shown.
    size = 1 if position < min(len(actual), len(expected)) else 4 * _MAX_SHOWN
    actual_span, expected_span = (
        (position, min(position + size, len(data))) if position < len(data) else None
        for data in (actual, expected)
    )
    return _describe_spans(actual, expected, (actual_span, expected_span), location, position)


def find_line_difference(
    actual: bytes,
    expected: bytes,
    find_mismatch: FindMismatch[Any] = find_unequal,
    line_reader: LineReader = _EVERY_LINE,
) -> Difference:
    """Find the first line that does not match, as ``line_reader`` reads lines."""
    spans = _find_line_spans(actual, expected, find_mismatch, line_reader)
    if spans is None:
        return find_word_difference(actual, expected)
    location = _describe_line(actual, spans[0][0]) if spans[0] else ""
    return _describe_spans(actual, expected, spans, location, len(actual))


def _find_line_spans(
    actual: bytes, expected: bytes, find_mismatch: FindMismatch[Any], line_reader: LineReader
) -> tuple[Span | None, Span | None] | None:
    """Return where the first line that does not match stands in both outputs."""
    start = (
        0 if line_reader.skips_leading_blanks else count_common_bytes(actual, expected, LINE_END)
    )
    number = find_first_mismatch(
        line_reader.read(actual, start), line_reader.read(expected, start), find_mismatch
    )
    if number is None:
        return None
    return line_reader.find(actual, number, start), line_reader.find(expected, number, start)


def find_member_difference(
    actual: bytes, expected: bytes, read: Callable[[bytes], Blocks[bytes]]
) -> Difference:
    """Find a member that one output has more often, if order does not matter."""
    if max(len(actual), len(expected)) > _MAX_COUNTED_BYTES:
        return Difference("not the same members as often")
    actual_counts, expected_counts = (
        Counter(member for block in read(data) for member in block) for data in (actual, expected)
    )
    for member in [*actual_counts, *expected_counts]:
        if actual_counts[member] != expected_counts[member]:
            count, expected_count = actual_counts[member], expected_counts[member]
            times = "once" if count == 1 else f"{count} times"
            return Difference(f"{quote(member)} occurs {times}, expected {expected_count}")
    return Difference("not the same members")


def quote(data: bytes) -> str:
    """Return the start of an output in quotes, unprintable characters escaped."""
    text = data[: _MAX_SHOWN * 4].decode("utf-8", "replace")
    printable = text
    if not text.isprintable():
        printable = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
    return f'"{printable}"' if len(printable) <= _MAX_SHOWN else f'"{printable[:_MAX_SHOWN]}…"'


def _describe_line(data: bytes, position: int) -> str:
    number = data.count(b"\n", 0, position) + 1
    return f"line {number}"


def _cut(data: bytes, span: Span | None) -> bytes:
    return data[slice(*span)] if span else b""


def _find_layout_difference(actual: bytes, expected: bytes) -> Difference:
    spans = _find_line_spans(actual, expected, find_unequal, _EVERY_LINE)
    if spans is None:
        return Difference(f"{LAYOUT_DIFFERS[1]}, but the layout or the format does")
    line = _describe_line(actual, spans[0][0] if spans[0] else len(actual))
    actual_text = quote(_cut(actual, spans[0]).rstrip())
    expected_text = quote(_cut(expected, spans[1]).rstrip())
    message = f"{LAYOUT_DIFFERS[0]}: {line}: {actual_text}, not {expected_text}"
    return Difference(message, *spans)


def _find_nth(
    data: bytes,
    number: int,
    separator: re.Pattern[bytes],
    pattern: re.Pattern[bytes],
    start: int,
) -> Span | None:
    """Find the span of the match with that number, counted from 0; None if there are fewer."""
    for begin, stop in find_block_spans(data, separator, start):
        count = len(pattern.findall(data, begin, stop))
        if number < count:
            return next(islice(pattern.finditer(data, begin, stop), number, None)).span()
        number -= count
    return None
