"""Rules on the text of a statement. Each finding quotes the text that it is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from microcoder_data.process.conversion.letters import repair_letters
from microcoder_data.recipe import Filter
from microcoder_eval.audit.findings import Finding

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_LOST_LETTERS = re.compile(r"\ufffd|ï¿½|ï»¿")  # signs in the place of letters
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff]")
# Traces of chats with models: markers of turns, and what a model says about itself.
_CHAT = re.compile(
    r"<\|(?:im_start|im_end|endoftext|user|assistant)\|>|\[/?INST\]|"
    r"\bas an ai (?:language )?(?:model|assistant)\b|\blet me know if you\b|"
    r"\bignore (?:all |any )?(?:of )?(?:the |your )?previous instructions\b",
    re.IGNORECASE,
)
_OTHER_LANGUAGE = re.compile(
    r"\b(?:write|create) (?:an? |the )?(?:sql|mysql|bash|shell|awk|powershell) (?:query|script|"
    r"command|statement)\b|\bwrite an? (?:java|c\+\+|c#|javascript|rust|kotlin|php|ruby|html) "
    r"(?:program|function|method|class|page)\b",
    re.IGNORECASE,
)
# Questions with answers to choose from, and requests for a text.
_NOT_TASK = re.compile(
    r"^\s*\(?[A-Da-d][.)] .*\n\s*\(?[B-Eb-e][.)] |"
    r"\bwrite an? (?:essay|poem|story|article|summary)\b",
    re.IGNORECASE | re.MULTILINE,
)
_SECRET = re.compile(
    r"\bsk-[\w-]{16,}|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{30,}|-----BEGIN [A-Z ]*PRIVATE KEY-----|"
    r"\bcards?\b[^\n]{0,30}\b(?:\d{4}[ -]){3}\d{4}\b|^\W*password: ?\S+\W*$",
    re.MULTILINE,
)
_CONTACT = re.compile(
    r"\b(?:contact|mail|e-mail|email|write to|call|phone|tel\.?|whatsapp)\b[^\n]{0,60}?"
    r"(?:[\w.+-]+@[\w-]+\.\w{2,6}|\+?\d[\d ()-]{8,}\d)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_HEADING = re.compile(r"^#{1,6} .*$", re.MULTILINE)
_MIN_PARAGRAPH_WORDS = 15
_MIN_REPEATED_WORDS = 5  # a text of fewer words may be the same words twice on purpose
_GRAM_WORDS = 8


def list_findings(text: str, recipe: Filter) -> Iterator[Finding]:
    """Yield the faults of a cleaned statement without our instruction."""
    prose = text if text.startswith("```python") else _FENCE.sub(" ", text)
    words = _WORD.findall(_HEADING.sub(" ", prose)) or _WORD.findall(prose)
    if len(words) < recipe.min_words:
        yield Finding("statement_too_short", f"{len(words)} words")
    if len(text) > recipe.max_chars:
        yield Finding("statement_too_long", f"{len(text)} characters")
    yield from _check_letters(prose)
    if (reason := find_repetition(words) or _find_repeated_paragraph(prose)) is not None:
        yield Finding("repetitive", reason)
    if match := _CHAT.search(prose):
        yield Finding("chat_residue", _quote_match(match))
    if match := _OTHER_LANGUAGE.search(prose):
        yield Finding("other_language", _quote_match(match))
    if match := _NOT_TASK.search(prose):
        yield Finding("not_programming", _quote_match(match))
    if match := _CONTACT.search(prose):
        yield Finding("personal_data", "a way to contact somebody")
    elif _SECRET.search(prose):
        yield Finding("personal_data", "a key, a card or a password")


def _quote_match(match: re.Match[str]) -> str:
    return f'it says "{" ".join(match[0].split())[:80]}"'


def _check_letters(prose: str) -> Iterator[Finding]:
    if matches := _LOST_LETTERS.findall(prose):
        yield Finding("mojibake", f"{len(matches)} times, such as {matches[0]!r}")
    elif (line := repair_letters(prose)[1]) is not None:  # process repairs it
        yield Finding("mojibake", f'such as in "{line[:60]}"')
    if match := _CONTROL.search(prose):
        yield Finding("not_text", f"the character {match[0]!r}")
        return
    characters = [character for character in prose if not character.isspace()]
    letters = sum(map(str.isalpha, characters))
    if len(characters) >= 40 and letters < 0.4 * len(characters):
        yield Finding("not_text", f"{100 * letters // len(characters)} % letters")


def _find_repeated_paragraph(prose: str) -> str | None:
    """Describe a paragraph, of some minimum length, that is repeated word for word; None
    if there is none."""
    paragraphs = Counter(" ".join(part.split()) for part in prose.split("\n\n"))
    for paragraph, count in paragraphs.items():
        if count > 1 and len(paragraph.split()) >= _MIN_PARAGRAPH_WORDS:
            return f'a paragraph twice: "{paragraph[:60]}"'
    return None


def find_repetition(words: list[str]) -> str | None:
    """Return what is repeated in about half of the text or more, ignoring numbers; None if nothing
    is."""
    lowercase_words = [word.lower() for word in words if not word.isdigit()]
    half = len(lowercase_words) // 2
    if half >= _MIN_REPEATED_WORDS and lowercase_words[:half] == lowercase_words[half:]:
        return "all of it twice"
    if len(lowercase_words) < 4 * _GRAM_WORDS:
        return None
    grams = Counter(zip(*(lowercase_words[start:] for start in range(_GRAM_WORDS)), strict=False))
    phrase, count = grams.most_common(1)[0]
    repeat_count = sum(count - 1 for count in grams.values())
    if repeat_count >= 0.45 * grams.total():
        return f'{count} times "{" ".join(phrase)}"'
    return None
