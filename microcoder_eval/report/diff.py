"""Marks the difference between a program's output and the expected one, as the comparer sees it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from microcoder_eval.compare import Comparer, make_comparer
from microcoder_eval.compare.blocks import count_common_prefix
from microcoder_eval.errors import ComparerError
from microcoder_sandbox import record

from .excerpts import Excerpt, Span, cut_around, cut_output

_WORD = re.compile(rb"[\w.+-]+|[\x80-\xff]+|[\s\S]")


@record
class Diff:
    """Both texts, cut around the difference. is_accepted: the comparer accepts this output."""

    actual: Excerpt
    expected: Excerpt
    is_accepted: bool = False


def find_comparer(spec: str | Mapping[str, Any]) -> Comparer | None:
    """Return the comparer of that name; None for a checker given as source."""
    try:
        return make_comparer(spec)
    except ComparerError:
        return None


def diff_outputs(actual: bytes, expected: bytes, comparer: Comparer | None) -> Diff:
    """Cut two outputs around the difference that the comparer reports, and mark it.

    If the comparer reports no place, the first words that differ are marked. An accepted output
    gets no mark.
    """
    if comparer is None:
        return _mark_first_words(actual, expected)
    actual, expected = comparer.remove_boms(actual, expected)
    objections = comparer.collect_objections(actual, expected)
    if objections and objections[-1][1] is None:
        return Diff(cut_output(actual), cut_output(expected), is_accepted=True)
    objection = dict(objections).get(comparer.reporting_method)
    if objection is None or (objection.actual is None and objection.expected is None):
        return _mark_first_words(actual, expected)
    # If one text does not contain the place, its end is marked.
    actual_span = objection.actual or (len(actual), len(actual))
    expected_span = objection.expected or (len(expected), len(expected))
    return Diff(cut_around(actual, actual_span), cut_around(expected, expected_span))


def diff_values(actual: str, expected: str) -> Diff:
    """Cut two formatted values around their first difference, and mark it."""
    return _mark_first_words(
        actual.encode("utf-8", "surrogatepass"), expected.encode("utf-8", "surrogatepass")
    )


def _mark_first_words(actual: bytes, expected: bytes) -> Diff:
    """Mark the first words that differ, from the byte that differs on."""
    offset = count_common_prefix(actual, expected)
    return Diff(
        cut_around(actual, _find_word_span(actual, offset)),
        cut_around(expected, _find_word_span(expected, offset)),
    )


def _find_word_span(data: bytes, offset: int) -> Span:
    """Return the span from ``offset`` to the end of the word, or of the single character."""
    match = _WORD.match(data, offset)
    return (offset, match.end()) if match else (offset, offset)
