"""Similarity of texts: word n-grams, their Jaccard similarity, and the search for similar ones."""

from __future__ import annotations

import base64
import json
import math
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"[^\W_]+|[-+*/%<>=≤≥≠^&|!]")
_MIN_COMMON = 20  # an n-gram in at most this many sets is never boilerplate
# A set with fewer n-grams left after removing boilerplate is similar only to equal sets.
_MIN_DISTINCTIVE = 5
Grams = NDArray[np.uint32]


def split_words(text: str) -> list[str]:
    """Words and numbers in lower case, without signs."""
    return _WORD.findall(text.lower())


def split_tokens(text: str) -> list[str]:
    """Words, numbers and operators in lower case: a + b differs from a - b."""
    return _TOKEN.findall(text.lower())


def pack_grams(words: Sequence[str], size: int = 1) -> str:
    """Return the set of n-grams of ``size`` words (of a shorter text, the whole text) as text: 32
    bits of a hash of each, sorted."""
    starts = range(max(1, len(words) - size + 1) if words else 0)
    hashes = {_hash_text("\n".join(words[start : start + size])) for start in starts}
    return base64.b64encode(np.array(sorted(hashes), "<u4").tobytes()).decode()


def unpack_grams(text: str) -> Grams:
    """Return the sorted gram hashes of ``pack_grams``."""
    return np.frombuffer(base64.b64decode(text), "<u4")


def pack_answers(tests: Iterable[Mapping[str, Any]]) -> str:
    """Return the expected output of each input as text: 32 bits of a hash of each, sorted by input,
    without regard to white space and case."""
    answers = {
        _hash_text(_flatten(test.get("input"))): _hash_text(_flatten(test["output"]))
        for test in tests
        if "output" in test
    }
    values = [(key << 32) | value for key, value in sorted(answers.items())]
    return base64.b64encode(np.array(values, "<u8").tobytes()).decode()


def _flatten(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    return " ".join(text.lower().split())


def _hash_text(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def agree(packed: str, other: str) -> bool:
    """Whether two texts of ``pack_answers`` may be of one problem: they share an input, and expect
    the same output for each input that they share. Also true where one has no input at all."""
    values, others = (np.frombuffer(base64.b64decode(text), "<u8") for text in (packed, other))
    _, places, other_places = np.intersect1d(
        values >> 32, others >> 32, assume_unique=True, return_indices=True
    )
    are_equal = values[places] == others[other_places]
    return bool(are_equal.all()) and bool(len(places) or not len(values) or not len(others))


class SimilarSets:
    """Sets of n-grams with their keys, to find those that are similar to another set.

    Two sets of Jaccard similarity t or more share a gram among the (1 - t) n + 1 rarest of each. An
    index of those few grams finds every such pair (prefix filtering: Chaudhuri, Ganti and Kaushik,
    A Primitive Operator for Similarity Joins in Data Cleaning, ICDE 2006).
    """

    def __init__(
        self, packed_sets: Iterable[str], threshold: float, *, ignores_boilerplate: bool = False
    ) -> None:
        """packed_sets: all sets that will be added; they determine how rare an n-gram is.
        threshold: the least Jaccard similarity of similar sets, above 0.

        ignores_boilerplate: ignore n-grams that many sets share ("you are given an array of"). Then
        no n-gram of the index is in more than about the square root of the number of sets, and a
        join takes little more than linear time.
        """
        self._threshold = threshold
        # Copies of one text count once, so that they do not make its phrases common.
        grams = [unpack_grams(text) for text in set(packed_sets)]
        end = np.zeros(1, np.uint32)  # so that the array is never empty
        self._values, self._counts = np.unique(np.concatenate([*grams, end]), return_counts=True)
        self._max_sets = math.inf
        if ignores_boilerplate:
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

    def find_most_similar(
        self, packed: str, differs: Callable[[int], bool] = lambda _: False
    ) -> tuple[float, int] | None:
        """(similarity, key) of the most similar set; of equally similar ones, the first added.
        None where none is similar. differs: whether the set of a key is known to be of another
        problem."""
        if (key := self._equal.get(packed)) is not None and not differs(key):
            return 1.0, key
        matches = (match for match in self.find_similar(packed) if not differs(match[1]))
        return max(matches, key=lambda match: match[0], default=None)

    def find_similar(self, packed: str) -> Iterator[tuple[float, int]]:
        """(similarity, key) of each similar set, in the order in which they were added."""
        grams, prefix = self._reduce(packed)
        for number in sorted({number for gram in prefix for number in self._index.get(gram, ())}):
            key, other = self._sets[number]
            smaller, larger = sorted((len(grams), len(other)))
            if smaller < self._threshold * larger:
                continue
            shared = len(np.intersect1d(grams, other, assume_unique=True))
            similarity = shared / (smaller + larger - shared)
            if similarity >= self._threshold:
                yield similarity, key

    def _reduce(self, packed: str) -> tuple[Grams, list[int]]:
        """Return the n-grams of a set without boilerplate, and the rarest of these. Every similar
        set has one of them among its own rarest."""
        grams = unpack_grams(packed)
        places = np.searchsorted(self._values, grams).clip(max=len(self._values) - 1)
        counts = np.where(self._values[places] == grams, self._counts[places], 0)
        is_distinctive = counts <= self._max_sets
        distinctive = grams[is_distinctive]
        if len(distinctive) < min(len(grams), _MIN_DISTINCTIVE):
            return distinctive, []
        by_rarity = distinctive[np.lexsort((distinctive, counts[is_distinctive]))]
        size = len(distinctive) - math.ceil(self._threshold * len(distinctive) - 1e-9) + 1
        return distinctive, by_rarity[:size].tolist()
