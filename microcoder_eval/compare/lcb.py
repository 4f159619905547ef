"""LiveCodeBench's rules to the letter, so that scores compare with its leaderboard.

Source: its testing_util: grade_stdio (strip, split into lines, strip each; a line that differs
may still be equal as a list of Decimals) and grade_call_based (a tuple becomes a list; ==).
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

MAX_DECIMAL_TOKEN = 100_000


def lcb_text(actual: bytes, expected: bytes) -> bool:
    """Standard output of a stdin problem."""
    ours, theirs = _lines(actual), _lines(expected)
    return len(ours) == len(theirs) and all(
        a == e or _same_decimals(a, e) for a, e in zip(ours, theirs, strict=True)
    )


def lcb_value(actual: object, expected: object) -> bool:
    """The result of a call."""
    return (list(actual) if isinstance(actual, tuple) else actual) == expected


def _lines(data: bytes) -> list[str]:
    return [line.strip() for line in data.decode("utf-8", "replace").strip().split("\n")]


def _same_decimals(actual: str, expected: str) -> bool:
    ours, theirs = _decimals(actual), _decimals(expected)
    return ours is not None and theirs is not None and ours == theirs


def _decimals(line: str) -> list[Decimal] | None:
    tokens = line.split()
    if any(len(token) > MAX_DECIMAL_TOKEN for token in tokens):
        return None
    try:
        return [Decimal(token) for token in tokens]
    except InvalidOperation:
        return None
