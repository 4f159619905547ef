"""The standard checkers of testlib (Codeforces), as strict about format as they are.

Source: testlib's checkers folder and the readers of testlib.h. Integers must be written as
testlib reads them (no plus sign, no leading zero); words end at space, tab, CR and LF only; a byte
order mark is skipped; after the last thing read only blanks may remain. Where the *expected*
output breaks the format (testlib: _fail), nothing is accepted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import chain

from .texts import BOM

_BLANKS = re.compile(rb"[^ \t\r\n]++")
_INTEGER = re.compile(rb"0|-?[1-9][0-9]*+")
_INT32, _INT64 = 2**31, 2**63
_DOUBLE_SLACK = 1e-15  # testlib adds it to every tolerance
_MOST_DOUBLE = 1000  # testlib reads no longer token as a double
_REAL = re.compile(rb"[+-]?(?:(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?)")
_SPECIAL = re.compile(rb"[+-]?(?:inf(?:inity)?|nan)", re.IGNORECASE)

CloseTest = Callable[[float, float], bool]


def words_of(data: bytes) -> list[bytes]:
    """Words as testlib reads them."""
    data = data.removeprefix(BOM)
    # bytes.split also ends a word at a form feed and a vertical tab.
    return _BLANKS.findall(data) if b"\f" in data or b"\v" in data else data.split()


def wcmp(actual: bytes, expected: bytes) -> bool:
    """The same sequence of words."""
    return words_of(actual) == words_of(expected)


def fcmp(actual: bytes, expected: bytes) -> bool:
    """The same lines to the byte; CR LF is a line's end, blanks may follow the last."""
    ours, theirs = _lines(actual), _lines(expected, answer=True)
    count = len(theirs)
    return ours[:count] == theirs and not b"".join(ours[count:]).strip(b" \t\r\n")


def lcmp(actual: bytes, expected: bytes) -> bool:
    """The same words in each line."""
    ours, theirs = _lines(actual), _lines(expected, answer=True)
    count = len(theirs)
    return (
        len(ours) >= count
        and list(map(words_of, ours[:count])) == list(map(words_of, theirs))
        and not b"".join(ours[count:]).strip(b" \t\r\n")
    )


def ncmp(actual: bytes, expected: bytes) -> bool:
    """The same sequence of 64-bit integers."""
    words = words_of(expected)
    return words_of(actual) == words and all(_is_int(word, _INT64) for word in words)


def icmp(actual: bytes, expected: bytes) -> bool:
    """One 32-bit integer."""
    words = words_of(expected)
    return len(words) == 1 and words_of(actual) == words and _is_int(words[0], _INT32)


def hcmp(actual: bytes, expected: bytes) -> bool:
    """One integer of any length, compared as text."""
    words = words_of(expected)
    return len(words) == 1 and words_of(actual) == words and bool(_INTEGER.fullmatch(words[0]))


def uncmp(actual: bytes, expected: bytes) -> bool:
    """The same 64-bit integers as often, in any order."""
    words = words_of(expected)
    return sorted(words_of(actual)) == sorted(words) and all(
        _is_int(word, _INT64) for word in set(words)
    )


def yesno(actual: bytes, expected: bytes) -> bool:
    """One YES or NO, in any case."""
    return len(words_of(expected)) == 1 and nyesno(actual, expected)


def nyesno(actual: bytes, expected: bytes) -> bool:
    """The same sequence of YES and NO, in any case."""
    words = words_of(expected.upper())
    return words_of(actual.upper()) == words and set(words) <= {b"YES", b"NO"}


def doubles(actual: bytes, expected: bytes, close: CloseTest, single: bool = False) -> bool:
    """Sequences of doubles (rcmp4, rcmp6, rcmp9, rncmp), or exactly one (dcmp, rcmp)."""
    ours, theirs = words_of(actual), words_of(expected)
    if len(ours) != len(theirs) or (single and len(theirs) != 1):
        return False
    if not all(map(_is_double, chain(ours, theirs))):
        return False
    return all(map(close, map(float, ours), map(float, theirs)))


def double_compare(result: float, expected: float, epsilon: float) -> bool:
    """testlib's doubleCompare: absolute or relative; nan is nan, an infinity has its sign."""
    if math.isnan(expected):
        return math.isnan(result)
    if math.isinf(expected) or not math.isfinite(result):
        return result == expected
    epsilon += _DOUBLE_SLACK
    if abs(result - expected) <= epsilon:
        return True
    ends = expected * (1 - epsilon), expected * (1 + epsilon)
    return min(ends) <= result <= max(ends)


def absolute_compare(result: float, expected: float, epsilon: float) -> bool:
    """rcmp's own test: the absolute difference only, and no nan."""
    return abs(result - expected) <= epsilon + _DOUBLE_SLACK


def _lines(data: bytes, answer: bool = False) -> list[bytes]:
    lines = data.removeprefix(BOM).replace(b"\r\n", b"\n").split(b"\n")
    if not lines[-1]:
        lines.pop()  # the end of the last line begins no other
    if answer and lines and not lines[-1]:
        lines.pop()  # an empty last line of the answer is not asked for
    return lines


def _is_int(word: bytes, bound: int) -> bool:
    # 20 characters hold any 64-bit integer; int() never sees a long word.
    return len(word) <= 20 and bool(_INTEGER.fullmatch(word)) and -bound <= int(word) < bound


def _is_double(word: bytes) -> bool:
    return len(word) <= _MOST_DOUBLE and bool(_REAL.fullmatch(word) or _SPECIAL.fullmatch(word))
