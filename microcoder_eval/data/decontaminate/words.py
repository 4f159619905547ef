"""Statements as words that know where they stand, as written or with numbers and names levelled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(
    r"\d[\d,.]*|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
)
_SENTENCE = re.compile(r"[.!?:\n#`*|-]\s*$")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text. written: in lower case. level: with "#" for numbers, "@" for names.

    starts, ends: where each word stands in the text.
    """

    written: tuple[str, ...]
    level: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def words_in(text: str) -> Words:
    """The words of a statement. A name is a capitalised word within a sentence."""
    found = list(_WORD.finditer(text))
    level = []
    for word in found:
        plain = word[0]
        if _NUMBER.fullmatch(plain.lower()):
            level.append("#")
        elif (
            plain[0].isupper() and plain[1:].islower() and not _starts_sentence(text, word.start())
        ):
            level.append("@")
        else:
            level.append(plain.lower())
    return Words(
        tuple(word[0].lower() for word in found),
        tuple(level),
        tuple(word.start() for word in found),
        tuple(word.end() for word in found),
    )


def _starts_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 8) : start]
    return start == 0 or bool(_SENTENCE.search(before)) or not before.strip()


def grams(words: Sequence[str], size: int) -> list[str]:
    """All runs of ``size`` words in order."""
    return [" ".join(words[start : start + size]) for start in range(len(words) - size + 1)]


def covered(places: Sequence[int], size: int) -> list[tuple[int, int]]:
    """Runs of words (first, one after the last) that the n-grams at these places cover."""
    runs: list[tuple[int, int]] = []
    for place in sorted(places):
        if runs and place <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(runs[-1][1], place + size))
        else:
            runs.append((place, place + size))
    return runs
