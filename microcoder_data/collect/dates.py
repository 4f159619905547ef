"""Converts the dates of data sets to YYYY-MM-DD."""

from __future__ import annotations

import datetime
import re
from typing import Any

_ISO = re.compile(r"(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?:[T ].*)?")
_WITH_SLASHES = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})")
_WITH_MONTH_NAME = re.compile(
    r"(?:(\d{1,2})\.?\s+([A-Za-z]{3,9})|([A-Za-z]{3,9})\s+(\d{1,2})),?\s+(\d{4})"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YEARS = range(1970, 2100)  # other years come from zero or overflowing timestamps
# Unix times of plausible contests: 1990 to 2100.
_EPOCH_RANGE = (631_152_000, 4_102_444_800)


def to_iso_date(value: Any) -> str | None:
    """Return the day that a value means; None if it means no existing day.

    A month means its first day. 03/04/2024 is ambiguous and gives None.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        if _EPOCH_RANGE[0] <= value / 1000 < _EPOCH_RANGE[1]:
            value /= 1000
        if not _EPOCH_RANGE[0] <= value < _EPOCH_RANGE[1]:
            return None
        return datetime.datetime.fromtimestamp(value, datetime.UTC).date().isoformat()
    if not isinstance(value, str):
        return None
    text = value.strip()
    if match := _ISO.fullmatch(text) or _WITH_SLASHES.fullmatch(text):
        return _format_day(int(match[1]), int(match[2]), int(match[3] or 1))
    if match := _WITH_MONTH_NAME.fullmatch(text):
        month = (match[2] or match[3]).lower()[:3]
        if month in _MONTHS:
            day = int(match[1] or match[4])
            return _format_day(int(match[5]), _MONTHS.index(month) + 1, day)
    return None


def _format_day(year: int, month: int, day: int) -> str | None:
    if year not in _YEARS:
        return None
    try:
        return datetime.date(year, month, day).isoformat()
    except ValueError:
        return None
