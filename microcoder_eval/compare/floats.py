"""Compares token by token, with a tolerance if either token is a real number."""

from __future__ import annotations

from .numbers import Tolerance, is_float, is_number


def find_float_mismatch(
    actual_tokens: list[bytes],
    expected_tokens: list[bytes],
    tolerance: Tolerance,
    *,
    case_sensitive: bool = False,
) -> int | None:
    """Return the index of the first pair neither equal nor within tolerance, one of them real.

    Official validators with a tolerance accept 276.0 for 276, so here one real number suffices.
    Two integers must be equal as text, however long; inf and nan are close to nothing. Other
    tokens are words, compared without regard to case unless case_sensitive. Source: the default
    validators of problemtools and DOMjudge, which apply the tolerance to integers as well.
    """
    if actual_tokens == expected_tokens:
        return None
    for index in tolerance.find_unclear(actual_tokens, expected_tokens, either_real=True):
        actual, expected = actual_tokens[index], expected_tokens[index]
        if _is_close(actual, expected, tolerance):
            continue
        if case_sensitive or actual.lower() != expected.lower():
            return index
    return None


def _is_close(actual: bytes, expected: bytes, tolerance: Tolerance) -> bool:
    if not (is_float(expected) or (is_number(expected) and is_float(actual))):
        return False
    return tolerance.covers(actual, expected)
