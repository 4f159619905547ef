"""Reads one JSON value from bytes, safely: long integers, deep nesting, bytes that are not text.

Python refuses decimal integers above 4,300 digits because int() takes quadratic time on them.
That limit is a global of the process we are a guest in, so it is neither changed nor relied on.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from microcoder_eval.errors import DataError

MAX_INT_DIGITS = 1_000_000  # about 0.3 s to read; no known problem comes near it
_CHUNK = 600  # digits int() reads at once: the lowest limit that Python lets a process set is 640
_LONG_RUN = re.compile(r"\d{4301}")


def parse(raw: bytes) -> Any:
    """The value in ``raw``. NaN and Infinity are read as Python writes them. Raises DataError."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(
            f"not UTF-8 (byte 0x{raw[error.start]:02x} at position {error.start + 1}); "
            "save the file as UTF-8"
        ) from None
    try:
        return parse_text(text)
    except json.JSONDecodeError as error:
        raise DataError(
            f"not JSON ({error.msg} at character {error.pos + 1}); "
            "each line must hold one JSON object"
        ) from None


def parse_text(text: str) -> Any:
    """The value in ``text``. Raises DataError, and JSONDecodeError where it is not JSON."""
    try:
        if sys.get_int_max_str_digits() == 0 and _LONG_RUN.search(text):
            return json.loads(text, parse_int=long_int)  # int() would take quadratic time here
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise DataError("nested too deeply to be read; no test needs that") from None
    except ValueError:  # int() met its limit: read again, with the slower reader of integers
        return _parse_with_long_integers(text)


def _parse_with_long_integers(text: str) -> Any:
    try:
        return json.loads(text, parse_int=long_int)
    except RecursionError:
        raise DataError("nested too deeply to be read; no test needs that") from None


def long_int(digits: str) -> int:
    """The integer written as ``digits``, in much less than quadratic time. Raises DataError."""
    if len(digits) <= _CHUNK:
        return int(digits)
    if len(digits) > MAX_INT_DIGITS:
        raise DataError(
            f"an integer of {len(digits)} digits; up to {MAX_INT_DIGITS} are read, "
            'longer ones as {"$int": "0x..."}'
        )
    sign = -1 if digits.startswith("-") else 1
    return sign * _join(digits.removeprefix("-"))


def _join(digits: str) -> int:
    # Neighbouring pieces are joined in rounds, so that nearly all work is a few multiplications
    # of large numbers (Karatsuba) and not many of a large number by a small one.
    first = len(digits) % _CHUNK
    cuts = ([0] if first else []) + list(range(first, len(digits), _CHUNK))
    pieces = [int(digits[a:b]) for a, b in zip(cuts, [*cuts[1:], len(digits)], strict=True)]
    base: int = 10**_CHUNK
    while len(pieces) > 1:
        if len(pieces) % 2:
            pieces.insert(0, 0)
        pieces = [high * base + low for high, low in zip(pieces[::2], pieces[1::2], strict=True)]
        base *= base
    return pieces[0]
