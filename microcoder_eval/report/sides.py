"""What was got and what is expected, side by side, marked where the judge's comparer parts them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from microcoder_eval.compare import Comparer, comparer
from microcoder_eval.errors import ComparerError

from .pieces import Piece, Span, around, whole_or_cut

_WORD = re.compile(rb"[\w.+-]+|[\x80-\xff]+|[\s\S]")


@dataclass(frozen=True, slots=True)
class Sides:
    """Both texts cut around the difference. accepted: the comparer minds nothing (now)."""

    got: Piece
    expected: Piece
    accepted: bool = False


def comparer_of(spec: str | Mapping[str, Any]) -> Comparer | None:
    """The comparer of that name; None for checkers given as source, which mark nothing."""
    try:
        return comparer(spec)
    except ComparerError:
        return None


def sides(got: bytes, expected: bytes, compare: Comparer | None) -> Sides:
    """Cut and mark two outputs, by what the comparer tells, else by their first byte that differs.

    An accepted answer is marked nowhere.
    """
    if compare is None:
        return _marked(got, expected, *_first_byte(got, expected))
    got, expected = compare.seen(got, expected)
    objections = compare.objections(got, expected)
    if objections and objections[-1][1] is None:
        return Sides(whole_or_cut(got), whole_or_cut(expected), accepted=True)
    told = dict(objections).get(compare.told_by)
    if told is None or (told.actual is None and told.expected is None):
        return _marked(got, expected, *_first_byte(got, expected))
    # Where one side has nothing of the kind, its end is what stands against the other's mark.
    ours = told.actual or (len(got), len(got))
    theirs = told.expected or (len(expected), len(expected))
    return _marked(got, expected, ours, theirs)


def text_sides(got: str, expected: str) -> Sides:
    """The same for two values written out."""
    ours, theirs = (text.encode("utf-8", "surrogatepass") for text in (got, expected))
    return sides(ours, theirs, None)


def _marked(got: bytes, expected: bytes, ours: Span, theirs: Span) -> Sides:
    return Sides(around(got, ours), around(expected, theirs))


def _first_byte(got: bytes, expected: bytes) -> tuple[Span, Span]:
    at = _in_common(got, expected)
    return _word(got, at), _word(expected, at)


def _word(data: bytes, at: int) -> Span:
    """The rest of the word, or the one sign, that stands there."""
    found = _WORD.match(data, at)
    return (at, found.end()) if found else (at, at)


def _in_common(left: bytes, right: bytes) -> int:
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if left[low:middle] == right[low:middle] else (low, middle - 1)
    return low
