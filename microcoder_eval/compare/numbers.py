"""Numbers as judges write them: a strict ASCII grammar, exact arithmetic, tolerances.

Python's float() and Decimal() read too much (underscores, digits of other scripts); the grammar
here does not. Nothing is ever parsed from a token longer than MAX_DIGITS.
"""

from __future__ import annotations

import re
from decimal import Context, Decimal

MAX_DIGITS = 400  # longer tokens are compared as text only
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
# Enough digits for any token, so that differences of long numbers are exact where it matters.
_CONTEXT = Context(prec=MAX_DIGITS + 30)


def number(token: bytes) -> Decimal | None:
    """The token's value, or None when it is no finite decimal number."""
    if len(token) > MAX_DIGITS or not _NUMBER.fullmatch(token):
        return None
    return Decimal(token.decode("ascii"))


def is_float_token(token: bytes) -> bool:
    """Whether the token is written as a real number: it has a point or an exponent."""
    if not (b"." in token or b"e" in token or b"E" in token):
        return False
    return len(token) <= MAX_DIGITS and _NUMBER.fullmatch(token) is not None


def distance(left: Decimal, right: Decimal) -> Decimal:
    """The exact absolute difference."""
    return abs(_CONTEXT.subtract(left, right))


def close(
    actual: Decimal, expected: Decimal, absolute: Decimal | None, relative: Decimal | None
) -> bool:
    """Within the absolute tolerance, or within the relative one (of the expected value).

    A tolerance of None is none. Source: the default validators of problemtools and DOMjudge.
    """
    gap = distance(actual, expected)
    if absolute is not None and gap <= absolute:
        return True
    return relative is not None and gap <= _CONTEXT.multiply(relative, abs(expected))
