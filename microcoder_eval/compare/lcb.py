"""LiveCodeBench's rules to the letter, so that scores compare with its leaderboard.

Source: its testing_util: grade_stdio (strip, split into lines, strip each; a line that differs
may still be equal as a list of Decimals) and grade_call_based (a tuple becomes a list; ==).
Bytes that are no UTF-8, which its captured output cannot hold, are equal to themselves only.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from .blocks import LINE_END, Blocks, alike, cuts, differing, in_common, text_words
from .texts import as_text, without_blank_ends


def lcb_text(actual: bytes, expected: bytes) -> bool:
    """Standard output of a stdin problem: 1 equals 1.0, no tolerance, blank lines count."""
    ours, theirs = without_blank_ends(actual), without_blank_ends(expected)
    start = in_common(ours, theirs, LINE_END)
    return alike(_lines(ours, start), _lines(theirs, start), unlike_lines)


def lcb_value(actual: object, expected: object) -> bool:
    """The result of a call: a tuple at the top is a list, then Python's ==."""
    return bool((list(actual) if isinstance(actual, tuple) else actual) == expected)


def lcb_lines(data: bytes, start: int = 0) -> Blocks[str]:
    """The lines as it compares them; ``start`` counts from the first that is not blank."""
    return _lines(without_blank_ends(data), start)


def _lines(data: bytes, start: int) -> Blocks[str]:
    # Without blank ends the data does not end in a line feed, but a block does.
    for begin, stop in cuts(data, LINE_END, start):
        found = as_text(data[begin:stop]).split("\n")
        yield list(map(str.strip, found if stop == len(data) else found[:-1]))


def unlike_lines(ours: list[str], theirs: list[str]) -> int | None:
    """The first pair of lines that differ as text and as decimals."""
    if ours == theirs:
        return None
    places = list(differing(ours, theirs))
    try:  # as a rule one number a line: all together
        if [Decimal(ours[at]) for at in places] == [Decimal(theirs[at]) for at in places]:
            return None
    except InvalidOperation:
        pass
    return next((at for at in places if not _same_decimals(ours[at], theirs[at])), None)


def _same_decimals(actual: str, expected: str) -> bool:
    try:
        return alike(text_words(actual), text_words(expected), _unlike_decimals)
    except InvalidOperation:
        return False


def _unlike_decimals(ours: list[str], theirs: list[str]) -> int | None:
    # Tokens that are the same must be decimals as well, and nan is not. A signalling nan can be
    # made, but comparing it raises InvalidOperation.
    return None if list(map(Decimal, ours)) == list(map(Decimal, theirs)) else 0
