"""The default output validator of Kattis and the ICPC problem package format.

Source: problemtools, default_validator (the flags and their meaning are those of its manual).
"""

from __future__ import annotations

import re
from decimal import Decimal

from .numbers import MAX_DIGITS, close, number

_PIECES = re.compile(rb"\S+|\s")
_HEX = re.compile(rb"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d{1,4})?")


def kattis(
    actual: bytes,
    expected: bytes,
    *,
    case_sensitive: bool,
    space_change_sensitive: bool,
    absolute: Decimal | None,
    relative: Decimal | None,
) -> bool:
    """Accept as the default validator does.

    Case folds unless case_sensitive. White space separates, unless space_change_sensitive: then
    it must be the same to the byte, at the end too. With a tolerance, a judge token that is a
    finite number asks for a number within the absolute or the relative tolerance.
    """
    split = _PIECES.findall if space_change_sensitive else bytes.split
    ours, theirs = split(actual), split(expected)
    if ours == theirs:
        return True
    floats = absolute is not None or relative is not None
    return len(ours) == len(theirs) and all(
        a == e or _same(a, e, case_sensitive, floats, absolute, relative)
        for a, e in zip(ours, theirs, strict=True)
    )


def _same(
    actual: bytes,
    expected: bytes,
    case_sensitive: bool,
    floats: bool,
    absolute: Decimal | None,
    relative: Decimal | None,
) -> bool:
    wanted = _scanned(expected) if floats else None
    if wanted is not None:
        found = _scanned(actual)
        return found is not None and close(found, wanted, absolute, relative)
    return not case_sensitive and actual.lower() == expected.lower()


def _scanned(token: bytes) -> Decimal | None:
    """What scanf's %lf reads, when it reads the whole token and the value is finite."""
    plain = number(token)
    if plain is not None or len(token) > MAX_DIGITS or not _HEX.fullmatch(token):
        return plain
    try:
        return Decimal(float.fromhex(token.decode("ascii")))
    except OverflowError:
        return None
