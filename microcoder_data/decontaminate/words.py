"""Splits statements into words with their positions, and into n-grams. What a paraphrase changes
(numbers, names, identifiers) is replaced by the same tokens."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

ENTITY_TOKENS = NUMBER, NAME, IDENTIFIER = "#", "@", "v"
# A text with fewer other words consists mostly of numbers, names and identifiers: comparing it
# without them would say little.
_MIN_WORDS = 20
_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")  # matches an identifier as one word

# "Power of three" is another task than "power of two": numbers written as words stay.
_NUMBER = re.compile(r"\d\w*")
_SENTENCE_END = re.compile(r"[.!?:\n#`*|-]\s*$")
# camelCase, snake_case, x1. Words in backticks and words that are called are identifiers, too.
_IDENTIFIER_SHAPE = re.compile(r"[a-z][a-z0-9]*[A-Z]\w*|\w*_\w*|[A-Za-z]+\d+")
_CODE_SPAN = re.compile(r"`([^`\n]+)`")
_CALL = re.compile(r"(\w+)\(")
_CODE_WORD = re.compile(r"\w+")
_KEYWORDS = frozenset(word.lower() for word in keyword.kwlist)
_ARTICLES = frozenset("aAI")


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
        tuple(_normalize_entities(text, matches)),
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


def _normalize_entities(text: str, matches: Sequence[re.Match[str]]) -> list[str]:
    """Return the matched words in lower case, with "#" for numbers, "@" for names and "v" for
    identifiers (these only where enough others are left).

    A name is a word that is capitalised within a sentence somewhere in the text.
    """
    words = {match[0] for match in matches}
    capitalised = {word for word in words if word[0].isupper() and word[1:].islower()}
    names = {
        match[0]
        for match in matches
        if match[0] in capitalised and not _starts_sentence(text, match.start())
    }
    code_words = {part for span in _CODE_SPAN.findall(text) for part in _CODE_WORD.findall(span)}
    code_words |= set(_CALL.findall(text))
    by_word = {word: _normalize_word(word, names, code_words) for word in words}
    tokens = [by_word[match[0]] for match in matches]
    if sum(token not in ENTITY_TOKENS for token in tokens) >= _MIN_WORDS:
        return tokens
    pairs = zip(tokens, matches, strict=True)
    return [match[0].lower() if token == IDENTIFIER else token for token, match in pairs]


def _starts_sentence(text: str, start: int) -> bool:
    """Whether a sentence starts at this position."""
    prefix = text[max(0, start - 8) : start]
    return start == 0 or bool(_SENTENCE_END.search(prefix)) or not prefix.strip()


def _normalize_word(word: str, names: set[str], code_words: set[str]) -> str:
    lowercase = word.lower()
    if _NUMBER.fullmatch(lowercase):
        return NUMBER
    if lowercase in _KEYWORDS:
        return lowercase
    if (
        word in code_words
        or _IDENTIFIER_SHAPE.fullmatch(word)
        or (len(word) == 1 and word not in _ARTICLES)
    ):
        return IDENTIFIER
    return NAME if word in names else lowercase
