"""Numbers in outputs: a strict ASCII grammar, and tolerances that are exact at their bounds.

Python's float() and Decimal() also accept underscores and digits of other scripts; the grammar
here does not. No function converts a token to an integer, which could be very long.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import field
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from itertools import chain

from microcoder_sandbox import record

from .blocks import find_unequal_indices

_NUMBER = re.compile(rb"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]{1,4})?")
_FLOAT = re.compile(
    rb"[+-]?(?:[0-9]++(?:\.[0-9]*+|(?=[eE]))|\.[0-9]++)(?:[eE][+-]?[0-9]{1,4})?"
)  # fmt: skip
_DOUBLE = re.compile(rb"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")
LONG_EXPONENT = re.compile(rb"[eE][+-]?[0-9]{5}")  # not in the grammar above
_DBL_DIG = 15  # decimals of at most so many digits are equal if their doubles are
_HEX = re.compile(
    rb"[+-]?0[xX](?:[0-9a-fA-F]++\.?[0-9a-fA-F]*+|\.[0-9a-fA-F]++)(?:[pP][+-]?[0-9]{1,6})?"
)
# Digits of a difference: the largest double has 309 before the point, and any tolerance above
# zero decides a cancellation to less than 1e-120. An output may be a number of millions of digits,
# beyond the exponents of the default context.
_CONTEXT = Context(prec=430, Emax=MAX_EMAX, Emin=MIN_EMIN)
# Bound on the rounding error of two conversions and a subtraction, relative to the numbers.
_ROUNDING = 1e-15
_UNDERFLOW = 1e-300  # doubles below lose digits
# From this relative tolerance on, which is 1e5 times the rounding error of doubles, a gap below
# _CLEAR_FRACTION of the bound is certainly below the bound.
_MIN_RELIABLE_TOLERANCE = 1e-10
_CLEAR_FRACTION = 0.999
_MIN_BATCH = 64  # pairs from which comparing them together is faster

_is_number = _NUMBER.fullmatch
is_float = _FLOAT.fullmatch  # a number with a point or an exponent


def compute_distance(left: Decimal, right: Decimal) -> Decimal:
    """Return the absolute difference, exact enough for any tolerance."""
    return _CONTEXT.subtract(left, right).copy_abs()


def compute_half_unit(number: Decimal) -> Decimal:
    """Return half a unit in the last written place of ``number``."""
    last_place = number.as_tuple().exponent
    assert isinstance(last_place, int), "no token of the grammar is nan or infinite"
    return _CONTEXT.scaleb(Decimal(5), last_place - 1)


@record
class Tolerance:
    """Accepts numbers within ``absolute``, or within ``relative`` times the expected number.

    Each is None if there is no such tolerance. Source: the default validators of Kattis and
    DOMjudge and NCPC's notes, where either of the two is enough.
    """

    absolute: Decimal | None
    relative: Decimal | None
    _absolute: float = field(init=False, repr=False)
    _relative: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_absolute", float(self.absolute or 0))
        object.__setattr__(self, "_relative", float(self.relative or 0))

    def covers(self, actual: bytes, expected: bytes) -> bool:
        """Whether the token ``actual`` is a number close to ``expected``, which is a number."""
        return bool(_is_number(actual)) and self._are_close(
            float(actual),
            float(expected),
            lambda: (actual.decode("ascii"), expected.decode("ascii")),
        )

    def covers_number(self, actual: float, expected: float) -> bool:
        """As ``covers``, of finite numbers as Python writes them."""
        return self._are_close(actual, expected, lambda: (repr(actual), repr(expected)))

    def _are_close(
        self, actual: float, expected: float, write: Callable[[], tuple[str, str]]
    ) -> bool:
        """Doubles decide if the gap differs from the bound by more than their error; else exact
        decimals do, of the numbers as they are written, which are ten times slower."""
        gap, size = abs(actual - expected), abs(expected)
        bound = max(self._absolute, self._relative * size)
        error_bound = _ROUNDING * (abs(actual) + size + bound) + _UNDERFLOW
        if gap + error_bound < bound:
            return True
        return gap - error_bound <= bound and self.is_close_exactly(*map(Decimal, write()))

    def find_unclear(
        self,
        actual_tokens: list[bytes],
        expected_tokens: list[bytes],
        *,
        min_size: float = 0.0,
        either_real: bool = False,
    ) -> list[int]:
        """Return the indices at which tokens differ, without numbers that are clearly close.

        It does for thousands of numbers what ``covers`` does for one, five times faster. It
        returns all indices if a token is not a plain number, or if an expected one (with
        ``either_real``: both) has neither point nor exponent. For an expected number below
        ``min_size`` only the relative tolerance counts, unless both are zero.
        """
        indices = list(find_unequal_indices(actual_tokens, expected_tokens))
        if len(indices) < _MIN_BATCH:
            return indices
        left, right = ([tokens[i] for i in indices] for tokens in (actual_tokens, expected_tokens))
        all_real = all(
            b"." in e or is_float(e) or (either_real and is_float(a))
            for a, e in zip(left, right, strict=True)
        )
        numbers = _read_plain_numbers([*left, *right]) if all_real else None
        if numbers is None:
            return indices
        relative, absolute = self.get_clear_bounds(max(map(abs, numbers)))
        # Equal doubles of short tokens are equal decimals, if none underflows; zeros always are.
        least = _UNDERFLOW if max(map(len, chain(left, right))) <= _DBL_DIG else math.inf
        rows = zip(indices, left, right, numbers, numbers[len(right) :], strict=False)
        return [
            index
            for index, actual, expected, a, e in rows
            if not (
                (gap := abs(a - e)) < relative * (size := abs(e))
                or (gap < absolute and size >= min_size)
                or (gap == 0 and (size > least or not (actual + expected).strip(b"+-.0")))
            )
        ]

    def get_clear_bounds(self, largest: float) -> tuple[float, float]:
        """Return (relative, absolute) smaller bounds, which rounding errors of numbers up to
        ``largest`` cannot cross; ``covers`` decides the others."""
        relative = self._relative if self._relative >= _MIN_RELIABLE_TOLERANCE else 0.0
        is_reliable = self._absolute >= _MIN_RELIABLE_TOLERANCE * largest
        absolute = self._absolute if is_reliable else 0.0
        return _CLEAR_FRACTION * relative, _CLEAR_FRACTION * absolute

    def is_close_exactly(self, actual: Decimal, expected: Decimal) -> bool:
        """Whether two decimals are close, computed exactly."""
        gap = compute_distance(actual, expected)
        if gap == 0 or (self.absolute is not None and gap <= self.absolute):
            return True
        return self.relative is not None and gap <= _CONTEXT.multiply(
            self.relative, expected.copy_abs()
        )


def _read_plain_numbers(tokens: list[bytes]) -> list[float] | None:
    """Return the numbers of tokens, None if one of them is none in the grammar above."""
    text = b" ".join(tokens)
    if text.translate(None, b"0123456789.+- eE"):
        return None
    if (b"e" in text or b"E" in text) and LONG_EXPONENT.search(text):
        return None
    try:  # what is left, float() accepts as the grammar does
        return list(map(float, tokens))
    except ValueError:
        return None


def find_float_mismatch(
    actual_tokens: list[bytes],
    expected_tokens: list[bytes],
    tolerance: Tolerance,
    *,
    case_sensitive: bool = False,
) -> int | None:
    """Return the index of the first pair neither equal nor within tolerance, one of them real.

    Official validators with a tolerance accept 276.0 for 276, so here one real number suffices.
    Two integers must be equal as text, however long; inf and nan are close to nothing. Other
    tokens are words, compared without regard to case unless case_sensitive. Source: the default
    validators of problemtools and DOMjudge, which apply the tolerance to integers as well.
    """
    if actual_tokens == expected_tokens:
        return None
    for index in tolerance.find_unclear(actual_tokens, expected_tokens, either_real=True):
        actual, expected = actual_tokens[index], expected_tokens[index]
        if _is_close(actual, expected, tolerance):
            continue
        if case_sensitive or actual.lower() != expected.lower():
            return index
    return None


def _is_close(actual: bytes, expected: bytes, tolerance: Tolerance) -> bool:
    if not (is_float(expected) or (_is_number(expected) and is_float(actual))):
        return False
    return tolerance.covers(actual, expected)


def scan_double(token: bytes) -> float | None:
    """Convert a token as C's scanf does with %lf; None unless it is a finite number.

    Hexadecimal numbers are included.
    """
    if _DOUBLE.fullmatch(token):
        value = float(token)
    elif _HEX.fullmatch(token):
        try:
            value = float.fromhex(token.decode("ascii"))
        except OverflowError:
            return None
    else:
        return None
    return value if math.isfinite(value) else None
