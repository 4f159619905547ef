"""Texts with what a paraphrase changes made alike: numbers, given names, identifiers."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence

LEVELS = NUMBER, NAME, IDENTIFIER = "#", "@", "v"
# Words besides these: where there are fewer, names and numbers are much of what is asked.
ENOUGH = 20
WORD = r"[^\W_]+(?:_+[^\W_]+)*"  # identifiers whole: what texts to be levelled are cut into

_NUMBER = re.compile(r"\d\w*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve")
_SENTENCE = re.compile(r"[.!?:\n#`*|-]\s*$")
# Names as programs write them: camelCase, with_lines, x1; and what stands as code or is called.
_WRITTEN = re.compile(r"[a-z][a-z0-9]*[A-Z]\w*|\w*_\w*|[A-Za-z]+\d+")
_CODE, _CALLED, _PART = re.compile(r"`([^`\n]+)`"), re.compile(r"(\w+)\("), re.compile(r"\w+")
_LANGUAGE = frozenset(word.lower() for word in keyword.kwlist)
_ARTICLES = frozenset("aAI")


def levelled(text: str, found: Sequence[re.Match[str]]) -> list[str]:
    """The words found in a text, in lower case, with "#" for numbers, "@" for names and, where
    there are words enough besides, "v" for identifiers.

    A name is a word that stands capitalised within a sentence somewhere.
    """
    names = {word[0] for word in found if _capitalised(word[0]) and not _starts(text, word.start())}
    coded = {part for span in _CODE.findall(text) for part in _PART.findall(span)}
    coded |= set(_CALLED.findall(text))
    level = [_level(word[0], names, coded) for word in found]
    if words_among(level) >= ENOUGH:
        return level
    pairs = zip(level, found, strict=True)
    return [word[0].lower() if one == IDENTIFIER else one for one, word in pairs]


def words_among(level: Sequence[str]) -> int:
    """How many levelled words are neither numbers, names, identifiers nor signs."""
    return sum(word not in LEVELS and word[0].isalnum() for word in level)


def _capitalised(word: str) -> bool:
    return word[0].isupper() and word[1:].islower()


def _starts(text: str, start: int) -> bool:
    """Whether a sentence starts here."""
    before = text[max(0, start - 8) : start]
    return start == 0 or bool(_SENTENCE.search(before)) or not before.strip()


def _level(word: str, names: set[str], coded: set[str]) -> str:
    plain = word.lower()
    if _NUMBER.fullmatch(plain):
        return NUMBER
    if not word[0].isalnum() or plain in _LANGUAGE:
        return plain
    if word in coded or _WRITTEN.fullmatch(word) or (len(word) == 1 and word not in _ARTICLES):
        return IDENTIFIER
    return NAME if word in names else plain
