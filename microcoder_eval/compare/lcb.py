"""LiveCodeBench's exact rules, so that scores can be compared with its leaderboard.

Source: its testing_util: grade_stdio (strip, split into lines, strip each; lines that differ may
be equal as lists of Decimals) and grade_call_based (a tuple becomes a list; ==). Bytes that are
not UTF-8, which its captured output cannot contain, equal only themselves.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from .blocks import (
    LINE_END,
    Blocks,
    count_common_bytes,
    find_block_spans,
    find_refused,
    find_unequal_indices,
    sequences_match,
    split_text_words,
)
from .texts import decode_text, strip_whitespace


def is_same_lcb_text(actual: bytes, expected: bytes) -> bool:
    """Whether two outputs are equal: 1 equals 1.0, there is no tolerance, blank lines count."""
    actual, expected = strip_whitespace(actual), strip_whitespace(expected)
    start = count_common_bytes(actual, expected, LINE_END)
    return sequences_match(
        split_lcb_lines(actual, start), split_lcb_lines(expected, start), find_line_mismatch
    )


def is_same_lcb_value(actual: object, expected: object) -> bool:
    """Whether two results of calls are equal by ==, after converting an outer tuple to a list."""
    return bool((list(actual) if isinstance(actual, tuple) else actual) == expected)


def split_lcb_lines(data: bytes, start: int = 0) -> Blocks[str]:
    """Split an output into the lines that are compared; ``start`` counts after leading space."""
    data = strip_whitespace(data)
    # The stripped data does not end in a line feed, but all blocks before the last do.
    for begin, stop in find_block_spans(data, LINE_END, start):
        lines = decode_text(data[begin:stop]).split("\n")
        yield list(map(str.strip, lines if stop == len(data) else lines[:-1]))


def find_line_mismatch(actual_lines: list[str], expected_lines: list[str]) -> int | None:
    """Return the index of the first pair of lines that differ as text and as decimals."""
    if actual_lines == expected_lines:
        return None
    indices = list(find_unequal_indices(actual_lines, expected_lines))
    try:  # lines often have one number each: compare all at once
        if [Decimal(actual_lines[index]) for index in indices] == [
            Decimal(expected_lines[index]) for index in indices
        ]:
            return None
    except InvalidOperation:
        pass
    return find_refused(actual_lines, expected_lines, _same_decimals)


def _same_decimals(actual: str, expected: str) -> bool:
    try:
        return sequences_match(
            split_text_words(actual), split_text_words(expected), _find_decimal_mismatch
        )
    except InvalidOperation:
        return False


def _find_decimal_mismatch(actual_tokens: list[str], expected_tokens: list[str]) -> int | None:
    # Equal tokens must be decimals as well; nan does not equal itself. Comparing a signalling nan
    # raises InvalidOperation.
    return None if list(map(Decimal, actual_tokens)) == list(map(Decimal, expected_tokens)) else 0
