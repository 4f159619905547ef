"""Replaces what a paraphrase changes (numbers, names, identifiers) by the same tokens."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from itertools import islice

ENTITY_TOKENS = NUMBER, NAME, IDENTIFIER = "#", "@", "v"
# A text with fewer other words consists mostly of numbers, names and identifiers: comparing it
# without them would say little.
_MIN_WORDS = 20
WORD_PATTERN = r"[^\W_]+(?:_+[^\W_]+)*"  # matches an identifier as one word

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


def normalize_entities(text: str, matches: Sequence[re.Match[str]]) -> list[str]:
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
    if has_words(tokens):
        return tokens
    pairs = zip(tokens, matches, strict=True)
    return [match[0].lower() if token == IDENTIFIER else token for token, match in pairs]


def has_words(tokens: Sequence[str]) -> bool:
    """Whether enough tokens are words: neither numbers, names, identifiers nor operators."""
    words = (token for token in tokens if token not in ENTITY_TOKENS and token[0].isalnum())
    return len(list(islice(words, _MIN_WORDS))) == _MIN_WORDS


def _starts_sentence(text: str, start: int) -> bool:
    """Whether a sentence starts at this position."""
    prefix = text[max(0, start - 8) : start]
    return start == 0 or bool(_SENTENCE_END.search(prefix)) or not prefix.strip()


def _normalize_word(word: str, names: set[str], code_words: set[str]) -> str:
    lowercase = word.lower()
    if _NUMBER.fullmatch(lowercase):
        return NUMBER
    if not word[0].isalnum() or lowercase in _KEYWORDS:
        return lowercase
    if (
        word in code_words
        or _IDENTIFIER_SHAPE.fullmatch(word)
        or (len(word) == 1 and word not in _ARTICLES)
    ):
        return IDENTIFIER
    return NAME if word in names else lowercase
