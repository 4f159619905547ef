"""Compares multisets and sets of words in little memory.

A Counter takes 150 bytes for each distinct word, twenty times the word's size in the output. So
many distinct words are stored by length in numpy arrays, which are sorted: a million words take
0.1 s.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from .blocks import Blocks

_MAX_COUNTED = 30_000  # distinct words in a Counter (5 MB); with fewer, numpy is not imported
_WIDTHS = (4, 8, 16, 32, 64)
_BLOCK_WORDS = 10_000


def is_same_multiset(
    left: Blocks[bytes], right: Blocks[bytes], ignore_counts: bool = False
) -> bool:
    """Whether both have the same words as often, in any order; with ``ignore_counts``, as sets."""
    right_counts, right_remaining = _count_words(right, _MAX_COUNTED)
    if right_remaining is None:
        left_counts, left_remaining = _count_words(left, len(right_counts))
        return left_remaining is None and _same_counts(left_counts, right_counts, ignore_counts)
    # The right side has many distinct words; the left side must, too.
    left_counts, left_remaining = _count_words(left, _MAX_COUNTED)
    if left_remaining is None:
        return False
    right_arrays, right_others = _sort_by_width(
        _iterate_all_words(right_counts, right_remaining), ignore_counts
    )
    left_arrays, left_others = _sort_by_width(
        _iterate_all_words(left_counts, left_remaining), ignore_counts, max_others=len(right_others)
    )
    return _same_counts(left_others, right_others, ignore_counts) and _same_arrays(
        left_arrays, right_arrays
    )


def encode_set(blocks: Blocks[bytes]) -> bytes:
    """Encode a set of words so that equal sets have equal bytes; a digest if there are many."""
    counts, remaining = _count_words(blocks, _MAX_COUNTED)
    if remaining is None:
        return b" ".join(sorted(counts))
    arrays, others = _sort_by_width(_iterate_all_words(counts, remaining), ignore_counts=True)
    import hashlib  # late: see records/hashing.py

    digest = hashlib.sha256(b" ".join(sorted(others)))
    for width, array in arrays.items():
        digest.update(b" %d %d " % (width, len(array)))
        digest.update(array.data)
    return b" " + digest.hexdigest().encode()  # joined words do not start with a space


def _count_words(
    blocks: Blocks[bytes], max_words: int
) -> tuple[Counter[bytes], Blocks[bytes] | None]:
    """Count words; stop at more than ``max_words`` distinct ones and return the other blocks."""
    counts: Counter[bytes] = Counter()
    for block in blocks:
        counts.update(block)
        if len(counts) > max_words:
            return counts, blocks
    return counts, None


def _same_counts(left: Counter[bytes], right: Counter[bytes], ignore_counts: bool) -> bool:
    return left.keys() == right.keys() if ignore_counts else left == right


def _iterate_all_words(counts: Counter[bytes], remaining: Blocks[bytes]) -> Blocks[bytes]:
    """Yield all words: the counted ones, then the remaining ones."""
    words = counts.elements()
    return chain(iter(lambda: list(islice(words, _BLOCK_WORDS)), []), remaining)


def _sort_by_width(
    blocks: Blocks[bytes], ignore_counts: bool, max_others: int | None = None
) -> tuple[dict[int, Any], Counter[bytes]]:
    """Return sorted arrays by width, and counts of the words that fit into none.

    Stops at more than ``max_others`` distinct words that fit into none.
    """
    import numpy as np

    chunks_by_width: dict[int, list[Any]] = {width: [] for width in _WIDTHS}
    others: Counter[bytes] = Counter()
    for block in blocks:
        for width, words in _group_by_width(block):
            if width:
                chunks_by_width[width].append(words)
            else:
                others.update(words)
        if max_others is not None and len(others) > max_others:
            break
    arrays = {}
    for width in _WIDTHS:
        if chunks := chunks_by_width.pop(width):
            array = np.concatenate(chunks)
            del chunks
            if width <= 8:  # numpy sorts integers ten times faster than bytes
                array = array.view(f"u{width}")
            array.sort()
            if ignore_counts:
                array = array[np.append(True, array[1:] != array[:-1])]
            arrays[width] = array
    return arrays, others


def _group_by_width(words: list[bytes]) -> Iterator[tuple[int, Any]]:
    """Yield (width, array of words); width 0: a list of longer words or words with NUL bytes.

    numpy pads with NUL bytes, so it cannot hold words that contain them.
    """
    import numpy as np

    if b"\0" in b"".join(words):
        yield 0, [word for word in words if b"\0" in word]
        words = [word for word in words if b"\0" not in word]
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    longest = int(lengths.max(initial=0))
    previous_width, array = -1, np.array(words, dtype=f"S{min(max(longest, 1), _WIDTHS[-1])}")
    for width in _WIDTHS:
        mask = (previous_width < lengths) & (lengths <= width)
        if mask.any():
            yield width, array[mask].astype(f"S{width}")
        if longest <= width:
            return
        previous_width = width
    yield 0, [word for word in words if len(word) > previous_width]


def _same_arrays(left: dict[int, Any], right: dict[int, Any]) -> bool:
    return left.keys() == right.keys() and all(
        len(array) == len(right[width]) and bool((array == right[width]).all())
        for width, array in left.items()
    )
