"""How alike two texts are: word n-grams, MinHash of them, and exact Jaccard similarity."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from microcoder_eval.errors import DataError

from .levelled import WORD, levelled

PERMUTATIONS = 128  # of MinHash: a standard error of about 0.04 at a similarity of 0.7
_SEED, _SCHEME = 1, "affine32"  # named, so that signatures stay what they are
_WORD = re.compile(r"[^\W_]+")
_SIGN = "[-+*/%<>=≤≥≠^&|!]"
_TOKEN = re.compile(rf"[^\W_]+|{_SIGN}")
_TOKEN_OR_IDENTIFIER = re.compile(rf"{WORD}|{_SIGN}")


def words_of(text: str) -> list[str]:
    """Words and numbers in lower case; signs do not count."""
    return [word.lower() for word in _WORD.findall(text)]


def tokens_of(text: str) -> list[str]:
    """Words, numbers and operators: a + b is not a - b."""
    return [token.lower() for token in _TOKEN.findall(text)]


def level_tokens_of(text: str) -> list[str]:
    """The same with numbers, names and identifiers made alike (levelled.py)."""
    return levelled(text, list(_TOKEN_OR_IDENTIFIER.finditer(text)))


def shingles(words: Sequence[str], size: int) -> set[str]:
    """All runs of ``size`` words; of a shorter text, the whole."""
    if len(words) < size:
        return {" ".join(words)} if words else set()
    return {" ".join(words[start : start + size]) for start in range(len(words) - size + 1)}


def jaccard(one: set[str], other: set[str]) -> float:
    """Shared of all; 0 where either is empty."""
    if not one or not other:
        return 0.0
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


def _datasketch() -> Any:
    try:
        import datasketch
    except ImportError as error:
        raise DataError(
            "near duplicates need datasketch: install microcoder with its extra `data`"
        ) from error
    return datasketch


def signature(grams: Iterable[str]) -> str:
    """The MinHash of a set of n-grams, as text. Raises DataError without its library."""
    made = _datasketch().MinHash(num_perm=PERMUTATIONS, seed=_SEED, scheme=_SCHEME)
    made.update_batch(sorted(gram.encode("utf-8", "surrogatepass") for gram in grams))
    return base64.b64encode(made.hashvalues.astype("<u4").tobytes()).decode()


def packed(grams: Iterable[str]) -> str:
    """A set of n-grams as text: 32 bits of each. What MinHash finds is decided by it."""
    import numpy

    short = {hashlib.blake2b(gram.encode("utf-8", "surrogatepass"), digest_size=4).digest()
             for gram in grams}  # fmt: skip
    values = numpy.sort(numpy.frombuffer(b"".join(short), "<u4"))
    return base64.b64encode(values.tobytes()).decode()


def packed_jaccard(one: str, other: str) -> float:
    """The Jaccard similarity of two packed sets."""
    import numpy

    mine, its = (numpy.frombuffer(base64.b64decode(text), "<u4") for text in (one, other))
    shared = len(numpy.intersect1d(mine, its, assume_unique=True))
    return shared / max(1, len(mine) + len(its) - shared)


class Alike:
    """Finds among texts seen before those that are alike. threshold: Jaccard similarity."""

    def __init__(self, threshold: float) -> None:
        self._library = _datasketch()
        self._threshold = threshold
        # Below the threshold, so that bands miss few; estimates decide.
        bands = max(0.1, threshold - 0.1)
        self._index = self._library.MinHashLSH(threshold=bands, num_perm=PERMUTATIONS)
        self._known: dict[Any, Any] = {}

    def _hash(self, text: str) -> Any:
        import numpy

        values = numpy.frombuffer(base64.b64decode(text), "<u4")
        return self._library.LeanMinHash(seed=_SEED, hashvalues=values, scheme=_SCHEME)

    def add(self, key: Any, text: str) -> None:
        """Remember a signature."""
        self._known[key] = self._hash(text)
        self._index.insert(key, self._known[key])

    def like(self, text: str) -> Iterator[tuple[Any, float]]:
        """(key, similarity) of those alike, the most alike first."""
        asked = self._hash(text)
        close = [(key, float(asked.jaccard(self._known[key]))) for key in self._index.query(asked)]
        found = [one for one in close if one[1] >= self._threshold]
        yield from sorted(found, key=lambda one: (-one[1], str(one[0])))
