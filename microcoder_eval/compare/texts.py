"""Comparisons of whole texts without any notion of numbers, strict to lenient.

Each is a pure function (actual, expected) -> bool on bytes.
"""

from __future__ import annotations

from collections import Counter

BOM = b"\xef\xbb\xbf"


def same_bytes(actual: bytes, expected: bytes) -> bool:
    """Equal to the byte (DMOJ "identical")."""
    return actual == expected


def stripped_lines(data: bytes) -> list[bytes]:
    """Lines without trailing white space (a carriage return is white space), without the blank
    ones at the end."""
    lines = list(map(bytes.rstrip, data.rstrip().split(b"\n")))
    return [] if lines == [b""] else lines


def same_lines(actual: bytes, expected: bytes) -> bool:
    """Line by line; trailing white space and blank last lines are free, indentation is not."""
    return stripped_lines(actual) == stripped_lines(expected)


def same_tokens(actual: bytes, expected: bytes) -> bool:
    """The same words in the same order, however spaced (testlib wcmp)."""
    return actual.split() == expected.split()


def same_tokens_any_case(actual: bytes, expected: bytes) -> bool:
    """The same words, upper and lower case ASCII letters alike (Kattis' default)."""
    return actual.lower().split() == expected.lower().split()


def same_lines_any_order(actual: bytes, expected: bytes) -> bool:
    """The same lines as often, in any order; words inside a line in order, blank lines free.

    Source: DMOJ "sorted" with split_on lines.
    """
    return _line_bag(actual) == _line_bag(expected)


def same_tokens_any_order(actual: bytes, expected: bytes) -> bool:
    """The same words as often, in any order (DMOJ "unordered")."""
    return Counter(actual.split()) == Counter(expected.split())


def _line_bag(data: bytes) -> Counter[tuple[bytes, ...]]:
    return Counter(tuple(line.split()) for line in data.split(b"\n") if line.strip())
