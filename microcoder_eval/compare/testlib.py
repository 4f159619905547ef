"""The standard checkers of testlib (Codeforces), as strict about format as they are.

Source: testlib's checkers folder and the readers of testlib.h. Integers have no plus sign and no
leading zero; words end at space, tab, CR and LF only; a byte order mark is skipped; only blanks
may follow the last token. If the *expected* output breaks the format (testlib: _fail), no output
is accepted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import partial
from itertools import chain, islice

from .blocks import (
    BLOCK_BYTES,
    LINE_END,
    Blocks,
    FindMismatch,
    count_common_bytes,
    find_block_spans,
    find_refused,
    find_unequal,
    is_same_multiset,
    pair_blocks,
    sequences_match,
    split_words,
)
from .texts import BOM
from .values import IsClose

_WORDS = re.compile(rb"[^ \t\r\n]++")
_GAP = re.compile(rb"[ \t\r\n]")
_BLANKS = b" \t\r\n"
_INTEGER = re.compile(rb"0|-?[1-9][0-9]*+")
_INTEGERS = re.compile(rb"(?:(?:0|-?[1-9][0-9]*+)\n)*+")
_INT32, _INT64 = 2**31, 2**63
_INT32_SAFE_CHARS = 10  # integers of fewer characters fit into 32 bits
_MAX_DOUBLE_CHARS = 1000  # testlib refuses longer tokens as doubles
_DOUBLE_SLACK = 1e-15  # testlib adds it to every tolerance


def _same_words(actual: bytes, expected: bytes) -> bool:
    if max(len(actual), len(expected)) <= BLOCK_BYTES:
        return actual.split() == expected.split()
    return sequences_match(split_words(actual), split_words(expected), find_unequal)


find_line_words_mismatch = partial(find_refused, is_same=_same_words)
"""Compares the words of lines; as in C++ streams, any white space ends a word."""


def read_words(data: bytes) -> Blocks[bytes]:
    """Split an output into words as testlib reads them."""
    data = data.removeprefix(BOM)
    # bytes.split also ends a word at a form feed and a vertical tab.
    has_other_blanks = b"\f" in data or b"\v" in data
    for start, stop in find_block_spans(data, _GAP):
        part = data[start:stop]
        if block := _WORDS.findall(part) if has_other_blanks else part.split():
            yield block


def has_same_words(
    actual: bytes,
    expected: bytes,
    find_mismatch: FindMismatch[bytes] = find_unequal,
    single: bool = False,
) -> bool:
    """Whether the words match in order; single: exactly one is expected."""
    if single and [len(block) for block in islice(read_words(expected), 2)] != [1]:
        return False
    return sequences_match(read_words(actual), read_words(expected), find_mismatch)


def has_same_integers_any_order(actual: bytes, expected: bytes) -> bool:
    """Whether both have the same 64-bit integers as often (uncmp)."""
    return all(
        _find_non_integer(block, _INT64) is None for block in read_words(expected)
    ) and is_same_multiset(read_words(actual), read_words(expected))


def has_same_cases(
    actual: bytes, expected: bytes, *, is_item: Callable[[bytes], bool], single: bool = False
) -> bool:
    """Whether both have the same words, in the form ``Case 1: …``, ``Case 2: …`` (casewcmp,
    casencmp), or with one item in each case (caseicmp). Here a lone ``Case`` may not end the
    output."""
    return _are_cases(expected, is_item, single) and has_same_words(actual, expected)


def is_int64(word: bytes) -> bool:
    """Whether a word is an integer of 64 bits as testlib reads it."""
    return _is_integer(word, _INT64)


def _are_cases(data: bytes, is_item: Callable[[bytes], bool], single: bool) -> bool:
    number, item_count = 0, 1
    words = chain.from_iterable(read_words(data))
    for word in words:
        if word == b"Case":
            number += 1
            if next(words, b"") != b"%d:" % number or (single and item_count != 1):
                return False
            item_count = 0
        elif number and is_item(word):
            item_count += 1
        else:
            return False
    return item_count == 1 or not single


def find_integer_mismatch(
    actual_words: list[bytes], expected_words: list[bytes], bound: int | None = None
) -> int | None:
    """Return the index of the first pair that differs or is no testlib integer.

    bound: integers from -bound to bound - 1 are allowed; None: any.
    """
    mismatch = find_unequal(actual_words, expected_words)
    non_integer = _find_non_integer(expected_words[:mismatch], bound)
    return mismatch if non_integer is None else non_integer


find_int32_mismatch = partial(find_integer_mismatch, bound=_INT32)
find_int64_mismatch = partial(find_integer_mismatch, bound=_INT64)


def find_yes_no_mismatch(actual_words: list[bytes], expected_words: list[bytes]) -> int | None:
    """Return the index of the first pair that differs, or is neither YES nor NO in any case."""
    actual_upper, expected_upper = (
        list(map(bytes.upper, tokens)) for tokens in (actual_words, expected_words)
    )
    mismatch = find_unequal(actual_upper, expected_upper)
    words = enumerate(expected_upper[:mismatch])
    return next((index for index, word in words if word not in (b"YES", b"NO")), mismatch)


def find_double_mismatch(
    actual_words: list[bytes], expected_words: list[bytes], is_close: IsClose
) -> int | None:
    """Return the index of the first pair that is no double, or not close.

    The words inf and nan are no doubles; a number that overflows is an infinity.
    """
    expected_numbers = list(map(_parse_double, expected_words))
    actual_numbers = list(map(_parse_double, actual_words))
    for index, (a, e) in enumerate(zip(actual_numbers, expected_numbers, strict=True)):
        if a is None or e is None or not (a == e or is_close(a, e)):
            return index
    return None


def double_compare(result: float, expected: float, epsilon: float) -> bool:
    """Compare as testlib's doubleCompare: absolute or relative; infinities must have one sign."""
    if math.isinf(expected) or math.isinf(result):
        return result == expected
    epsilon += _DOUBLE_SLACK
    if abs(result - expected) <= epsilon:
        return True
    bounds = expected * (1 - epsilon), expected * (1 + epsilon)
    return min(bounds) <= result <= max(bounds)


def absolute_compare(result: float, expected: float, epsilon: float) -> bool:
    """Compare as rcmp: by the absolute difference only."""
    return abs(result - expected) <= epsilon + _DOUBLE_SLACK


def read_lines(data: bytes, start: int = 0) -> Blocks[bytes]:
    """Split an output into lines as testlib reads them; a final line end starts no other line."""
    if data.startswith(BOM, start) and not start:
        start = len(BOM)
    for begin, stop in find_block_spans(data, LINE_END, start):
        lines = data[begin:stop].replace(b"\r\n", b"\n").split(b"\n")
        if not lines[-1]:
            lines.pop()
        yield lines


def _read_expected_lines(data: bytes, start: int) -> Blocks[bytes]:
    """Split the expected output into lines, without an empty last one."""
    for end in (b"\r\n", b"\n"):
        if data in (end, BOM + end) or data.endswith(b"\n" + end):
            return read_lines(data[: -len(end)], start)
    return read_lines(data, start)


def has_same_lines(actual: bytes, expected: bytes, find_mismatch: FindMismatch[bytes]) -> bool:
    """Whether the output starts with the expected lines, and only blanks follow (fcmp, lcmp)."""
    start = count_common_bytes(actual, expected, LINE_END)
    actual_blocks, expected_blocks = (
        read_lines(actual, start),
        _read_expected_lines(expected, start),
    )
    for actual_lines, expected_lines in pair_blocks(actual_blocks, expected_blocks):
        if not expected_lines:
            return not any(
                line.strip(_BLANKS)
                for block in chain([actual_lines], actual_blocks)
                for line in block
            )
        if (
            len(actual_lines) != len(expected_lines)
            or find_mismatch(actual_lines, expected_lines) is not None
        ):
            return False
    return True


def _find_non_integer(tokens: list[bytes], bound: int | None) -> int | None:
    """Return the index of the first word that is no integer within the bound."""
    if _INTEGERS.fullmatch(b"\n".join([*tokens, b""])) and (
        bound is None or max(map(len, tokens), default=0) < _INT32_SAFE_CHARS
    ):
        return None
    return next((index for index, word in enumerate(tokens) if not _is_integer(word, bound)), None)


def _is_integer(word: bytes, bound: int | None) -> bool:
    if not _INTEGER.fullmatch(word):
        return False
    # Any 64-bit integer has at most 20 characters; int() would take long for a long word.
    return bound is None or (len(word) <= 20 and -bound <= int(word) < bound)


def _parse_double(word: bytes) -> float | None:
    """Convert a word as testlib does; None if it is no double."""
    # With these characters float() accepts what sscanf accepts.
    if len(word) > _MAX_DOUBLE_CHARS or word.translate(None, b"0123456789.+-eE"):
        return None
    try:
        return float(word)
    except ValueError:
        return None
