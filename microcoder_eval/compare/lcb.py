"""LiveCodeBench's rules to the letter, so that scores compare with its leaderboard.

Source: its testing_util: grade_stdio (strip, split into lines, strip each; a line that differs
may still be equal as a list of Decimals) and grade_call_based (a tuple becomes a list; ==).
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

MAX_DECIMAL_TOKEN = 100_000  # a longer token is compared as text only: time stays linear


def lcb_text(actual: bytes, expected: bytes) -> bool:
    """Standard output of a stdin problem: 1 equals 1.0, no tolerance, blank lines count."""
    ours, theirs = _lines(actual), _lines(expected)
    return len(ours) == len(theirs) and all(
        _same_decimals(a, e) for a, e in zip(ours, theirs, strict=True) if a != e
    )


def lcb_value(actual: object, expected: object) -> bool:
    """The result of a call: a tuple at the top is a list, then Python's ==."""
    return bool((list(actual) if isinstance(actual, tuple) else actual) == expected)


def _lines(data: bytes) -> list[str]:
    return list(map(str.strip, data.decode("utf-8", "replace").strip().split("\n")))


def _same_decimals(actual: str, expected: str) -> bool:
    ours, theirs = actual.split(), expected.split()
    if len(ours) != len(theirs) or max(map(len, ours + theirs), default=0) > MAX_DECIMAL_TOKEN:
        return False
    try:
        # The comparison is inside too: a signalling NaN may be made, but not compared.
        return all(Decimal(a) == Decimal(e) for a, e in zip(ours, theirs, strict=True))
    except InvalidOperation:
        return False
