"""Dates as data sets write them, as YYYY-MM-DD."""

from __future__ import annotations

import datetime
import re
from typing import Any

_ISO = re.compile(r"(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?:[T ].*)?")
_SLASHED = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})")
_NAMED = re.compile(r"(?:(\d{1,2})\.?\s+([A-Za-z]{3,9})|([A-Za-z]{3,9})\s+(\d{1,2})),?\s+(\d{4})")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# Seconds since 1970 that can be the date of a contest: 1990 to 2100.
_EPOCH = (631_152_000, 4_102_444_800)


def iso_date(value: Any) -> str | None:
    """The day a value names; None where it names none that exists.

    A month alone is its first day. Which of 03/04/2024 is the day nobody can tell: None.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        if _EPOCH[0] <= value / 1000 < _EPOCH[1]:
            value /= 1000
        if not _EPOCH[0] <= value < _EPOCH[1]:
            return None
        return datetime.datetime.fromtimestamp(value, datetime.UTC).date().isoformat()
    if not isinstance(value, str):
        return None
    text = value.strip()
    if found := _ISO.fullmatch(text) or _SLASHED.fullmatch(text):
        return _day(int(found[1]), int(found[2]), int(found[3] or 1))
    if found := _NAMED.fullmatch(text):
        month = (found[2] or found[3]).lower()[:3]
        if month in _MONTHS:
            day = int(found[1] or found[4])
            return _day(int(found[5]), _MONTHS.index(month) + 1, day)
    return None


def _day(year: int, month: int, day: int) -> str | None:
    try:
        return datetime.date(year, month, day).isoformat()
    except ValueError:
        return None
