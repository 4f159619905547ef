"""The chain of fallbacks that the MicroCoder paper describes, which is that of APPS.

It is for reproduction only: on adversarial pairs it accepts most wrong answers (any order, any
multiplicity, integers within 1e-5). Each step is a method, so that results show which one
accepted. The rules are those of hendrycks/apps eval/testing_util.py. That code runs some steps in
try/except; here such a step raises StepSkippedError with the reason, and hides no other error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .blocks import (
    BLOCK_BYTES,
    LINE_END,
    Blocks,
    FindMismatch,
    count_common_bytes,
    find_block_spans,
    find_unequal,
    sequences_match,
    split_lines,
    split_text_words,
)
from .comparer import StepSkippedError
from .texts import decode_text, strip_whitespace

_RTOL, _ATOL = 1e-5, 1e-8  # numpy.allclose's defaults
_HASH_BITS = (1 << 60) - 1  # of an integer that takes 32 bytes; a word takes 48
_PLAIN_BYTES = bytes(range(0x20, 0x7F)) + b"\n"
_MAX_ROUNDED = 2.0**43  # larger doubles are more than 0.001 apart

SplitLines = Callable[[bytes, int], Blocks[str]]
SelectMembers = Callable[[list[str]], list[str]]
"""Returns the members of a line's set from some of its tokens."""


def equals_sets(actual: bytes, expected: bytes) -> bool:
    """Whether the lines have equal sets of sets of tokens, in any order and multiplicity."""
    return _same_sets(actual, expected, list)


def equals_rounded_sets(actual: bytes, expected: bytes) -> bool:
    """As ``equals_sets``, with every token a number rounded to three places."""
    return _same_sets(actual, expected, _round_numbers)


def equals_call(actual: Any, expected: Any) -> bool:
    """Call, step 1: equal by ==, after converting a tuple to a list and dict keys to integers."""
    return bool(_convert_tuple(actual) == _restore_int_keys(expected))


def equals_first_element(actual: Any, expected: Any) -> bool:
    """Call, step 2: equal to the first element of an expected list."""
    expected = _restore_int_keys(expected)
    return (
        isinstance(expected, list)
        and bool(expected)
        and bool(_convert_tuple(actual) == expected[0])
    )


def equals_rows(actual: Any, expected: Any) -> bool:
    """Call, step 3: a list of tuples, as lists, equals the first element of the expected list."""
    try:
        if not isinstance(_convert_tuple(actual)[0], tuple):
            return False
        return bool([list(row) for row in actual] == _restore_int_keys(expected)[0])
    except (TypeError, LookupError) as error:
        raise StepSkippedError(f"no rows here: {error}"[:80]) from None


def _find_start(actual: bytes, expected: bytes) -> int:
    """Find the first line that steps must compare; all treat the lines before it the same."""
    start = count_common_bytes(actual, expected, LINE_END)
    common = actual[:start]
    special = common.translate(None, _PLAIN_BYTES) or common[:1] in (b" ", b"\n")
    return 0 if special or any(gap in common for gap in (b"\n\n", b" \n", b"\n ")) else start


def _split_printed_lines(data: bytes, start: int) -> Blocks[str]:
    """Split captured output into lines as str.splitlines does."""
    return (
        decode_text(data[begin:stop]).splitlines()
        for begin, stop in find_block_spans(data, LINE_END, start)
    )


def _split_stripped_lines(data: bytes, start: int) -> Blocks[str]:
    return (list(map(str.strip, block)) for block in _split_printed_lines(data, start))


def _split_nonempty_lines(data: bytes, start: int = 0) -> Blocks[str]:
    """Split an output into its printed lines that are not empty."""
    return filter(None, (list(filter(None, block)) for block in _split_printed_lines(data, start)))


def _split_lines_with_tokens(data: bytes, start: int = 0) -> Blocks[str]:
    """Split an output into its printed lines that contain a token."""
    return filter(
        None, (list(filter(str.strip, block)) for block in _split_printed_lines(data, start))
    )


def _split_expected_lines(data: bytes, start: int = 0) -> Blocks[str]:
    """Split the expected output into its lines that are not empty, stripped."""
    blocks = (list(map(str.strip, filter(None, block))) for block in _split_text_lines(data, start))
    return filter(None, blocks)


def _find_number_mismatch(actual_lines: list[str], expected_lines: list[str]) -> int | None:
    """Return the index of the first pair of numbers that numpy.isclose refuses."""
    pairs: Iterable[Iterable[float]]
    try:
        pairs = zip(list(map(float, actual_lines)), list(map(float, expected_lines)), strict=True)
    except ValueError:  # the first pair that does not match decides, wherever blocks end
        pairs = map(_parse_floats, zip(actual_lines, expected_lines, strict=True))
    for index, (actual, expected) in enumerate(pairs):
        if actual != expected and not (
            abs(actual - expected) <= _ATOL + _RTOL * abs(expected) < math.inf
        ):
            return index
    return None


def _split_text_lines(data: bytes, start: int) -> Blocks[str]:
    return (decode_text(b"\n".join(block)).split("\n") for block in split_lines(data, start))


def _parse_floats(texts: Iterable[str]) -> list[float]:
    # float() accepts underscores and digits of other scripts, as in the original.
    try:
        return list(map(float, texts))
    except ValueError:
        first = next(text for text in texts if not _is_float(text))
        raise StepSkippedError(f"{first[:20]!r} is not a number") from None


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _round_numbers(words: list[str]) -> list[str]:
    """Round numbers to three places; formatting rounds as round() does."""
    numbers = _parse_floats(words)
    if max(map(abs, numbers), default=0.0) < _MAX_ROUNDED:
        text = ("%.3f " * len(numbers)) % tuple(numbers)
        return text.replace("-0.000 ", "0.000 ").split()
    if any(map(math.isnan, numbers)):
        raise StepSkippedError("a set that holds nan equals no other")
    return [f"{n + 0.0:.3f}" if abs(n) < _MAX_ROUNDED else repr(n) for n in numbers]


def _compares_lines(
    split_actual: SplitLines,
    split_expected: SplitLines,
    find_mismatch: FindMismatch[str] = find_unequal,
    *,
    strips: bool = False,
    reads_all: bool = False,
) -> Callable[[bytes, bytes], bool]:
    """Make a step that compares lines. strips: whether it strips the whole outputs first.
    reads_all: whether it also reads lines that are equal to the byte."""

    def accepts(actual: bytes, expected: bytes) -> bool:
        if strips:
            actual, expected = strip_whitespace(actual), strip_whitespace(expected)
        start = 0 if reads_all else _find_start(actual, expected)
        left, right = split_actual(actual, start), split_expected(expected, start)
        return sequences_match(left, right, find_mismatch)

    return accepts


# Two steps of APPS are left out, since the first accepts what they do: one printed line that equals
# the whole expected text, and sets of tokens, which only equal lines if both outputs are empty.
equals_stripped = _compares_lines(_split_printed_lines, _split_text_lines, strips=True)
equals_stripped_lines = _compares_lines(_split_stripped_lines, _split_text_lines, strips=True)
equals_split_expected = _compares_lines(_split_printed_lines, _split_expected_lines)
equals_nonempty_lines = _compares_lines(_split_nonempty_lines, _split_expected_lines)
# Every line is one number, also an integer, close as numpy.allclose defines it.
all_close = _compares_lines(
    _split_nonempty_lines, _split_expected_lines, _find_number_mismatch, reads_all=True
)


def _same_sets(actual: bytes, expected: bytes, select_members: SelectMembers) -> bool:
    """Whether the lines have the same sets of members: each set of one side is one of the other."""

    def hash_sets(data: bytes, split: Callable[[bytes], Blocks[str]]) -> Iterator[int]:
        return (_hash_set(line, select_members) for block in split(data) for line in block)

    def hold_all(one: Iterator[int], other: Iterator[int]) -> bool:
        hashes = set(one)
        return not sum(other_hash not in hashes for other_hash in other)  # reads all lines

    sides = (expected, _split_expected_lines), (actual, _split_lines_with_tokens)
    return all(hold_all(hash_sets(*one), hash_sets(*other)) for one, other in (sides, sides[::-1]))


def _hash_set(line: str, select_members: SelectMembers) -> int:
    """Return a number that is equal for equal sets of members, and hardly for others."""
    members: set[int] = set()
    for words in split_text_words(line) if len(line) > BLOCK_BYTES else [line.split()]:
        members.update(map(_HASH_BITS.__and__, map(hash, select_members(words))))
    return sum(members) & _HASH_BITS


def _convert_tuple(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _restore_int_keys(expected: Any) -> Any:
    """Convert the keys of a dict to integers if all are; the result is a list of that dict."""
    first = expected[0] if isinstance(expected, list) and expected else expected
    if not isinstance(first, dict):
        return expected
    try:
        return [{int(key): value for key, value in first.items()}]
    except (TypeError, ValueError, OverflowError):
        return expected
