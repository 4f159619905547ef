"""Parses JSON safely: long integers, deep nesting, bytes that are not UTF-8.

Python refuses decimal integers above 4,300 digits because int() takes quadratic time on them.
That limit is a global setting of the caller's process, so this module neither changes nor needs it.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from typing import Any

from microcoder_eval.errors import DataError

_MAX_INT_DIGITS = 1_000_000  # takes 0.3 s; no known problem has nearly as many
_CHUNK = 600  # digits converted at once: the lowest limit that a process can set is 640
_MAX_SEARCHES = 100
_TRAILING_COMMA = re.compile(r",\s*[\]}]\Z")
_LONG_RUN = re.compile(r"\d{4301}")


def parse(raw: bytes) -> Any:
    """Parse the value in ``raw``, with Python's NaN and Infinity. Raises DataError."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(
            f"not UTF-8 (byte 0x{raw[error.start]:02x} at position {error.start + 1}); "
            "save the file as UTF-8"
        ) from None
    try:
        value = parse_text(text)
        if isinstance(value, dict) and _may_repeat_key(text, value):
            json.loads(text, object_pairs_hook=_refuse_repeated_key, parse_int=str)
        return value
    except json.JSONDecodeError as error:
        hint = "each line must hold one JSON object"
        if text.lstrip().startswith("{'"):
            hint = "it looks like a dict that Python printed; json.dumps writes JSON"
        elif text[error.pos :].strip() == ",":
            hint = "remove the comma at its end"
        elif not text.lstrip().startswith(("{", "[")):
            hint += (
                "; if this is a program, give its file the suffix of its language (sum.py, "
                "sum.cpp); plain tests are a folder of 1.in with 1.out"
            )
        elif _has_comma_before_bracket(text, error):
            hint = "remove the comma before the bracket"
        message = f"not JSON ({error.msg} at character {error.pos + 1}); {hint}"
        raise DataError(message) from None


def _has_comma_before_bracket(text: str, error: json.JSONDecodeError) -> bool:
    # Python 3.13 reports the comma, earlier ones the bracket.
    is_reported = error.msg.startswith("Illegal trailing comma")
    end = text[max(0, error.pos - 99) : error.pos + 1]
    return is_reported or _TRAILING_COMMA.search(end) is not None


def _may_repeat_key(text: str, value: dict[str, Any]) -> bool:
    # Searching for each key is much faster than reading the text again, unless there are many.
    return len(value) > _MAX_SEARCHES or any(text.count(f'"{key}"') > 1 for key in value)


def _refuse_repeated_key(pairs: list[tuple[str, Any]]) -> None:
    """Raise DataError where JSON's last value of a key would hide the others."""
    if len(dict(pairs)) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        key = next(name for name, count in counts.items() if count > 1)
        raise DataError(f'the key "{key}" is there twice; only one of its values would count')


def parse_text(text: str) -> Any:
    """Parse the value in ``text``. Raises DataError, and JSONDecodeError if it is not JSON."""
    # int() would take quadratic time for long integers, if this process lets it.
    is_unbounded = sys.get_int_max_str_digits() == 0 and _LONG_RUN.search(text)
    try:
        try:
            return json.loads(text, parse_int=_parse_integer if is_unbounded else None)
        except json.JSONDecodeError:
            raise
        except ValueError:  # an integer exceeds the limit of int()
            return json.loads(text, parse_int=_parse_integer)
    except RecursionError:
        raise DataError("nested too deeply to be read; no test needs that") from None


def _parse_integer(digits: str) -> int:
    """Parse an integer in much less than quadratic time. Raises DataError."""
    if len(digits) <= _CHUNK:
        return int(digits)
    if len(digits) > _MAX_INT_DIGITS:
        raise DataError(
            f"an integer of {len(digits)} digits; up to {_MAX_INT_DIGITS} are read, "
            'longer ones as {"$int": "0x..."}'
        )
    sign = -1 if digits.startswith("-") else 1
    return sign * _convert_halves(digits.removeprefix("-"))


def _convert_halves(digits: str) -> int:
    # Multiplying two long numbers is faster (Karatsuba) than a long one by many short ones.
    if len(digits) <= _CHUNK:
        return int(digits)
    low_count = len(digits) // 2
    high, low = _convert_halves(digits[:-low_count]), _convert_halves(digits[-low_count:])
    power: int = 10**low_count
    return high * power + low
