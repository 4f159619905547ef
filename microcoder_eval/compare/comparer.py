"""A comparer: methods from strict to lenient, of which the first that accepts is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import eq
from typing import Any

from .calibrated import without_bom
from .difference import TokenTest, first_difference, value_difference
from .paper import StepSkippedError

TextMethod = Callable[[bytes, bytes], bool]
ValueMethod = Callable[[Any, Any], bool]
_MAX_DETAIL = 200


@dataclass(frozen=True, slots=True)
class Match:
    """What a comparison found.

    method: the strictest method that accepted; None: refused.
    detail: when refused, the first difference in words, at most 200 characters, safe for logs.
    """

    method: str | None
    detail: str | None


@dataclass(frozen=True, slots=True)
class Comparer:
    """A named comparer, ready to use in any thread: it holds nothing but functions.

    same_token: which pairs of words differ but are accepted; only to tell the first difference.
    """

    name: str
    options: Mapping[str, Any]
    texts: tuple[tuple[str, TextMethod], ...]
    values: tuple[tuple[str, ValueMethod], ...]
    same_token: TokenTest = eq
    ignores_bom: bool = False

    @property
    def methods(self) -> tuple[str, ...]:
        """The names a match may have, strict to lenient: those of texts, then those of values."""
        return tuple(dict.fromkeys(name for name, _ in (*self.texts, *self.values)))

    def text(self, actual: bytes, expected: bytes) -> Match:
        """Compare standard output with what is expected."""
        method, notes = _strictest(self.texts, actual, expected)
        if method is None and self.ignores_bom:
            actual, expected = without_bom(actual), without_bom(expected)
            method, notes = _strictest(self.texts, actual, expected)
        if method is not None:
            return Match(method, None)
        return _refused(first_difference(actual, expected, self.same_token), notes)

    def value(self, actual: object, expected: object) -> Match:
        """Compare the result of a call with what is expected; both plain built-in values."""
        method, notes = _strictest(self.values, actual, expected)
        if method is not None:
            return Match(method, None)
        return _refused(value_difference(actual, expected), notes)


def _strictest(
    methods: tuple[tuple[str, Callable[[Any, Any], bool]], ...], actual: Any, expected: Any
) -> tuple[str | None, list[str]]:
    notes: list[str] = []
    for name, method in methods:
        try:
            if method(actual, expected):
                return name, notes
        except StepSkippedError as skipped:
            notes.append(f"{name} skipped: {skipped}")
    return None, notes


def _refused(difference: str, notes: list[str]) -> Match:
    detail = "; ".join([difference, *notes])
    return Match(None, detail if len(detail) <= _MAX_DETAIL else f"{detail[: _MAX_DETAIL - 1]}…")
