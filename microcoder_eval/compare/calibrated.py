"""The default: what an official judge would accept, and nothing more.

Every freedom is decided from the *expected* output. Tokens decide, as with most judges (testlib
wcmp, Kattis, DOMjudge, AtCoder); on top of that:

freedom                     given when                             source
trailing and blank space    always                                 ICPC notes, DMOJ, Kattis
spaces for newlines         always, but for drawings               testlib wcmp, Kattis
byte order mark             always                                 testlib skips it
a number close by           the expected token has a point or      Codeforces, NCPC, AtCoder:
                            an exponent                            1e-6, absolute or relative
upper, lower case           the expected token is a word such      Codeforces "in any case",
                            as YES or impossible                   testlib yesno
spelling of infinity, nan   the expected token is one              DOMjudge
a literal's spacing/quotes  the expected line is a list, tuple,    LeetCode-like sets print
                            dict or quoted text                    repr or JSON
Not given: order, multiplicity, integers near by, signs and leading zeros, underscores, digits of
other scripts, extra text, an empty answer.
"""

from __future__ import annotations

import ast
import json
from decimal import Decimal
from typing import Any

from .numbers import close, distance, is_float_token, number
from .texts import BOM, stripped_lines
from .values import same_value

EPSILON = Decimal("1e-6")
MAX_LITERAL = 1 << 16  # Python literals; JSON is read at any size
_WORDS = frozenset(
    b"yes no true false possible impossible yeah nope ok win lose draw valid invalid".split()
)
_INFINITY = {b"inf": 1, b"+inf": 1, b"infinity": 1, b"+infinity": 1, b"-inf": -1, b"-infinity": -1}
_LITERAL_START = (b"[", b"(", b"{", b'"', b"'")


def without_bom(data: bytes) -> bytes:
    """The output without a byte order mark in front."""
    return data.removeprefix(BOM)


def is_drawing(expected: bytes) -> bool:
    """Whether the layout is the answer: an indented line without a single letter or digit."""
    return any(
        line[:1] in (b" ", b"\t") and not any(c in _ALNUM for c in line)
        for line in stripped_lines(expected)
        if line
    )


_ALNUM = frozenset(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


def close_tokens(actual: bytes, expected: bytes) -> bool:
    """Tokens equal, or equal up to the freedoms of the table that concern single tokens."""
    ours, theirs = actual.split(), expected.split()
    return len(ours) == len(theirs) and all(
        a == e or _same_token(a, e) for a, e in zip(ours, theirs, strict=True)
    )


def _same_token(actual: bytes, expected: bytes) -> bool:
    if is_float_token(expected):
        return _close_number(actual, expected)
    lowered = expected.lower().rstrip(b".!")
    if lowered in _WORDS:
        return actual.lower() == expected.lower()
    if lowered in _INFINITY:
        return _INFINITY.get(actual.lower()) == _INFINITY[lowered]
    return lowered in (b"nan", b"+nan", b"-nan") and actual.lower() in (b"nan", b"+nan", b"-nan")


def _close_number(actual: bytes, expected: bytes) -> bool:
    """1e-6, absolute or relative. Below 1e-6 itself the absolute bound says nothing: there a
    printed number other than zero must be the expected one rounded to the digits printed."""
    found, wanted = number(actual), number(expected)
    if found is None or wanted is None:
        return False
    if not close(found, wanted, EPSILON, EPSILON):
        return False
    if not (0 < abs(wanted) < EPSILON) or found == 0 or close(found, wanted, None, EPSILON):
        return True
    exponent = found.as_tuple().exponent
    last_digit = Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(0)
    return distance(found, wanted) <= last_digit / 2


def same_literals(actual: bytes, expected: bytes) -> bool:
    """Line by line: close tokens, or both a literal of the same value."""
    ours = [line for line in stripped_lines(actual) if line]
    theirs = [line for line in stripped_lines(expected) if line]
    return len(ours) == len(theirs) and all(
        close_tokens(a, e) or _same_literal(a.strip(), e.strip())
        for a, e in zip(ours, theirs, strict=True)
    )


def _same_literal(actual: bytes, expected: bytes) -> bool:
    if not expected.startswith(_LITERAL_START):
        return False
    wanted = _literal(expected)
    return (
        wanted is not None
        and (found := _literal(actual)) is not None
        and same_value(found[0], wanted[0])
    )


def _literal(text: bytes) -> tuple[Any] | None:
    """The value of a JSON or Python literal in a 1-tuple, or None."""
    try:
        return (json.loads(text, parse_int=_short_int),)
    except (ValueError, RecursionError):
        pass
    if len(text) > MAX_LITERAL:
        return None
    try:
        return (ast.literal_eval(_python_words(text.decode())),)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def _short_int(digits: str) -> int:
    if len(digits) > 4000:
        raise ValueError("longer than any literal compared here")
    return int(digits)


def _python_words(text: str) -> str:
    # A mixture such as ['a', true] is neither JSON nor Python; the words are clear all the same.
    return text if "'" not in text else text.replace("true", "True").replace("false", "False")
