"""Token by token, with a tolerance where the expected token is written as a real number."""

from __future__ import annotations

from decimal import Decimal

from .numbers import close, is_float_token, number


def same_floats(
    actual: bytes, expected: bytes, absolute: Decimal | None, relative: Decimal | None
) -> bool:
    """Equal tokens, or numbers within tolerance of an expected token with a point or exponent.

    Integers must be equal as text, however long; inf and nan are close to nothing but themselves.
    """
    ours, theirs = actual.split(), expected.split()
    return len(ours) == len(theirs) and all(
        a == e or _close_tokens(a, e, absolute, relative) for a, e in zip(ours, theirs, strict=True)
    )


def _close_tokens(
    actual: bytes, expected: bytes, absolute: Decimal | None, relative: Decimal | None
) -> bool:
    if not is_float_token(expected):
        return False
    left, right = number(actual), number(expected)
    return left is not None and right is not None and close(left, right, absolute, relative)
