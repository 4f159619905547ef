"""Token by token, with a tolerance where a real number stands on either side."""

from __future__ import annotations

from .blocks import any_case
from .numbers import Tolerance, is_float, is_number


def unlike_floats(
    ours: list[bytes], theirs: list[bytes], tolerance: Tolerance, *, case_sensitive: bool = False
) -> int | None:
    """The first pair that is neither equal nor numbers within tolerance, one of them real.

    Official validators with a tolerance accept 276.0 for 276: whoever asks for this comparer, or
    writes it into a problem, says that the answers are real numbers. Two integers must still be
    equal as text, however long; inf and nan are close to nothing. What is no number is a word: its
    case folds unless case_sensitive. Source: the default validators of problemtools and DOMjudge;
    integers exactly, which they leave to the tolerance.
    """
    if ours == theirs:
        return None
    for at in tolerance.unclear(ours, theirs, either=True):
        if _close(ours[at], theirs[at], tolerance):
            continue
        if case_sensitive or any_case(ours[at : at + 1], theirs[at : at + 1]) is not None:
            return at
    return None


def _close(actual: bytes, expected: bytes, tolerance: Tolerance) -> bool:
    if not (is_float(expected) or (is_number(expected) and is_float(actual))):
        return False
    return tolerance.covers(actual, expected)
