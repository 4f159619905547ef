"""Reads dates of data sets (days, months or years) as the range of days that they may mean."""

from __future__ import annotations

import re
from datetime import date

from microcoder_sandbox import record

# A time of day is allowed and ignored: windows are of whole days.
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ]\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?)?)?")


@record
class Days:
    """The days from first to last, both included."""

    first: date
    last: date


def parse_days(text: str) -> Days | None:
    """Return the days of YYYY, YYYY-MM or YYYY-MM-DD, with or without a time; None for any other
    text.

    Source: ISO 8601, extended format.
    """
    match = _DATE.fullmatch(text.strip()) if text.isascii() else None
    if match is None:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    assert year is not None
    try:
        first = date(year, month or 1, day or 1)
    except ValueError:
        return None
    if day is not None:
        return Days(first, first)
    from calendar import monthrange  # late: few commands have a date

    last_month = month or 12
    return Days(first, date(year, last_month, monthrange(year, last_month)[1]))
