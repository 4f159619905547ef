"""Finds similar sets of n-grams at a cost that hardly grows with what all of them share.

Grams that many sets hold are boilerplate ("you are given an array of") and are taken out. Of sets
whose Jaccard similarity is t or more, each shares a gram with the other among its (1 - t) n + 1
rarest, so an index of those few finds every such pair (prefix filtering: Chaudhuri, Ganti and
Kaushik, A Primitive Operator for Similarity Joins in Data Cleaning, ICDE 2006). No gram in it is in
more than about the square root of all sets.
"""

from __future__ import annotations

import base64
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

_MIN_COMMON = 20  # sets that a gram must be in to be boilerplate, in a small corpus
# With fewer grams left of a set that lost some, what is left says too little: it is similar to
# equal sets only.
_MIN_DISTINCTIVE = 5
Grams = NDArray[np.uint32]


def unpack_grams(text: str) -> Grams:
    """Return the sorted gram hashes of ``similarity.pack_grams``."""
    return np.frombuffer(base64.b64decode(text), "<u4")


class SimilarSets:
    """Sets with their keys, to find those that are similar to another one."""

    def __init__(self, packed_sets: Iterable[str], threshold: float) -> None:
        """packed_sets: all sets that will be added or looked for; they tell what is boilerplate.
        threshold: the Jaccard similarity from which sets are similar, above 0."""
        self._threshold = threshold
        # Copies of one text make no phrase of it common.
        grams = [unpack_grams(text) for text in set(packed_sets)]
        self._values, self._counts = np.unique(
            np.concatenate(grams) if grams else np.zeros(0, np.uint32), return_counts=True
        )
        self._max_sets = max(_MIN_COMMON, math.isqrt(len(grams)))
        self._index: dict[int, list[int]] = defaultdict(list)
        self._sets: list[tuple[int, Grams]] = []  # (key, distinctive grams, sorted)
        self._equal: dict[str, int] = {}

    def add(self, key: int, packed: str) -> None:
        """Add a set under a key."""
        self._equal.setdefault(packed, key)
        distinctive, prefix = self._reduce(packed)
        for gram in prefix:
            self._index[gram].append(len(self._sets))
        if prefix:
            self._sets.append((key, distinctive))

    def find_most_similar(self, packed: str) -> tuple[float, int] | None:
        """(similarity, key) of the most similar set; of equally similar ones, the first added.
        None where none is similar."""
        if (key := self._equal.get(packed)) is not None:
            return 1.0, key
        distinctive, prefix = self._reduce(packed)
        numbers = sorted({number for gram in prefix for number in self._index.get(gram, ())})
        best: tuple[float, int] | None = None
        for similarity, number in self._compare(distinctive, numbers):
            if similarity >= self._threshold and (best is None or similarity > best[0]):
                best = similarity, self._sets[number][0]
        return best

    def _compare(self, grams: Grams, numbers: Iterable[int]) -> Iterator[tuple[float, int]]:
        """Yield the similarity with each of some sets whose sizes allow one."""
        for number in numbers:
            other = self._sets[number][1]
            smaller, larger = sorted((len(grams), len(other)))
            if smaller >= self._threshold * larger:
                shared = len(np.intersect1d(grams, other, assume_unique=True))
                yield shared / (smaller + larger - shared), number

    def _reduce(self, packed: str) -> tuple[Grams, list[int]]:
        """Return the grams of a set that are no boilerplate, and the rarest of them, one of which
        every similar set has among its own rarest."""
        grams = unpack_grams(packed)
        counts = self._counts[np.searchsorted(self._values, grams)]
        is_distinctive = counts <= self._max_sets
        distinctive = grams[is_distinctive]
        if len(distinctive) < min(len(grams), _MIN_DISTINCTIVE):
            return distinctive, []
        by_rarity = distinctive[np.lexsort((distinctive, counts[is_distinctive]))]
        size = len(distinctive) - math.ceil(self._threshold * len(distinctive) - 1e-9) + 1
        return distinctive, by_rarity[:size].tolist()
