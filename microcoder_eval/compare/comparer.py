"""A comparer: tries methods from strict to lenient, and reports the first that accepts. A method
accepts two outputs, or can describe the first difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import partial
from typing import Any

from microcoder_sandbox import record

from .blocks import WHITESPACE, FindMismatch, count_common_bytes, find_first_mismatch, split_words
from .difference import Difference, describe_word_difference
from .texts import BOM
from .values import describe_value_difference

ValuePredicate = Callable[[Any, Any], bool]
TextPredicate = Callable[[bytes, bytes], bool]
FindDifference = Callable[[bytes, bytes], Difference]
DescribeRefusal = Callable[[], Difference]
"""Describes the first difference; called only if the detail is needed."""
_MAX_DETAIL = 200


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


@record
class Match:
    """The result of a comparison.

    method: the strictest method that accepted, None if all refused. detail: the first difference if
    all refused, in at most 200 characters that are safe for logs.
    """

    method: str | None
    detail: str | None


@record
class Comparer:
    """A named comparer; threads may share it, as it has no state.

    reporting_method: the method whose objection is the detail of a refusal, by default the most
    lenient one. ignores_bom: whether it ignores a leading byte order mark.
    """

    text_methods: tuple[TextMethod, ...]
    value_methods: tuple[tuple[str, ValuePredicate], ...]
    reporting_method: str = ""
    ignores_bom: bool = False
    name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    def compare_text(self, actual: bytes, expected: bytes) -> Match:
        """Compare a program's output with the expected one."""
        reported_refusal: DescribeRefusal | None = None
        notes = []
        for name, refusal in self._try_methods(*self.remove_boms(actual, expected)):
            if refusal is None:
                return Match(name, None)
            if isinstance(refusal, StepSkippedError):
                notes.append(f"{name} skipped: {refusal}")
            elif name == self.reporting_method:
                reported_refusal = refusal
        return _make_refusal(reported_refusal().message if reported_refusal else "", notes)

    def collect_objections(
        self, actual: bytes, expected: bytes
    ) -> list[tuple[str, Difference | None]]:
        """Return (method, objection) of each method up to the first that accepts (None)."""
        return [
            (name, Difference(f"does not apply: {refusal}"))
            if isinstance(refusal, StepSkippedError)
            else (name, refusal and refusal())
            for name, refusal in self._try_methods(*self.remove_boms(actual, expected))
        ]

    def _try_methods(
        self, actual: bytes, expected: bytes
    ) -> Iterator[tuple[str, DescribeRefusal | StepSkippedError | None]]:
        for method in self.text_methods:
            try:
                refusal = method.find_refusal(actual, expected)
            except StepSkippedError as error:
                # Without the traceback, which would hold the step's lists during the next step.
                yield method.name, StepSkippedError(str(error))
                continue
            yield method.name, refusal
            if refusal is None:
                return

    def remove_boms(self, actual: bytes, expected: bytes) -> tuple[bytes, bytes]:
        """Return the outputs as the methods compare them, without byte order marks if ignored."""
        if not self.ignores_bom or actual == expected:
            return actual, expected
        return actual.removeprefix(BOM), expected.removeprefix(BOM)

    def compare_value(self, actual: object, expected: object) -> Match:
        """Compare the result of a call with the expected one; both are plain built-in values."""
        notes: list[str] = []
        for name, accepts in self.value_methods:
            try:
                if accepts(actual, expected):
                    return Match(name, None)
            except StepSkippedError as error:
                notes.append(f"{name} skipped: {error}")
        return _make_refusal(describe_value_difference(actual, expected), notes)


def _make_refusal(difference: str, notes: list[str]) -> Match:
    detail = "; ".join([difference, *notes])
    return Match(None, detail if len(detail) <= _MAX_DETAIL else f"{detail[: _MAX_DETAIL - 1]}…")
