"""Comparisons of outputs that do not interpret numbers, from strict to lenient.

Each is a pure function (actual, expected) -> bool on bytes.
"""

from __future__ import annotations

import re

from .blocks import (
    BLOCK_BYTES,
    LINE_END,
    Blocks,
    count_common_bytes,
    find_unequal,
    sequences_match,
    split_lines,
    split_words,
)

BOM = b"\xef\xbb\xbf"
_GAP = re.compile(rb"[ \t\r\v\f]")


def decode_text(data: bytes) -> str:
    """Decode UTF-8; other bytes become distinct surrogates, so that no two become equal."""
    return data.decode("utf-8", "surrogateescape")


def strip_whitespace(data: bytes) -> bytes:
    """Strip white space as str.strip does, which knows more kinds of it than bytes.strip."""
    data = data.strip()
    if data and not (data[:1].isalnum() and data[-1:].isalnum()):
        return decode_text(data).strip().encode("utf-8", "surrogateescape")
    return data


def split_stripped_lines(data: bytes, start: int) -> Blocks[bytes]:
    """Split an output into lines, without trailing white space, CR, and blank last lines."""
    if data[-1:] != b"\n" or data[-2:].isspace():  # one line feed ends the last line: no copy
        data = data.rstrip()
    return (list(map(bytes.rstrip, block)) for block in split_lines(data, start))


def has_same_lines(actual: bytes, expected: bytes) -> bool:
    """Whether lines are equal, except for trailing white space and blank last lines."""
    start = count_common_bytes(actual, expected, LINE_END)
    return sequences_match(
        split_stripped_lines(actual, start), split_stripped_lines(expected, start), find_unequal
    )


def normalize_lines(data: bytes) -> Blocks[bytes]:
    """Split an output into lines that are not blank, with single spaces between words.

    Source: DMOJ's checker "sorted" with split_on lines.
    """
    for block in split_lines(data):
        if _GAP.search(b"\n".join(block)):
            block = list(map(_join_words, block))
        yield list(filter(None, block))


def _join_words(line: bytes) -> bytes:
    if len(line) <= BLOCK_BYTES:
        return b" ".join(line.split())
    return b" ".join(b" ".join(block) for block in split_words(line))


def breaks_lines_elsewhere(actual: bytes, expected: bytes) -> bool:
    """Whether two outputs of the same words have their line ends between other words. Blank lines,
    and how many spaces there are, do not count."""
    return _count_line_words(actual) != _count_line_words(expected)


def _count_line_words(data: bytes) -> list[int]:
    return [count for line in data.splitlines() if (count := len(line.split()))]
