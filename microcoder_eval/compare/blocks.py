"""Reads outputs in blocks, to use little memory and to stop at the first difference.

A list of all words of an output takes thirty times the output's size. Blocks of 64 KiB also fit
into the processor's cache, which makes splitting several times faster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import compress, count
from operator import ne
from typing import TypeVar

BLOCK_BYTES = 1 << 16  # a longer word or line is a block by itself
WHITESPACE = re.compile(rb"\s")
_TEXT_WHITESPACE = re.compile(r"\s")
LINE_END = re.compile(rb"\n")

T = TypeVar("T", bytes, str)
Blocks = Iterator[list[T]]
FindMismatch = Callable[[list[T], list[T]], int | None]
"""Returns the index of the first pair of two equally long lists that differs, None if all match."""


def find_block_spans(
    data: T, separator: re.Pattern[T], start: int = 0
) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of each block; a block stops right after a match of ``separator``."""
    while start < len(data):
        match = separator.search(data, start + BLOCK_BYTES)
        stop = match.end() if match else len(data)
        yield start, stop
        start = stop


def count_common_bytes(left: bytes, right: bytes, separator: re.Pattern[bytes]) -> int:
    """Count the equal bytes at the start, up to the end of a match of ``separator``.

    Most outputs are right, or begin right; the common part need not be split.
    """
    stop = _count_equal_blocks(left, right)
    separators = b"\n" if separator is LINE_END else b" \t\n\r\v\f"
    return 1 + max(left.rfind(code, 0, stop) for code in separators)


def count_common_prefix(left: bytes, right: bytes) -> int:
    """Return the length of the common prefix."""
    start = _count_equal_blocks(left, right)
    left_rest, right_rest = (data[start : start + BLOCK_BYTES] for data in (left, right))
    pairs = zip(left_rest, right_rest, strict=False)
    end = next((index for index, (a, b) in enumerate(pairs) if a != b), None)
    return start + (min(len(left_rest), len(right_rest)) if end is None else end)


def _count_equal_blocks(left: bytes, right: bytes) -> int:
    """Return the length of the equal blocks at the start."""
    size, equal = min(len(left), len(right)), 0
    while equal < size:
        stop = min(equal + BLOCK_BYTES, size)
        if left[equal:stop] != right[equal:stop]:
            break
        equal = stop
    return equal


def split_words(data: bytes, start: int = 0) -> Blocks[bytes]:
    """Split an output into words at white space, as bytes.split and C's isspace define it."""
    return filter(
        None,
        (data[begin:stop].split() for begin, stop in find_block_spans(data, WHITESPACE, start)),
    )


def split_text_words(text: str) -> Blocks[str]:
    """Split a text into words at white space, as str.split defines it."""
    return filter(
        None, (text[start:stop].split() for start, stop in find_block_spans(text, _TEXT_WHITESPACE))
    )


def split_lines(data: bytes, start: int = 0) -> Blocks[bytes]:
    """Split an output into lines without line feeds; a final line feed starts no other line."""
    for begin, stop in find_block_spans(data, LINE_END, start):
        block = data[begin:stop].split(b"\n")
        if stop < len(data) or not block[-1]:
            block.pop()
        yield block


def pair_blocks(left: Blocks[T], right: Blocks[T]) -> Iterator[tuple[list[T], list[T]]]:
    """Yield pairs of equally long lists of both sides, and at the end the surplus of one side."""
    left_items: list[T] = []
    right_items: list[T] = []
    while True:
        left_items, right_items = left_items or next(left, []), right_items or next(right, [])
        size = min(len(left_items), len(right_items))
        if not size:
            if left_items or right_items:
                yield left_items, right_items
            return
        yield left_items[:size], right_items[:size]
        left_items, right_items = left_items[size:], right_items[size:]


def sequences_match(left: Blocks[T], right: Blocks[T], find_mismatch: FindMismatch[T]) -> bool:
    """Whether both sides have equally many items and ``find_mismatch`` finds no mismatch."""
    return find_first_mismatch(left, right, find_mismatch) is None


def is_same_multiset(left: Blocks[bytes], right: Blocks[bytes]) -> bool:
    """Whether both have the same items as often, in any order.

    The sums of the items' hashes decide, which takes no memory. They have 64 bits. To find other
    items with the same sum, a program would need the expected ones, and could as well print them.
    """
    return _sum_hashes(left) == _sum_hashes(right)


def _sum_hashes(blocks: Blocks[bytes]) -> tuple[int, int]:
    """Return how many items there are, and the sum of their hashes."""
    size = total = 0
    for block in blocks:
        size += len(block)
        total += sum(map(hash, block))
    return size, total


def find_first_mismatch(
    left: Blocks[T], right: Blocks[T], find_mismatch: FindMismatch[T]
) -> int | None:
    """Return the index of the first pair that does not match, or of the first surplus item."""
    offset = 0
    for left_items, right_items in pair_blocks(left, right):
        index = 0 if len(left_items) != len(right_items) else find_mismatch(left_items, right_items)
        if index is not None:
            return offset + index
        offset += len(left_items)
    return None


def find_unequal_indices(left: list[T], right: list[T]) -> Iterator[int]:
    """Yield the indices at which two lists of the same length differ."""
    return compress(count(), map(ne, left, right))


def find_unequal(left: list[T], right: list[T]) -> int | None:
    """Return the index of the first pair that is not equal."""
    return None if left == right else next(find_unequal_indices(left, right))


def find_refused(left: list[T], right: list[T], is_same: Callable[[T, T], bool]) -> int | None:
    """Return the index of the first pair that is neither equal nor accepted by ``is_same``."""
    if left == right:
        return None
    indices = find_unequal_indices(left, right)
    return next((index for index in indices if not is_same(left[index], right[index])), None)


def find_unequal_ignoring_case(left: list[bytes], right: list[bytes]) -> int | None:
    """Return the index of the first pair that differs without regard to ASCII case."""
    if left == right:
        return None
    return find_unequal(list(map(bytes.lower, left)), list(map(bytes.lower, right)))
