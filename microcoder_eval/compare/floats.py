"""Token by token, with a tolerance where a real number stands on either side."""

from __future__ import annotations

from .numbers import Tolerance, is_float, is_number


def same_floats(actual: bytes, expected: bytes, tolerance: Tolerance) -> bool:
    """Equal tokens, or numbers within tolerance, at least one of them with a point or exponent.

    Official validators with a tolerance accept 276.0 for 276: whoever asks for this comparer, or
    writes it into a problem, says that the answers are real numbers. Two integers must still be
    equal as text, however long; inf and nan are close to nothing. Source: the default validators
    of problemtools and DOMjudge; integers exactly, which they leave to the tolerance.
    """
    ours, theirs = actual.split(), expected.split()
    if len(ours) != len(theirs):
        return False
    return all(_close(a, e, tolerance) for a, e in tolerance.doubtful(ours, theirs))


def same_float_token(actual: bytes, expected: bytes, tolerance: Tolerance) -> bool:
    """The same rule for one pair of tokens."""
    return actual == expected or _close(actual, expected, tolerance)


def _close(actual: bytes, expected: bytes, tolerance: Tolerance) -> bool:
    if not (is_float(expected) or (is_number(expected) and is_float(actual))):
        return False
    return tolerance.covers(actual, expected)
