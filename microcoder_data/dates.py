"""Converts the dates of data sets to YYYY-MM-DD."""

from __future__ import annotations

import datetime
import re
from contextlib import suppress
from typing import Any

_ISO = re.compile(r"(\d{4}-\d{1,2}(?:-\d{1,2})?)(?:[T ].*)?")
_DATE_SEPARATOR = re.compile(r"(?<=\d)[/.](?=\d)")
_MONTH = re.compile(r"([A-Za-z]{3})[A-Za-z]{0,6}")  # by its first letters: Sept, September
_FORMATS = ("%Y-%m-%d", "%Y-%m", "%d %b %Y", "%b %d %Y")
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
    text = _ISO.sub(r"\1", value.strip())
    text = _MONTH.sub(r"\1", _DATE_SEPARATOR.sub("-", text))
    text = " ".join(re.sub("[.,]", " ", text).split())
    for form in _FORMATS:
        with suppress(ValueError):
            day = datetime.datetime.strptime(text, form).date()
            return day.isoformat() if day.year in _YEARS else None
    return None
