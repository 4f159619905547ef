"""Whether an answer is of a kind that the answers of a problem's tests have.

A right program that is given an input which the statement rules out often falls through to an
answer that it never gives otherwise: -1, inf, nothing. Answers of such kinds are not believed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

_MAX_NAMED = 4  # different words (negative numbers) up to which an answer must be one of them


class AnswerKinds:
    """The kinds of value that occur in answers: of texts token by token, else in nested lists."""

    def __init__(self, answers: Iterable[Any]) -> None:
        """Learn from the answers of tests."""
        kinds = {kind for answer in answers for kind in _list_kinds(answer)}
        counts = Counter(name for name, value in kinds if value)
        self._kinds = kinds
        self._free = {name for name, count in counts.items() if count > _MAX_NAMED}

    def include(self, answer: Any) -> bool:
        """Whether an answer has kinds of value that are known."""
        return all(kind in self._kinds or kind[0] in self._free for kind in _list_kinds(answer))


def _list_kinds(answer: Any) -> Iterator[tuple[str, str]]:
    """(kind, value) of each value; the value is "" but for words and negative numbers, of which
    few may stand for "impossible"."""
    if isinstance(answer, str):
        tokens = answer.split()
        yield from map(_find_token_kind, tokens) if tokens else (("empty", ""),)
    elif isinstance(answer, list):
        yield from (kind for item in answer for kind in _list_kinds(item))
    elif isinstance(answer, float) and math.isfinite(answer):
        yield "decimal", ""
    elif isinstance(answer, int | float) and not isinstance(answer, bool):
        yield _find_token_kind(repr(answer))
    else:
        yield type(answer).__name__, ""


def _find_token_kind(token: str) -> tuple[str, str]:
    digits = token.removeprefix("-")
    if digits.isdigit():
        return ("negative", token) if token != digits else ("number", "")
    if digits.replace(".", "", 1).isdigit():
        return "decimal", ""
    return "word", token.lower()
