"""Statements as words that know where they stand, as written or levelled (levelled.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from microcoder_eval.data.levelled import LEVELS, WORD, levelled

_WORD = re.compile(WORD)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text. written: in lower case. level: numbers, names, identifiers made alike.

    starts, ends: where each word stands in the text.
    """

    written: tuple[str, ...]
    level: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def words_in(text: str) -> Words:
    """The words of a statement."""
    found = list(_WORD.finditer(text))
    return Words(
        tuple(word[0].lower() for word in found),
        tuple(levelled(text, found)),
        tuple(word.start() for word in found),
        tuple(word.end() for word in found),
    )


def grams(words: Sequence[str], size: int) -> Iterator[tuple[int, str]]:
    """(place, run) of all runs of ``size`` levelled words of which half or more are words: lists of
    numbers, and of arguments with their bounds, are alike in unlike problems."""
    for start in range(len(words) - size + 1):
        run = words[start : start + size]
        if 2 * sum(word in LEVELS for word in run) <= size:
            yield start, " ".join(run)


def covered(places: Sequence[int], size: int) -> list[tuple[int, int]]:
    """Runs of words (first, one after the last) that the n-grams at these places cover."""
    runs: list[tuple[int, int]] = []
    for place in sorted(places):
        if runs and place <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(runs[-1][1], place + size))
        else:
            runs.append((place, place + size))
    return runs
