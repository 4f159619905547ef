"""One way to compare two outputs: it accepts, or can tell what it minds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from .blocks import BLANK, Rule, first_unlike, in_common, words
from .difference import Difference, tell_word

TextTest = Callable[[bytes, bytes], bool]
Objection = Callable[[bytes, bytes], Difference]
Refusal = Callable[[], Difference]
"""Tells the first difference; asked only when somebody wants to know."""


@dataclass(frozen=True, slots=True)
class TextMethod:
    """A method for standard output; refuses: None where it accepts."""

    name: str
    refuses: Callable[[bytes, bytes], Refusal | None]


def by_test(name: str, accepts: TextTest, objection: Objection) -> TextMethod:
    """A method out of a test, and what finds the first difference once the test has failed."""

    def refuses(actual: bytes, expected: bytes) -> Refusal | None:
        return None if accepts(actual, expected) else partial(objection, actual, expected)

    return TextMethod(name, refuses)


def by_rule(name: str, rule: Rule[bytes], unless: TextTest | None = None) -> TextMethod:
    """A method that goes word by word; ``unless`` refuses what the words would let pass.

    Words that are the same to the byte must be alike by the rule.
    """

    def refuses(actual: bytes, expected: bytes) -> Refusal | None:
        start = in_common(actual, expected, BLANK)
        number = first_unlike(words(actual, start), words(expected, start), rule)
        if number is None and (unless is None or not unless(actual, expected)):
            return None
        return partial(tell_word, actual, expected, number, start)

    return TextMethod(name, refuses)
