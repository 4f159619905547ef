"""Multisets and sets of words, compared in little memory however many words there are.

A Counter takes a hundred and fifty bytes for a word it has not seen, twenty times what the word
took in the output. So many different words are kept by their length in arrays of numpy, and the
arrays are sorted: a million words take a tenth of a second.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from .blocks import Blocks

_FEW = 30_000  # different words that a Counter may hold: 5 MB; below, numpy is not loaded
_WIDTHS = (4, 8, 16, 32, 64)
_PORTION = 10_000


def same_bag(left: Blocks[bytes], right: Blocks[bytes], once: bool = False) -> bool:
    """Whether both hold the same words as often, in any order; with ``once``, how often is free."""
    theirs, rest = _counted(right, _FEW)
    if rest is None:
        ours, more = _counted(left, len(theirs))
        return more is None and _same_counts(ours, theirs, once)
    # They are many: so must ours be.
    ours, more = _counted(left, _FEW)
    if more is None:
        return False
    wanted, odd = _sorted(_again(theirs, rest), once)
    found, ours_odd = _sorted(_again(ours, more), once, most=len(odd))
    return _same_counts(ours_odd, odd, once) and _same_arrays(found, wanted)


def set_key(blocks: Blocks[bytes]) -> bytes:
    """A short text that is the same for the same set of words: a digest where they are many."""
    counts, rest = _counted(blocks, _FEW)
    if rest is None:
        return b" ".join(sorted(counts))
    arrays, odd = _sorted(_again(counts, rest), once=True)
    digest = hashlib.sha256(b" ".join(sorted(odd)))
    for width, array in arrays.items():
        digest.update(b" %d %d " % (width, len(array)))
        digest.update(array.data)
    return b" " + digest.hexdigest().encode()  # no set of words begins so


def _counted(blocks: Blocks[bytes], most: int) -> tuple[Counter[bytes], Blocks[bytes] | None]:
    """Words by how often they came; and what is left when more than ``most`` differ."""
    counts: Counter[bytes] = Counter()
    for block in blocks:
        counts.update(block)
        if len(counts) > most:
            return counts, blocks
    return counts, None


def _same_counts(ours: Counter[bytes], theirs: Counter[bytes], once: bool) -> bool:
    return ours.keys() == theirs.keys() if once else ours == theirs


def _again(counts: Counter[bytes], rest: Blocks[bytes]) -> Blocks[bytes]:
    """All the words: those counted already, then the others."""
    words = counts.elements()
    return chain(iter(lambda: list(islice(words, _PORTION)), []), rest)


def _sorted(
    blocks: Blocks[bytes], once: bool, most: int | None = None
) -> tuple[dict[int, Any], Counter[bytes]]:
    """Sorted arrays by width, and a count of the words that fit none.

    Stops when more than ``most`` words that fit none differ.
    """
    import numpy as np

    parts: dict[int, list[Any]] = {width: [] for width in _WIDTHS}
    odd: Counter[bytes] = Counter()
    for block in blocks:
        for width, words in _by_width(block):
            if width:
                parts[width].append(words)
            else:
                odd.update(words)
        if most is not None and len(odd) > most:
            break
    arrays = {}
    for width in _WIDTHS:
        if pieces := parts.pop(width):
            array = np.concatenate(pieces)
            del pieces
            if width <= 8:  # integers are sorted ten times faster than bytes
                array = array.view(f"u{width}")
            array.sort()
            if once:
                array = array[np.append(True, array[1:] != array[:-1])]
            arrays[width] = array
    return arrays, odd


def _by_width(words: list[bytes]) -> Iterator[tuple[int, Any]]:
    """Words in the array they go to; 0: a list, because longer, or for a NUL, which pads."""
    import numpy as np

    if b"\0" in b"".join(words):
        yield 0, [word for word in words if b"\0" in word]
        words = [word for word in words if b"\0" not in word]
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    longest = int(lengths.max(initial=0))
    least, array = -1, np.array(words, dtype=f"S{min(max(longest, 1), _WIDTHS[-1])}")
    for width in _WIDTHS:
        some = (least < lengths) & (lengths <= width)
        if some.any():
            yield width, array[some].astype(f"S{width}")
        if longest <= width:
            return
        least = width
    yield 0, [word for word in words if len(word) > least]


def _same_arrays(ours: dict[int, Any], theirs: dict[int, Any]) -> bool:
    return ours.keys() == theirs.keys() and all(
        len(array) == len(theirs[width]) and bool((array == theirs[width]).all())
        for width, array in ours.items()
    )
