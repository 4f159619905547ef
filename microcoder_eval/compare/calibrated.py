"""The default comparer: accepts what an official judge would accept, and no more.

It compares tokens, as most judges do (testlib wcmp, Kattis, DOMjudge, AtCoder). What else it
accepts depends on the *expected* output only:

difference                  accepted if                            source
trailing space, blank lines always                                 ICPC notes, DMOJ, Kattis
spaces for newlines         always, except in drawings             testlib wcmp, Kattis
byte order mark             always                                 testlib skips it
a number close by           the expected token has a point or      Codeforces, NCPC, AtCoder:
                            an exponent                            1e-6, absolute or relative
upper, lower case           the expected token is yes, no, true,   Codeforces "in any case",
                            false, possible or impossible          testlib yesno
spelling of infinity, nan   the expected token is one              DOMjudge
a literal's spacing/quotes  the expected line is a list, tuple,    LeetCode-like sets print
                            dict or quoted text                    repr or JSON

Newlines for spaces: an expected output of numbers and words does not show whether a line break
matters, and official checkers of such problems read tokens; only DMOJ's "standard" distinguishes
the two. Layout counts only where the expected output shows it, by indented or gapped drawing (see
is_drawing); a pattern at the left margin does not.
Never accepted: another order or multiplicity, integers close by, other signs or leading zeros,
underscores, digits of other scripts, extra text, an empty answer.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import partial

from . import arrays
from .blocks import LINE_END, Blocks, count_common_bytes, find_refused, sequences_match, split_words
from .literals import is_same_literal, may_hold_literals
from .numbers import Tolerance, compute_distance, compute_half_unit, is_float
from .texts import split_stripped_lines

_EPSILON = Decimal("1e-6")
_TOLERANCE = Tolerance(_EPSILON, _EPSILON)
_RELATIVE_ONLY = Tolerance(None, _EPSILON)
_TINY = float(_EPSILON)
_WORDS = frozenset(b"yes no true false possible impossible".split())
_SPECIAL = {
    **dict.fromkeys((b"inf", b"+inf", b"infinity", b"+infinity"), "inf"),
    **dict.fromkeys((b"-inf", b"-infinity"), "-inf"),
    **dict.fromkeys((b"nan", b"+nan", b"-nan"), "nan"),
}
# A line without letters and digits that is indented, or has a run of blanks inside.
_DRAWN = re.compile(
    rb"(?m)^(?:[ \t]++[^0-9A-Za-z\s]|[^0-9A-Za-z\n ]++(?: [^0-9A-Za-z\n ]++)*+ {2,}+[^0-9A-Za-z\s])"
    rb"[^0-9A-Za-z\n]*+$"
)


def is_drawing(actual: bytes, expected: bytes) -> bool:
    """Whether the expected output is a drawing, so that layout matters.

    It is if a line without letters and digits is indented or has a run of blanks inside. Then the
    comparer ignores trailing space only.
    """
    has_blanks = b" " in expected or b"\t" in expected  # else the search would take long
    return has_blanks and _DRAWN.search(expected) is not None


def lines_match_as_literals(actual: bytes, expected: bytes) -> bool:
    """Whether each line has close tokens, or is a literal of the same value."""
    if not may_hold_literals(expected):
        return False
    start = count_common_bytes(actual, expected, LINE_END)
    return sequences_match(
        split_nonblank_lines(actual, start),
        split_nonblank_lines(expected, start),
        find_line_mismatch,
    ) and not is_drawing(actual, expected)


def split_nonblank_lines(data: bytes, start: int) -> Blocks[bytes]:
    """Split an output into the lines that are not blank, without trailing white space."""
    return filter(None, (list(filter(None, block)) for block in split_stripped_lines(data, start)))


def find_line_mismatch(actual_lines: list[bytes], expected_lines: list[bytes]) -> int | None:
    """Return the index of the first pair of lines without close tokens or equal literals."""
    return find_refused(actual_lines, expected_lines, _is_same_line)


def _is_same_line(actual: bytes, expected: bytes) -> bool:
    if sequences_match(split_words(actual), split_words(expected), find_token_mismatch):
        return True
    return is_same_literal(actual, expected, _is_same_token, find_token_mismatch)


def find_token_mismatch(actual_tokens: list[bytes], expected_tokens: list[bytes]) -> int | None:
    """Return the index of the first pair of tokens that ``_is_same_token`` refuses."""
    if actual_tokens == expected_tokens:
        return None
    unclear = _TOLERANCE.find_unclear(actual_tokens, expected_tokens, min_size=_TINY)
    return next(
        (i for i in unclear if not _is_same_token(actual_tokens[i], expected_tokens[i])), None
    )


words_are_close = partial(arrays.words_are_close, tolerance=_TOLERANCE, min_size=_TINY)


def _is_same_token(actual: bytes, expected: bytes) -> bool:
    """Whether a token is accepted for an expected one with other bytes."""
    if is_float(expected):
        return _TOLERANCE.covers(actual, expected) and _is_precise_enough(actual, expected)
    if len(expected) > 12:  # longer than any word below
        return False
    lowered = expected.lower()
    if lowered.rstrip(b".!") in _WORDS:
        return actual.lower() == lowered
    special = _SPECIAL.get(lowered)
    return special is not None and _SPECIAL.get(actual.lower()) == special


def is_close(actual: float, expected: float) -> bool:
    """Whether a number is accepted for an expected one, as their texts are."""
    return _TOLERANCE.covers_number(actual, expected) and (
        abs(expected) >= _TINY or _is_precise_enough(repr(actual).encode(), repr(expected).encode())
    )


def _is_precise_enough(actual: bytes, expected: bytes) -> bool:
    """Whether an answer to an expected number below 1e-6 is precise enough.

    The absolute tolerance accepts every small answer there, also twice the right one. So an
    answer must be zero, which every judge accepts, or within the relative tolerance, or be the
    expected number rounded to the digits printed.
    """
    size = abs(float(expected))
    if size >= _TINY or not (size or _has_digit(expected)):
        return True
    if not _has_digit(actual) or _RELATIVE_ONLY.covers(actual, expected):
        return True
    actual_number, expected_number = (Decimal(n.decode("ascii")) for n in (actual, expected))
    return compute_distance(actual_number, expected_number) <= compute_half_unit(actual_number)


def _has_digit(number: bytes) -> bool:
    """Whether a number is not zero; converted to double it may underflow."""
    mantissa = number.lower().partition(b"e")[0]
    return any(digit in b"123456789" for digit in mantissa)
