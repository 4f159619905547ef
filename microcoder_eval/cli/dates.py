"""Reads dates of data sets (days, months or years) as the range of days that they may mean."""

from __future__ import annotations

import re
from datetime import date

from microcoder_sandbox import record

# A time of day is allowed and ignored: windows are of whole days.
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ]\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?)?)?")


@record
class Days:
    """The days from first to last, both included, as texts that can be compared."""

    first: str = "0001-01-01"
    last: str = "9999-12-31"


def parse_days(text: str) -> Days | None:
    """Return the days of YYYY, YYYY-MM or YYYY-MM-DD, with or without a time; None for any other
    text.

    Source: ISO 8601, extended format.
    """
    match = _DATE.fullmatch(text.strip()) if text.isascii() else None
    if match is None:
        return None
    year, month, day = match.groups()
    days = Days(f"{year}-{month or '01'}-{day or '01'}", f"{year}-{month or '12'}-{day or '31'}")
    try:
        date.fromisoformat(days.first)  # a shorter month's last day is only compared
    except ValueError:
        return None
    return days
