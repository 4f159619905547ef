"""Finds the properties that all documents have.

With few inputs some properties hold by chance. They are kept all the same: a test that such a
property excludes is lost, while an input that breaks a constraint of the problem refuses right
programs. Only properties that nothing but chance explains are left out: see ``_is_telling``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import gcd

from .layout import Document
from .properties import (
    Balanced,
    Distinct,
    EqualLengths,
    LetterCount,
    ListLength,
    Mirrored,
    NonzeroEnd,
    Patterned,
    Property,
    RowLengths,
    Sorted,
    Stepped,
    WordLengths,
)
from .relations import (
    Bounded,
    Connected,
    DistinctRows,
    Member,
    NeighboursDiffer,
    Ordered,
    PositionBound,
    SumBound,
    are_rows_of_one_field,
)
from .views import Domain, Form, LeafKind, View

__all__ = ["Bounded", "find_step", "infer_properties", "may_repeat"]
CHANCE = 1 / 32  # of problems in which something that is believed is none of their rules
_MAX_MODULUS = 1000
_MIN_LISTS = 5  # that show that none begins with 0
_MAX_SCALARS = 12
_OFFSETS = (0, -1, 1)  # of a length from the scalar that gives it
MULTIPLES = (2, 3)  # that a size may be of another: items for each that a scalar counts
_MAX_COUNTED = 1000
_RULE_CHANCE, _BLIND_CHANCE = 0.2, 0.88  # of distinct values: see may_repeat
_LISTS = (Form.VECTOR, Form.TABLE, Form.MATRIX, Form.RECORDS, Form.GROUPS)


def infer_properties(
    documents: Sequence[Document],
    forms: Sequence[Form],
    views: Sequence[View],
    domains: Mapping[View, Domain],
) -> list[Property]:
    """Return the properties of all documents: lengths first, so that repairs do not undo each
    other."""
    candidates = _list_candidates(documents, forms, views, domains)
    return [each for each in candidates if all(map(each.holds, documents))]


def _list_candidates(
    documents: Sequence[Document],
    forms: Sequence[Form],
    views: Sequence[View],
    domains: Mapping[View, Domain],
) -> Iterator[Property]:
    scalars = [view for view in views if _is_integer_scalar(view)][:_MAX_SCALARS]
    yield from _list_lengths(documents, forms, views, scalars)
    for view in views:
        if view.kind is LeafKind.INTEGER:
            yield from _list_bounds(documents, view, scalars, domains)
    for left, right in combinations(views, 2):
        yield from _list_orders(documents, left, right)
    for view in views:
        values = [value for doc in documents for value in view.read(doc)]
        if view.kind is LeafKind.INTEGER and (step := find_step(values)) is not None:
            yield Stepped(view, *step)
        if view.kind is LeafKind.INTEGER and view.form is not Form.SCALAR:
            yield from _list_list_properties(documents, view, values, scalars)
        if view.kind is LeafKind.WORD:
            yield from _list_word_properties(documents, view, domains[view])
    yield from _list_word_members(documents, views)
    for index, form in enumerate(forms):
        if form is Form.TABLE:
            yield from _list_table_properties(documents, index, views, scalars)
        if form in (Form.VECTOR, Form.MATRIX):
            yield from _list_mirrors(documents, index)


def _is_integer_scalar(view: View) -> bool:
    return view.form is Form.SCALAR and view.kind is LeafKind.INTEGER


def _list_lengths(
    documents: Sequence[Document],
    forms: Sequence[Form],
    views: Sequence[View],
    scalars: Sequence[View],
) -> Iterator[Property]:
    """For each list the first scalar that gives its length, else the first list as long."""
    bound_fields: list[int] = []
    for index, form in enumerate(forms):
        if form not in _LISTS:
            continue
        candidates: list[Property] = [
            ListLength(index, scalar.field, offset) for offset in _OFFSETS for scalar in scalars
        ]
        candidates += [
            ListLength(index, scalar.field, 0, factor) for factor in MULTIPLES for scalar in scalars
        ]
        candidates += [EqualLengths(other, index) for other in bound_fields]
        yield from _find_first(candidates, documents)
        bound_fields.append(index)
        if form is Form.MATRIX:
            row_candidates = [
                RowLengths(index, scalar.field, offset) for offset in _OFFSETS for scalar in scalars
            ]
            yield from _find_first(
                [*row_candidates, RowLengths(index, -2), RowLengths(index)], documents
            )
    for view in views:
        if view.kind is LeafKind.WORD:
            word_candidates = [WordLengths(view, scalar.field) for scalar in scalars]
            if view.form is not Form.SCALAR:
                word_candidates += [WordLengths(view, -2), WordLengths(view)]
            yield from _find_first(word_candidates, documents)


def _find_first(
    candidates: Sequence[Property], documents: Sequence[Document]
) -> Iterator[Property]:
    for candidate in candidates:
        if all(map(candidate.holds, documents)):
            yield candidate
            return


def _list_bounds(
    documents: Sequence[Document],
    view: View,
    scalars: Sequence[View],
    domains: Mapping[View, Domain],
) -> Iterator[Property]:
    """Values as bounded by scalars; of several upper bounds that are alike, the tightest."""
    for scalar in scalars:
        if scalar == view or domains[scalar].low == domains[scalar].high == 0:
            continue
        upper = (Bounded(view, scalar, -1), Bounded(view, scalar), Bounded(view, scalar, 1))
        for bound in upper:
            if all(map(bound.holds, documents)):
                is_reached = bound.count_reached(documents) >= max(2, len(documents) / 2)
                yield replace(bound, is_reached=is_reached)
                break
        if domains[scalar].high > 1:
            yield Bounded(view, scalar, 0, is_upper=False)


def _list_orders(documents: Sequence[Document], left: View, right: View) -> Iterator[Property]:
    if left.kind is not right.kind or left.kind is LeafKind.OTHER:
        return
    if left.tag != right.tag or Form.MATRIX in (left.form, right.form):
        return
    is_pair = left.form is right.form is Form.VECTOR or are_rows_of_one_field(left, right)
    if not is_pair and not (left.form is right.form is Form.SCALAR):
        return
    if any(len(left.read(doc)) != len(right.read(doc)) for doc in documents):
        return
    if left.kind is LeafKind.WORD:
        yield Ordered(left, right, "!=")
        return
    orders = [Ordered(left, right, "<"), Ordered(right, left, "<"), Ordered(left, right, "<="),
              Ordered(right, left, "<="), Ordered(left, right, "!=")]  # fmt: skip
    yield from _find_first(orders, documents)


def _list_list_properties(
    documents: Sequence[Document],
    view: View,
    values: Sequence[int],
    scalars: Sequence[View],
) -> Iterator[Property]:
    if _is_telling(documents, view):
        yield Sorted(view)
        yield Sorted(view, is_descending=True)
        if not may_repeat(documents, view):
            yield Distinct(view)
            yield NeighboursDiffer(view)
    if view.form is Form.VECTOR:
        for position in (0, -1):
            if _is_never_zero(documents, view, position):
                yield NonzeroEnd(view, position)
    if view.form is Form.VECTOR and values:
        offset = max(
            value - index for doc in documents for index, value in enumerate(view.read(doc))
        )
        if offset <= 1:
            yield PositionBound(view, offset)
    if view.form is Form.VECTOR:
        for scalar in scalars:
            yield SumBound(view, scalar, is_exact=True)
            if min(values, default=0) >= 0:
                yield SumBound(view, scalar)
            if len(documents) > 1:
                yield Member(scalar, view)


def _is_telling(documents: Sequence[Document], view: View) -> bool:
    """Whether the lists are long enough that order or difference would be seen to fail."""
    return max((len(view.read(doc)) for doc in documents), default=0) >= 2


def may_repeat(documents: Sequence[Document], view: View) -> bool:
    """Whether distinct values may be chance: random ones of the same range would be distinct
    neither so seldom that it must be a rule, nor so often that nobody could tell."""
    chance = 1.0
    for document in documents:
        values = view.read(document)
        span = max(values, default=0) - min(values, default=0) + 1
        for count in range(min(len(values), _MAX_COUNTED)):
            chance *= max(0.0, 1 - count / span)
    return _RULE_CHANCE < chance < _BLIND_CHANCE


def find_step(values: Iterable[int]) -> tuple[int, int] | None:
    """Return the greatest modulus by which all values have the same remainder, and this; None where
    random values would have one by chance in more than 1 of 32 problems.

    Values that are 0 but for their first digit prove nothing: 10, 100 and 1000 are 1 modulo 9.
    """
    unique = set(values)
    first = min(unique, default=0)
    modulus = gcd(*(value - first for value in unique))
    count = sum(len(str(abs(value)).rstrip("0")) > 1 or 0 < abs(value) < 10 for value in unique)
    is_believed = 1 < modulus <= _MAX_MODULUS and modulus ** (count - 1) >= 1 / CHANCE
    return (modulus, first % modulus) if is_believed else None


def _is_never_zero(documents: Sequence[Document], view: View, position: int) -> bool:
    """Whether no list of several has 0 at one end, where some have it elsewhere."""
    lists = [values for doc in documents if len(values := view.read(doc)) > 1]
    ends = {values[position] for values in lists}
    return len(lists) >= _MIN_LISTS and 0 not in ends and any(0 in values for values in lists)


def _list_word_members(documents: Sequence[Document], views: Sequence[View]) -> Iterator[Property]:
    """Words that name an item of a list of different words, as edges between named nodes do."""
    words = [view for view in views if view.kind is LeafKind.WORD]
    lists = [view for view in words if view.form is Form.VECTOR]
    for view, other in product(words, lists):
        is_list = view.field != other.field and _is_telling(documents, other)
        if is_list and any(view.read(doc) for doc in documents):
            yield Member(view, other)


def _are_alike(words: Collection[str]) -> bool:
    """Whether words of letters, digits and signs are so many of so few shapes that it is a rule."""
    shapes = set(Patterned.infer(View(0, Form.VECTOR), list(words)).runs)
    is_mixed = all(len(set(shape)) > 1 for shape in shapes)
    return is_mixed and len(set(words)) >= max(4, 3 * len(shapes))


def _list_word_properties(
    documents: Sequence[Document], view: View, domain: Domain
) -> Iterator[Property]:
    if _is_telling(documents, view):
        yield Distinct(view)
    yield Balanced(view)
    words = [word for doc in documents for word in view.read(doc)]
    if _are_alike(words):
        yield Patterned.infer(view, words)
    total = sum(len(word) for doc in documents for word in view.read(doc))
    for letter in domain.letters if len(domain.letters) <= 8 else "":
        count = sum(word.count(letter) for word in view.read(documents[0]))
        if 0 < count <= 2 and total > 4 * count:
            yield LetterCount(view, letter, count)


def _list_table_properties(
    documents: Sequence[Document], index: int, views: Sequence[View], scalars: Sequence[View]
) -> Iterator[Property]:
    columns = [view for view in views if view.field == index]
    if max(len(doc[index]) for doc in documents) < 2:
        return
    kinds = {view.kind for view in columns[:2]}
    if len(columns) >= 2 and len(kinds) == 1 and LeafKind.OTHER not in kinds:
        yield DistinctRows(index, is_unordered=True)
        for scalar in scalars if kinds == {LeafKind.INTEGER} else ():
            for first in (1, 0):
                yield Connected(index, scalar, first)
    yield DistinctRows(index)


def _list_mirrors(documents: Sequence[Document], index: int) -> Iterator[Property]:
    """Yield the rule by which square tables of words or numbers are mirrored."""
    tables = [doc[index] for doc in documents]
    if not all(
        isinstance(row, str | list) and len(row) == len(rows) for rows in tables for row in rows
    ) or not any(len(rows) > 1 for rows in tables):
        return
    cells = {
        (rows[i][j], rows[j][i]) for rows in tables for i in range(len(rows)) for j in range(i)
    }
    cells |= {(right, left) for left, right in cells}
    diagonals = {rows[i][i] for rows in tables for i in range(len(rows))}
    diagonal = diagonals.pop() if len(diagonals) == 1 else None
    if all(left == right for left, right in cells):
        yield Mirrored(index, (), diagonal)
    elif len(dict(cells)) == len(cells):
        yield Mirrored(index, tuple(sorted(cells, key=repr)), diagonal)
