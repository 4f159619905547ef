"""Similarity of texts: word n-grams, MinHash of them, and exact Jaccard similarity."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any

from microcoder_eval.errors import DataError

from .normalization import WORD_PATTERN, normalize_entities

PERMUTATIONS = 128  # of MinHash: a standard error of about 0.04 at a similarity of 0.7
_SEED, _SCHEME = 1, "affine32"  # explicit: defaults of datasketch may change
_WORD = re.compile(r"[^\W_]+")
_SIGN = "[-+*/%<>=≤≥≠^&|!]"
_TOKEN = re.compile(rf"[^\W_]+|{_SIGN}")
_TOKEN_OR_IDENTIFIER = re.compile(rf"{WORD_PATTERN}|{_SIGN}")


def split_words(text: str) -> list[str]:
    """Words and numbers in lower case, without signs."""
    return [word.lower() for word in _WORD.findall(text)]


def split_tokens(text: str) -> list[str]:
    """Words, numbers and operators in lower case: a + b differs from a - b."""
    return [token.lower() for token in _TOKEN.findall(text)]


def split_normalized_tokens(text: str) -> list[str]:
    """Return the same tokens with numbers, names and identifiers normalized
    (normalize_entities)."""
    return normalize_entities(text, list(_TOKEN_OR_IDENTIFIER.finditer(text)))


def make_shingles(words: Sequence[str], size: int) -> set[str]:
    """All n-grams of ``size`` words; of a shorter text, the whole text."""
    if len(words) < size:
        return {" ".join(words)} if words else set()
    return {" ".join(words[start : start + size]) for start in range(len(words) - size + 1)}


def jaccard(first: Set[str], second: Set[str]) -> float:
    """Return the Jaccard similarity of two sets; 0 where either is empty."""
    if not first or not second:
        return 0.0
    shared_count = len(first & second)
    return shared_count / (len(first) + len(second) - shared_count)


def _import_datasketch() -> Any:
    try:
        import datasketch
    except ImportError as error:
        raise DataError(
            "near duplicates need datasketch: install microcoder with its extra `data`"
        ) from error
    return datasketch


def compute_signature(grams: Iterable[str]) -> str:
    """Return the MinHash of a set of n-grams, as text. Raises DataError where datasketch is
    missing."""
    minhash = _import_datasketch().MinHash(num_perm=PERMUTATIONS, seed=_SEED, scheme=_SCHEME)
    minhash.update_batch(sorted(gram.encode("utf-8", "surrogatepass") for gram in grams))
    return base64.b64encode(minhash.hashvalues.astype("<u4").tobytes()).decode()


def pack_grams(grams: Iterable[str]) -> str:
    """Return a set of n-grams as text, 32 bits of each, for ``filter.similar_sets``."""
    import numpy

    hashes = {hashlib.blake2b(gram.encode("utf-8", "surrogatepass"), digest_size=4).digest()
              for gram in grams}  # fmt: skip
    values = numpy.sort(numpy.frombuffer(b"".join(hashes), "<u4"))
    return base64.b64encode(values.tobytes()).decode()


class MinHashIndex:
    """Finds similar texts among those added. threshold: Jaccard similarity."""

    def __init__(self, threshold: float) -> None:
        self._library = _import_datasketch()
        self._threshold = threshold
        # Bands below the threshold miss few pairs; estimates then decide.
        bands = max(0.1, threshold - 0.1)
        self._lsh = self._library.MinHashLSH(threshold=bands, num_perm=PERMUTATIONS)
        self._signatures: dict[Any, Any] = {}

    def _decode_signature(self, signature: str) -> Any:
        import numpy

        values = numpy.frombuffer(base64.b64decode(signature), "<u4")
        return self._library.LeanMinHash(seed=_SEED, hashvalues=values, scheme=_SCHEME)

    def add(self, key: Any, signature: str) -> None:
        """Add a signature under a key."""
        self._signatures[key] = self._decode_signature(signature)
        self._lsh.insert(key, self._signatures[key])

    def query(self, signature: str) -> Iterator[tuple[Any, float]]:
        """(key, estimated similarity) of each similar text, the most similar first."""
        minhash = self._decode_signature(signature)
        candidates = [
            (key, float(minhash.jaccard(self._signatures[key]))) for key in self._lsh.query(minhash)
        ]
        matches = [match for match in candidates if match[1] >= self._threshold]
        yield from sorted(matches, key=lambda match: (-match[1], str(match[0])))
