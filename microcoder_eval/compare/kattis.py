"""The default output validator of Kattis and the ICPC problem package format.

Source: problemtools, default_validator (the flags and their meaning are those of its manual).
It compares doubles, so this module does as well: 1.1 is not within 0.1 of 1.0 there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .numbers import scan_double

_PIECES = re.compile(rb"\S+|\s")
_NEVER = -1.0  # no gap is that small


@dataclass(frozen=True, slots=True)
class KattisFlags:
    """The validator's flags; a tolerance that was not given is None."""

    case_sensitive: bool = False
    space_change_sensitive: bool = False
    absolute: float | None = None
    relative: float | None = None

    @property
    def floats(self) -> bool:
        """Whether numbers are compared as numbers at all."""
        return self.absolute is not None or self.relative is not None


def kattis(actual: bytes, expected: bytes, flags: KattisFlags) -> bool:
    """Accept as the default validator does.

    Case folds unless case_sensitive. White space separates, unless space_change_sensitive: then
    it must be the same to the byte, at the end too. With a tolerance, a judge token that is a
    finite number (integers too) asks for a number within the absolute or the relative tolerance;
    without one, 1 is not 1.0.
    """
    split = _PIECES.findall if flags.space_change_sensitive else bytes.split
    ours, theirs = split(actual), split(expected)
    if ours == theirs:
        return True
    return len(ours) == len(theirs) and all(
        same_kattis_token(a, e, flags) for a, e in zip(ours, theirs, strict=True) if a != e
    )


def same_kattis_token(actual: bytes, expected: bytes, flags: KattisFlags) -> bool:
    """Whether one token passes for another."""
    wanted = scan_double(expected) if flags.floats else None
    if wanted is not None:
        found = scan_double(actual)
        return found is not None and _close(found, wanted, flags)
    return not flags.case_sensitive and actual.lower() == expected.lower()


def _close(found: float, wanted: float, flags: KattisFlags) -> bool:
    gap = abs(wanted - found)
    absolute = _NEVER if flags.absolute is None else flags.absolute
    relative = _NEVER if flags.relative is None else flags.relative
    # -1 * 0 is -0.0, and no gap: with only an absolute tolerance, 0 for 0.0 passes by that one,
    # and by the C++ source's own arithmetic by this one.
    return gap <= absolute or gap <= relative * abs(wanted)
