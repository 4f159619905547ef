"""The default output validator of Kattis and the ICPC problem package format.

Source: problemtools, default_validator (the flags are those of its manual). It compares doubles,
and so does this module: 1.1 is not within 0.1 of 1.0. Unlike there, a NUL byte is an ordinary
byte: C strings end at it, so any rest of a token would be equal.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from microcoder_eval.errors import ComparerError

from .blocks import (
    WHITESPACE,
    find_block_spans,
    find_refused,
    find_unequal,
    find_unequal_ignoring_case,
)
from .numbers import scan_double

_GAPS = bytes(code if bytes([code]).isspace() else ord("x") for code in range(256))
_RUN = re.compile(rb"x{2,}+")
_DIGIT = re.compile(rb"[0-9]")
# The first one sets both others.
_TOLERANCES = ("float_tolerance", "float_absolute_tolerance", "float_relative_tolerance")
_NEVER = -1.0  # a bound that no difference meets


def parse_kattis_flags(words: Sequence[str]) -> dict[str, Any]:
    """Return the validator's flags as options of the comparer "kattis"; a later flag wins, as
    there.

    Raises ComparerError for a word that is no flag, which the validator refuses, too, and for a
    tolerance that is no number of at least 0.
    """
    options: dict[str, Any] = {"case_sensitive": False, "space_change_sensitive": False}
    remaining_words = iter(words)
    for word in remaining_words:
        if word in options and word not in _TOLERANCES:
            options[word] = True
        elif word in _TOLERANCES:
            if word == _TOLERANCES[0]:
                options = {key: options[key] for key in options if key not in _TOLERANCES}
            options[word] = _parse_tolerance(word, next(remaining_words, ""))
        else:
            raise ComparerError(f'"{word[:60]}" is no flag of the default validator')
    return options


def _parse_tolerance(flag: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise ComparerError(f'the flag {flag} needs a number of at least 0, not "{text}"')
    return value


def gaps_differ(actual: bytes, expected: bytes) -> bool:
    """Whether the white space between words differs in any byte."""
    return _extract_gaps(actual) != _extract_gaps(expected)


def _extract_gaps(data: bytes) -> bytes:
    """Return the white space, with one x for each word."""
    translated = data.translate(_GAPS)
    return b"".join(
        _RUN.sub(b"x", translated[start:stop])
        for start, stop in find_block_spans(translated, WHITESPACE)
    )


def find_kattis_mismatch(
    actual_tokens: list[bytes],
    expected_tokens: list[bytes],
    *,
    case_sensitive: bool,
    absolute: float | None,
    relative: float | None,
) -> int | None:
    """Return the index of the first pair that the default validator refuses.

    Case does not matter unless case_sensitive. With a tolerance, an expected token that is a
    finite number (also an integer) accepts a number within the absolute or the relative
    tolerance; without one, 1 is not 1.0.
    """
    if actual_tokens == expected_tokens:
        return None
    has_tolerance = absolute is not None or relative is not None
    if not has_tolerance or not _DIGIT.search(b" ".join(expected_tokens)):
        return (find_unequal if case_sensitive else find_unequal_ignoring_case)(
            actual_tokens, expected_tokens
        )

    def is_same(actual: bytes, expected: bytes) -> bool:
        number = scan_double(expected)
        if number is None:
            return not case_sensitive and actual.lower() == expected.lower()
        answer = scan_double(actual)
        return answer is not None and is_close(answer, number, absolute, relative)

    return find_refused(actual_tokens, expected_tokens, is_same)


def is_close(
    actual: float, expected: float, absolute: float | None, relative: float | None
) -> bool:
    """Whether a number is within one of the tolerances that are set."""
    gap = abs(expected - actual)
    # With an unset relative tolerance and an expected 0, the bound is -1 * 0 = -0.0. A gap of 0
    # meets it, so 0 is accepted for 0.0, as by the arithmetic of the C++ source.
    bound = (_NEVER if relative is None else relative) * abs(expected)
    return gap <= (_NEVER if absolute is None else absolute) or gap <= bound
