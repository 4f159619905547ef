"""Reads the limits of datasets: numbers, texts with a unit, or durations of protocol buffers.

An absent limit (also null, 0, empty) is None. A limit that cannot be read raises DataError, since
ignoring it would change verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import error_text

# "2 seconds", "256.0 megabytes"; of a range, "1 - 2 seconds", the end, which fits all tests.
_AMOUNT = re.compile(r"(?:\d+(?:\.\d+)?\s*(?:-|to)\s*)?(\d+(?:\.\d+)?)\s*([a-z]*)\.?")
_SECONDS = {"": 1.0, "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0,
            "ms": 1e-3, "millisecond": 1e-3, "milliseconds": 1e-3, "us": 1e-6, "ns": 1e-9,
            "nanoseconds": 1e-9, "min": 60.0, "minute": 60.0, "minutes": 60.0}  # fmt: skip
# MB means MiB for judges, in these sets, and in our "memory_mb".
_MEBIBYTES = {"": 1.0, "m": 1.0, "mb": 1.0, "mib": 1.0, "megabyte": 1.0, "megabytes": 1.0,
              "g": 1024.0, "gb": 1024.0, "gib": 1024.0, "gigabyte": 1024.0, "gigabytes": 1024.0,
              "k": 2.0**-10, "kb": 2.0**-10, "kib": 2.0**-10, "kilobyte": 2.0**-10,
              "kilobytes": 2.0**-10, "b": 2.0**-20, "byte": 2.0**-20,
              "bytes": 2.0**-20}  # fmt: skip


def read_limits(
    time: Any = None, memory: Any = None, *, memory_unit: str = "megabytes"
) -> dict[str, float]:
    """Return time_s and memory_mb, if known. Raises DataError.

    time: seconds, text with a unit, or {"seconds", "nanos"}. memory: a number of ``memory_unit``,
    or text with a unit.
    """
    limits = {
        "time_s": _parse_duration(time)
        if isinstance(time, Mapping)
        else _parse_amount(time, _SECONDS, "time"),
        "memory_mb": _parse_amount(memory, _MEBIBYTES, "memory", memory_unit),
    }
    return {key: value for key, value in limits.items() if value is not None}


def _parse_amount(
    value: Any, units: Mapping[str, float], limit_name: str, unit: str = ""
) -> float | None:
    if value is None or value == "":
        return None
    number = value
    if isinstance(value, str) and (match := _AMOUNT.fullmatch(value.strip().lower())):
        number, unit = float(match[1]), match[2] or unit
    if unit not in units or not _is_amount(number):
        raise DataError(
            f"the {limit_name} limit {error_text.describe_value(value)} cannot be read; write it "
            f"as a number or with a unit ({', '.join(u for u in units if len(u) in (1, 2))})"
        )
    return float(number) * units[unit] or None


def _parse_duration(value: Mapping[str, Any]) -> float | None:
    seconds = value.get("seconds") or 0
    nanoseconds = value.get("nanos") or value.get("nanoseconds") or 0
    if not (_is_amount(seconds) and _is_amount(nanoseconds)):
        raise DataError('the time limit needs numbers in "seconds" and "nanos"')
    return float(seconds + nanoseconds / 1e9) or None


def _is_amount(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 <= value < 1e15  # neither nan nor infinite
