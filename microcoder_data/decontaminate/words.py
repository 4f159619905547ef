"""Splits statements into words with their positions, and into n-grams."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .normalization import ENTITY_TOKENS, WORD_PATTERN, normalize_entities

_WORD = re.compile(WORD_PATTERN)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text. normalized_words: with numbers, names and identifiers normalized.

    starts, ends: the position of each word in the text.
    """

    lowercase_words: tuple[str, ...]
    normalized_words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def parse_words(text: str) -> Words:
    """Return the words of a statement."""
    matches = list(_WORD.finditer(text))
    return Words(
        tuple(match[0].lower() for match in matches),
        tuple(normalize_entities(text, matches)),
        tuple(match.start() for match in matches),
        tuple(match.end() for match in matches),
    )


def iterate_grams(words: Sequence[str], size: int) -> Iterator[tuple[int, str]]:
    """Yield (position, n-gram) of the n-grams in which at least half of the tokens are words.

    The others are lists of numbers, or arguments with bounds, which unrelated problems share.
    """
    for start in range(len(words) - size + 1):
        gram = words[start : start + size]
        if 2 * sum(word in ENTITY_TOKENS for word in gram) <= size:
            yield start, " ".join(gram)


def merge_runs(positions: Iterable[int], size: int) -> list[tuple[int, int]]:
    """Return the runs of words (first, last + 1) that the n-grams at these positions cover."""
    runs: list[tuple[int, int]] = []
    for position in sorted(positions):
        if runs and position <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(runs[-1][1], position + size))
        else:
            runs.append((position, position + size))
    return runs
