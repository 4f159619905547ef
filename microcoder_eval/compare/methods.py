"""Methods of comparing two outputs: each accepts, or can describe the first difference."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from microcoder_sandbox import record

from .blocks import WHITESPACE, FindMismatch, count_common_bytes, find_first_mismatch, split_words
from .difference import Difference, describe_word_difference

TextPredicate = Callable[[bytes, bytes], bool]
FindDifference = Callable[[bytes, bytes], Difference]
DescribeRefusal = Callable[[], Difference]
"""Describes the first difference; called only if the detail is needed."""


class StepSkippedError(Exception):
    """A method does not apply to these outputs, for the reason in the message."""


@record
class TextMethod:
    """A method for standard output. find_refusal: returns None if it accepts."""

    name: str
    find_refusal: Callable[[bytes, bytes], DescribeRefusal | None]


def make_text_method(
    name: str, accepts: TextPredicate, find_difference: FindDifference
) -> TextMethod:
    """Make a method from a predicate and a function that finds the first difference."""

    def find_refusal(actual: bytes, expected: bytes) -> DescribeRefusal | None:
        return None if accepts(actual, expected) else partial(find_difference, actual, expected)

    return TextMethod(name, find_refusal)


def make_word_method(
    name: str,
    find_mismatch: FindMismatch[bytes],
    is_excluded: TextPredicate | None = None,
    *,
    all_match: Callable[[bytes, bytes, int, FindMismatch[bytes]], bool] | None = None,
) -> TextMethod:
    """Make a method that compares word by word, and refuses outputs that are ``is_excluded``.

    ``find_mismatch`` must accept words of equal bytes. all_match: a faster check that all words
    match; False means not known (``arrays.words_are_close``).
    """

    def find_refusal(actual: bytes, expected: bytes) -> DescribeRefusal | None:
        start = count_common_bytes(actual, expected, WHITESPACE)
        index = None
        if all_match is None or not all_match(actual, expected, start, find_mismatch):
            index = find_first_mismatch(
                split_words(actual, start), split_words(expected, start), find_mismatch
            )
        if index is None and (is_excluded is None or not is_excluded(actual, expected)):
            return None
        return partial(describe_word_difference, actual, expected, index, start)

    return TextMethod(name, find_refusal)
