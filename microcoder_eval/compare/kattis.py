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
from microcoder_sandbox import record

from .blocks import (
    WHITESPACE,
    find_block_spans,
    find_unequal,
    find_unequal_ignoring_case,
    find_unequal_indices,
)
from .numbers import scan_double

_GAPS = bytes(code if bytes([code]).isspace() else ord("x") for code in range(256))
_RUN = re.compile(rb"x{2,}+")
_DIGIT = re.compile(rb"[0-9]")
# The first one sets both others.
_TOLERANCES = ("float_tolerance", "float_absolute_tolerance", "float_relative_tolerance")
_NEVER = -1.0  # a bound that no difference meets


@record
class KattisFlags:
    """The validator's flags. absolute, relative: tolerances, None if not set."""

    case_sensitive: bool = False
    space_change_sensitive: bool = False
    absolute: float | None = None
    relative: float | None = None

    @property
    def compares_numbers(self) -> bool:
        """Whether numbers are compared as numbers."""
        return self.absolute is not None or self.relative is not None


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
    actual_tokens: list[bytes], expected_tokens: list[bytes], flags: KattisFlags
) -> int | None:
    """Return the index of the first pair that the default validator refuses.

    Case does not matter unless case_sensitive. With a tolerance, an expected token that is a
    finite number (also an integer) accepts a number within the absolute or the relative
    tolerance; without one, 1 is not 1.0.
    """
    if actual_tokens == expected_tokens:
        return None
    if not flags.compares_numbers or not _DIGIT.search(b" ".join(expected_tokens)):
        return (find_unequal if flags.case_sensitive else find_unequal_ignoring_case)(
            actual_tokens, expected_tokens
        )
    for index in find_unequal_indices(actual_tokens, expected_tokens):
        if not _tokens_match(actual_tokens[index], expected_tokens[index], flags):
            return index
    return None


def _tokens_match(actual: bytes, expected: bytes, flags: KattisFlags) -> bool:
    expected_number = scan_double(expected)
    if expected_number is not None:
        actual_number = scan_double(actual)
        absolute, relative = _get_bounds(flags)
        if actual_number is None:
            return False
        gap = abs(expected_number - actual_number)
        return gap <= absolute or gap <= relative * abs(expected_number)
    return not flags.case_sensitive and actual.lower() == expected.lower()


def _get_bounds(flags: KattisFlags) -> tuple[float, float]:
    # With an unset relative tolerance and an expected 0, the bound is -1 * 0 = -0.0. A gap of 0
    # meets it, so 0 is accepted for 0.0, as by the arithmetic of the C++ source.
    absolute = _NEVER if flags.absolute is None else flags.absolute
    relative = _NEVER if flags.relative is None else flags.relative
    return absolute, relative
