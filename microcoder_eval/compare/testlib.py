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
from functools import partial
from itertools import chain, islice

from .bags import same_bag
from .blocks import (
    BLOCK,
    LINE_END,
    Blocks,
    Rule,
    alike,
    cuts,
    identical,
    in_common,
    pair_by_pair,
    paired,
    words,
)
from .texts import BOM

_WORDS = re.compile(rb"[^ \t\r\n]++")
_GAP = re.compile(rb"[ \t\r\n]")
_BLANKS = b" \t\r\n"
_INTEGER = re.compile(rb"0|-?[1-9][0-9]*+")
_INTEGERS = re.compile(rb"(?:(?:0|-?[1-9][0-9]*+)\n)*+")
_INT32, _INT64 = 2**31, 2**63
_SURELY_SHORT = 10  # no more than nine characters: within 32 bits
_MOST_DOUBLE = 1000  # testlib reads no longer token as a double
_DOUBLE_SLACK = 1e-15  # testlib adds it to every tolerance

CloseTest = Callable[[float, float], bool]


def _same_words(actual: bytes, expected: bytes) -> bool:
    if max(len(actual), len(expected)) <= BLOCK:
        return actual.split() == expected.split()
    return alike(words(actual), words(expected), identical)


same_words_a_line = pair_by_pair(_same_words)


def words_of(data: bytes) -> Blocks[bytes]:
    """Words as testlib reads them."""
    data = data.removeprefix(BOM)
    # bytes.split also ends a word at a form feed and a vertical tab.
    odd = b"\f" in data or b"\v" in data
    for start, stop in cuts(data, _GAP):
        if block := _WORDS.findall(data, start, stop) if odd else data[start:stop].split():
            yield block


def wcmp(actual: bytes, expected: bytes) -> bool:
    """The same sequence of words."""
    return alike(words_of(actual), words_of(expected), identical)


def fcmp(actual: bytes, expected: bytes) -> bool:
    """The same lines to the byte; CR LF is a line's end, blanks may follow the last."""
    return _begins(actual, expected, identical)


def lcmp(actual: bytes, expected: bytes) -> bool:
    """The same words in each line; here, as in C++ streams, any white space ends a word."""
    return _begins(actual, expected, same_words_a_line)


def ncmp(actual: bytes, expected: bytes) -> bool:
    """The same sequence of 64-bit integers."""
    return alike(words_of(actual), words_of(expected), unlike_int64)


def icmp(actual: bytes, expected: bytes) -> bool:
    """One 32-bit integer."""
    return _single(expected) and alike(words_of(actual), words_of(expected), unlike_int32)


def hcmp(actual: bytes, expected: bytes) -> bool:
    """One integer of any length, compared as text."""
    return _single(expected) and alike(words_of(actual), words_of(expected), unlike_integers)


def uncmp(actual: bytes, expected: bytes) -> bool:
    """The same 64-bit integers as often, in any order."""
    return _are_integers(words_of(expected), _INT64) and same_bag(
        words_of(actual), words_of(expected)
    )


def yesno(actual: bytes, expected: bytes) -> bool:
    """One YES or NO, in any case."""
    return _single(expected) and nyesno(actual, expected)


def nyesno(actual: bytes, expected: bytes) -> bool:
    """The same sequence of YES and NO, in any case."""
    return alike(words_of(actual), words_of(expected), unlike_yes_no)


def doubles(actual: bytes, expected: bytes, close: CloseTest, single: bool = False) -> bool:
    """Sequences of doubles (rcmp4, rcmp6, rcmp9, rncmp), or exactly one (dcmp, rcmp).

    inf and nan as words are a wrong format; what overflows is an infinity.
    """
    if single and not _single(expected):
        return False
    return alike(words_of(actual), words_of(expected), partial(unlike_doubles, close=close))


def unlike_integers(ours: list[bytes], theirs: list[bytes], bound: int | None = None) -> int | None:
    """The first pair that differs or is no integer as testlib writes them, within the bound."""
    at = identical(ours, theirs)
    odd = _no_integer(theirs if at is None else theirs[:at], bound)
    return at if odd is None else odd


unlike_int32 = partial(unlike_integers, bound=_INT32)
unlike_int64 = partial(unlike_integers, bound=_INT64)


def unlike_yes_no(ours: list[bytes], theirs: list[bytes]) -> int | None:
    """The first pair that differs, or is neither YES nor NO in any case."""
    found, wanted = (list(map(bytes.upper, words)) for words in (ours, theirs))
    at = identical(found, wanted)
    some = wanted if at is None else wanted[:at]
    if set(some) <= {b"YES", b"NO"}:
        return at
    return next(place for place, word in enumerate(some) if word not in (b"YES", b"NO"))


def unlike_doubles(ours: list[bytes], theirs: list[bytes], close: CloseTest) -> int | None:
    """The first pair that is no double, or not close."""
    wanted = _doubles(theirs)
    found = wanted if ours == theirs else _doubles(ours)
    if found == wanted and None not in wanted:
        return None
    for at, (f, w) in enumerate(zip(found, wanted, strict=True)):
        if f is None or w is None or not (f == w or close(f, w)):
            return at
    return None


def double_compare(result: float, expected: float, epsilon: float) -> bool:
    """testlib's doubleCompare: absolute or relative; an infinity has its sign."""
    if math.isinf(expected) or math.isinf(result):
        return result == expected
    epsilon += _DOUBLE_SLACK
    if abs(result - expected) <= epsilon:
        return True
    ends = expected * (1 - epsilon), expected * (1 + epsilon)
    return min(ends) <= result <= max(ends)


def absolute_compare(result: float, expected: float, epsilon: float) -> bool:
    """rcmp's own test: the absolute difference only."""
    return abs(result - expected) <= epsilon + _DOUBLE_SLACK


def lines_of(data: bytes, start: int = 0) -> Blocks[bytes]:
    """Lines as testlib reads them; the end of the last line begins no other."""
    if data.startswith(BOM, start) and not start:
        start = len(BOM)
    for begin, stop in cuts(data, LINE_END, start):
        found = data[begin:stop].replace(b"\r\n", b"\n").split(b"\n")
        if not found[-1]:
            found.pop()
        yield found


def answer_lines(data: bytes, start: int = 0) -> Blocks[bytes]:
    """The lines that are asked for: all but an empty last one."""
    for end in (b"\r\n", b"\n"):
        if data in (end, BOM + end) or data.endswith(b"\n" + end):
            return lines_of(data[: -len(end)], start)
    return lines_of(data, start)


def _begins(actual: bytes, expected: bytes, rule: Rule[bytes]) -> bool:
    """Whether the output begins with the lines asked for, and only blanks follow."""
    start = in_common(actual, expected, LINE_END)
    ours, theirs = lines_of(actual, start), answer_lines(expected, start)
    for some, wanted in paired(ours, theirs):
        if not wanted:
            return not any(line.strip(_BLANKS) for block in chain([some], ours) for line in block)
        if len(some) != len(wanted) or rule(some, wanted) is not None:
            return False
    return True


def _single(data: bytes) -> bool:
    """Whether there is exactly one word."""
    return [len(block) for block in islice(words_of(data), 2)] == [1]


def _are_integers(blocks: Blocks[bytes], bound: int) -> bool:
    return all(_no_integer(block, bound) is None for block in blocks)


def _no_integer(words: list[bytes], bound: int | None) -> int | None:
    """The first word that is no integer within the bound."""
    if _INTEGERS.fullmatch(b"\n".join([*words, b""])) and (
        bound is None or max(map(len, words), default=0) < _SURELY_SHORT
    ):
        return None
    return next((at for at, word in enumerate(words) if not _is_integer(word, bound)), None)


def _is_integer(word: bytes, bound: int | None) -> bool:
    if not _INTEGER.fullmatch(word):
        return False
    # 20 characters hold any 64-bit integer; int() never sees a long word.
    return bound is None or (len(word) <= 20 and -bound <= int(word) < bound)


def _doubles(words: list[bytes]) -> list[float | None]:
    """What testlib reads; None where that is no double."""
    plain = not b" ".join(words).translate(None, b"0123456789.+- eE")
    if plain and max(map(len, words), default=0) <= _MOST_DOUBLE:
        try:  # of these characters float() reads what sscanf does
            return list(map(float, words))
        except ValueError:
            pass
    return [_double(word) for word in words]


def _double(word: bytes) -> float | None:
    if len(word) > _MOST_DOUBLE or word.translate(None, b"0123456789.+-eE"):
        return None
    try:
        return float(word)
    except ValueError:
        return None
