"""Finds out why a text that does not compile may be no program in its language at all: it is an
answer with its fences, a text that was encoded twice, or a program in another language."""

from __future__ import annotations

import re

from .records.flags import ESCAPED, FENCED, OTHER_LANGUAGE
from .syntax import compiles

_FENCE = re.compile(r"^[^\S\n]*+(?:```|~~~)", re.MULTILINE)
# What begins programs of one language, and of no other one here.
_BEGINNINGS = re.compile(
    r"^(?:(?P<cpp>#include\s*[<\"]|class \w+\s*\{\s*(?:public|private|protected)\s*:)"
    r"|(?P<java>import java\.|(?:public )?class \w+\s*\{\s*(?:public|private|protected)\s+\w)"
    r"|(?P<go>package main\b(?!\s*;))|(?P<rust>(?:pub )?fn \w+\())",
    re.MULTILINE,
)
_SAME_LOOKS = {"pypy": "python", "c": "cpp"}


def find_misfit(code: str, language: str) -> str | None:
    """Return the flag of what a text that does not compile seems to be, None if it seems to be a
    program in the language of that name."""
    looks = _guess_language(code)
    if looks == _SAME_LOOKS.get(language, language):
        return None
    if _FENCE.search(code):
        return FENCED
    if is_escaped_twice(code) and compiles(code.replace("\\n", "\n")):
        return ESCAPED
    return OTHER_LANGUAGE + looks if looks else None


def _guess_language(code: str) -> str:
    if compiles(code):
        return "python"
    match = _BEGINNINGS.search(code)
    return (match.lastgroup or "") if match else ""


def is_escaped_twice(text: str) -> bool:
    """Whether the line ends of a text are written as backslash and n."""
    return "\\n" in text and "\n" not in text.strip()


def describe_misfit(flag: str) -> str | None:
    """Return the sentence about a flag of find_misfit that follows a compiler's message, None for
    all other flags."""
    if flag == FENCED:
        return 'the text holds a fence (```): a model\'s answer goes under "response"'
    if flag == ESCAPED:
        return r'its line ends are written as "\n", two characters: the text was encoded twice'
    if not flag.startswith(OTHER_LANGUAGE):
        return None
    language = flag.removeprefix(OTHER_LANGUAGE)
    return f'it looks like {language}: name the solution\'s "language"'
