"""Finds statements that stop in the middle, by evidence and never by missing punctuation.

Evidence: something opened is not closed, a title has nothing under it, or the last word needs
another one or is only the beginning of a word.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
# Titles whose section says something in every problem.
_SECTION = re.compile(r"(?:## )?(?:input|output)(?: (?:format|specification))?:?", re.IGNORECASE)
_TITLE = re.compile(
    r"#{1,2} .*|(?:constraints|(?:input|output|example|sample)s?)\b.{0,20}(?<![.!?])", re.I
)
_BRACKET_PAIR = re.compile(r"[(\[][^()\[\]]*[)\]]")
_OPEN_BRACKET = re.compile(
    r"(?<!:-)(?<![:\"'`])\((?![\"'`])"
)  # ":(" is an emoticon, '"("' a character
_QUOTED = re.compile(r"\"[^\"\n]*\"|`[^`\n]*`")  # brackets as characters
_OPEN_EXPONENT = re.compile(r"[\^_]\{[^{}\n]*\Z")
_LAST_WORD = re.compile(r"(?:^|(?<=\s))[a-z]+\Z")
_COMMON_WORDS = 20  # the commonest words of English; few of them end a sentence
_MIN_WORDS = 4  # of a sentence; a shorter line may be a sample, a name or a format


def find_truncation(text: str) -> str | None:
    """Return the evidence that the statement stops in the middle, or None."""
    if text.count("```") % 2:
        return "a fence of code is not closed"
    if text.count('"""') % 2 and not text.startswith("```"):
        return "a docstring is not closed"
    if (title := _find_empty_section(text)) is not None:
        return f'nothing follows "{title}"'
    last_line = _get_last_line(text)
    if last_line.endswith(("[", "{", "=", "≤", "<", "≥")) and " " in last_line:
        return f'it ends in "{last_line[-20:]}"'
    if _OPEN_EXPONENT.search(last_line):
        return f'a formula stops in "{last_line[-20:]}"'
    return _find_open_bracket(last_line)


def _get_last_line(text: str) -> str:
    """Return the last line; empty where it is code or of a table."""
    last_line = text.rstrip().rpartition("\n")[2].strip()
    return "" if "```" in last_line or last_line.startswith("|") else last_line


def _find_empty_section(text: str) -> str | None:
    """Return the title of a section on input or output that is empty, or any title at the end."""
    parts = [part.strip() for part in _FENCE.sub("\ue000", text).split("\n\n") if part.strip()]
    for part, following_part in zip(parts, [*parts[1:], "# "], strict=False):
        is_title = part.startswith("#") and "\n" not in part
        if following_part == "# ":
            return part.lstrip("# ") if is_title and len(parts) > 1 else None
        if _SECTION.fullmatch(part) and _TITLE.fullmatch(following_part):
            return part.lstrip("# ")
    return None


def _find_open_bracket(last_line: str) -> str | None:
    unpaired, pairs = _QUOTED.sub("", last_line), 1
    while pairs:  # half-open intervals such as (0, 1] mix brackets
        unpaired, pairs = _BRACKET_PAIR.subn("", unpaired)
    if len(_OPEN_BRACKET.findall(unpaired)) > unpaired.count(")"):
        return f'a bracket is not closed in "{last_line[-30:]}"'
    return None


def find_cut_sentence(text: str) -> str | None:
    """Return the reason why the last sentence cannot end there, or None."""
    last_line = _get_last_line(text)
    match = _LAST_WORD.search(last_line)
    if match is None or len(last_line.split()) < _MIN_WORDS:
        return None
    word = match[0]
    preceding_text = text.rstrip()[: -len(word)]
    is_name = re.search(rf"(?<![A-Za-z]){word}(?![A-Za-z])", preceding_text) is not None
    needs_another = word in _list_commonest_words() and (len(word) > 1 or not is_name)
    is_cut = needs_another or (not is_name and _is_cut_word(word))
    return f'it ends in "{last_line[-20:]}"' if is_cut else None


@cache
def _load_dictionary() -> Any:
    from spellchecker import SpellChecker

    return SpellChecker(language="en").word_frequency.dictionary


@cache
def _list_commonest_words() -> frozenset[str]:
    """Return the words that English uses most: articles, prepositions and the like."""
    dictionary = _load_dictionary()
    return frozenset(sorted(dictionary, key=lambda word: -dictionary[word])[:_COMMON_WORDS])


def _is_cut_word(word: str) -> bool:
    """Whether a word is not an English word, but the beginning of one."""
    if len(word) == 1:
        return True
    dictionary = _load_dictionary()
    if word in dictionary:
        return False
    beginnings = [entry for entry in dictionary if entry.startswith(word)]
    return bool(beginnings) and f"{word}s" not in dictionary
