"""Translates statements into English with the endpoint of the recipe."""

from __future__ import annotations

import re
from collections import Counter

from microcoder_data.endpoint import Client, EndpointError

_SYSTEM = (
    "You translate statements of programming problems into English. Keep the Markdown, all "
    "numbers, identifiers, formulas and everything in code fences or backticks exactly as they "
    "are. Add nothing and leave nothing out. Answer with the translation only."
)
_CODE = re.compile(r"```.*?```", re.DOTALL)
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<!\w)[A-Za-z](?:_\w+)?(?!\w)|`[^`\n]+`")  # n, a_i, `code`
_ARTICLES = frozenset("aAIoiyeuz")  # words of one letter, in English and in other languages
_LENGTHS = 0.3, 4.0  # length of a translation, relative to the statement: Chinese is short
_MAX_LOST_NUMBERS = 0.1  # share of the numbers in prose: "3" may become "three"


def translate_statement(client: Client, text: str) -> str:
    """Return the statement in English. Raises EndpointError, also for a translation that changes
    code."""

    def check(answer: str) -> str:
        translation = answer.strip()
        if not translation:
            raise EndpointError("the translation is empty")
        if (fault := find_loss(text, translation)) is not None:
            raise EndpointError(f"the translation is not of this statement: {fault}")
        lost_blocks = [block for block in _CODE.findall(text) if block not in translation]
        if lost_blocks:
            raise EndpointError(f"the translation changed a block of code: {lost_blocks[0][:60]!r}")
        return translation

    return client.ask(
        [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": text}], check
    )


def find_loss(text: str, translation: str) -> str | None:
    """Describe what a translation lacks: numbers, names, or most of the length; None if it lacks
    nothing."""
    low, high = _LENGTHS
    if not low * len(text) <= len(translation) <= high * len(text):
        return f"{len(translation)} characters for {len(text)}"
    prose, other = _CODE.sub(" ", text), _CODE.sub(" ", translation)
    numbers = Counter(_NUMBER.findall(prose))
    lost = numbers - Counter(_NUMBER.findall(other))
    if lost.total() > _MAX_LOST_NUMBERS * numbers.total():
        return f"it lost the numbers {', '.join(sorted(lost)[:5])}"
    names = {name for name in _NAME.findall(prose) if name not in _ARTICLES}
    missing = sorted(names - set(_NAME.findall(other)))
    return f"it lost the names {', '.join(missing[:5])}" if missing else None
