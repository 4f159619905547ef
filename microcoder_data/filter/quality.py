"""Rules on the text of a statement. Each finding quotes the text that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from microcoder_data.recipe import Filter
from microcoder_eval.audit.findings import Finding

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_LOST_LETTERS = re.compile(r"\ufffd|ï¿½|ï»¿")  # signs in the place of letters
_WORD = re.compile(r"(?:https?://\S+)|\w+")  # an address is one word
_HEADING = re.compile(r"^#{1,6} .*$", re.MULTILINE)


def list_findings(text: str, recipe: Filter) -> Iterator[Finding]:
    """Yield the faults of a cleaned statement without our instruction."""
    prose = text if text.startswith("```python") else _FENCE.sub(" ", text)
    words = _WORD.findall(_HEADING.sub(" ", prose)) or _WORD.findall(prose)
    if len(words) < recipe.min_words:
        yield Finding("statement_too_short", f"{len(words)} words")
    if len(text) > recipe.max_chars:
        yield Finding("statement_too_long", f"{len(text)} characters")
    if matches := _LOST_LETTERS.findall(prose):
        yield Finding("mojibake", f"{len(matches)} times, such as {matches[0]!r}")
