"""Comparisons of whole texts without any notion of numbers, strict to lenient.

Each is a pure function (actual, expected) -> bool on bytes.
"""

from __future__ import annotations

import re

from .bags import same_bag
from .blocks import BLOCK, LINE_END, Blocks, alike, identical, in_common, lines, words

BOM = b"\xef\xbb\xbf"
_GAP = re.compile(rb"[ \t\r\v\f]")


def as_text(data: bytes) -> str:
    """What Python would read. A byte that is no UTF-8 stays itself, so that no two become equal."""
    return data.decode("utf-8", "surrogateescape")


def without_blank_ends(data: bytes) -> bytes:
    """What str.strip leaves: it knows more kinds of white space than bytes.strip."""
    data = data.strip()
    if data and not (data[:1].isalnum() and data[-1:].isalnum()):
        return as_text(data).strip().encode("utf-8", "surrogateescape")
    return data


def same_bytes(actual: bytes, expected: bytes) -> bool:
    """Equal to the byte (DMOJ "identical")."""
    return actual == expected


def stripped_lines(data: bytes, start: int = 0) -> Blocks[bytes]:
    """Lines without trailing white space (a carriage return is white space), without the blank
    ones at the end."""
    return (list(map(bytes.rstrip, block)) for block in lines(data.rstrip(), start))


def same_lines(actual: bytes, expected: bytes) -> bool:
    """Line by line; trailing white space and blank last lines are free, indentation is not."""
    start = in_common(actual, expected, LINE_END)
    return alike(stripped_lines(actual, start), stripped_lines(expected, start), identical)


def line_keys(data: bytes) -> Blocks[bytes]:
    """Each line that is not blank as its words, one space between them."""
    for block in lines(data):
        if _GAP.search(b"\n".join(block)):
            block = list(map(_spaced, block))
        yield list(filter(None, block))


def _spaced(line: bytes) -> bytes:
    if len(line) <= BLOCK:
        return b" ".join(line.split())
    return b" ".join(b" ".join(some) for some in words(line))


def same_lines_any_order(actual: bytes, expected: bytes) -> bool:
    """The same lines as often, in any order; words inside a line in order, blank lines free.

    Source: DMOJ "sorted" with split_on lines.
    """
    return same_bag(line_keys(actual), line_keys(expected))


def same_tokens_any_order(actual: bytes, expected: bytes) -> bool:
    """The same words as often, in any order (DMOJ "unordered")."""
    return same_bag(words(actual), words(expected))
