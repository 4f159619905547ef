"""Makes large inputs: every size as great as it may be, and the values in one shape.

A program that is only too slow passes all small tests. Sizes are as great as an input has them or
the statement allows, times a share that is the same for all of them. Of several test cases one is
left, so that no sum over all cases grows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from microcoder_data.rows import draw_number

from .layout import Document
from .model import MAX_ITEMS, Model, copy_document
from .mutation import fill
from .properties import ListLength, RowLengths, WordLengths
from .views import Domain, Form, LeafKind, View

_SHAPES = ("random", "equal", "sorted", "reversed", "alternating", "small")
_LARGEST_SCALARS = ("random", "reversed")  # shapes in which single numbers are largest, too
_MIN_CHARACTERS = 1000  # of a large input,
_MIN_NUMBER = 1000  # or of one of its numbers
_MAX_CELLS = 5_000_000  # of a table whose sides may surely both be largest
_MIN_SHARE = 1e-5
_STEP = 0.8  # from a share to the next


@dataclass(frozen=True, slots=True)
class CandidateInput:
    """A proposed input, in the form that a row holds. origin: how it was made."""

    value: Any
    origin: str


@dataclass(frozen=True, slots=True)
class LargeInputs:
    """Large inputs of one problem, each made when it is asked for.

    model: with the greatest sizes. base: a document that is enlarged. max_characters: of an input.
    key: what decides random values, besides shape and share.
    """

    model: Model
    base: Document
    render: Callable[[Document], Any]
    max_characters: int
    key: str

    def find_share(self) -> float | None:
        """Return the greatest share of all sizes at which an input is not too long; None where
        none is large, or the greatest sizes together are beyond what a statement means."""
        if _count_cells(self.model, self.base) > _MAX_CELLS:
            return None
        share = 1.0
        while not self._fits(share):
            share *= _STEP
            if share < _MIN_SHARE:
                return None
        numbers = [
            abs(_scale(domain, share))
            for view, domain in self.model.domains.items()
            if view.form is Form.SCALAR and view.kind is LeafKind.INTEGER
        ]
        is_long = _estimate_characters(self.model, self.base, share) >= _MIN_CHARACTERS
        return share if is_long or max(numbers, default=0) >= _MIN_NUMBER else None

    def _fits(self, share: float) -> bool:
        return (
            _estimate_characters(self.model, self.base, share) <= self.max_characters
            and max(_list_lengths(self.model, self.base, share).values(), default=0) <= MAX_ITEMS
        )

    def list_inputs(self, share: float) -> Iterator[CandidateInput]:
        """Yield different inputs, one a shape; shapes that no valid input has are left out."""
        keys = set()
        for shape in _SHAPES:
            value = self._make(shape, share)
            if value is not None and (key := repr(value)) not in keys:
                keys.add(key)
                yield CandidateInput(value, f"large, {shape}")

    def _make(self, shape: str, share: float) -> Any | None:
        """Return an input; None where it cannot be made like the others."""
        rng = random.Random(draw_number(0, self.key, shape, str(share)))
        document = copy_document(self.base)
        _enlarge(self.model, document, shape, share, rng)
        if not self.model.repair(document, rng):
            return None
        value = self.render(document)
        return value if len(repr(value)) <= 1.2 * self.max_characters else None


def _scale(domain: Domain, share: float) -> int:
    return max(domain.low, int(domain.high * share))


def _enlarge(
    model: Model, document: Document, shape: str, share: float, rng: random.Random
) -> None:
    for field, submodel in model.submodels.items():
        del document[field][1:]
        for group in document[field]:
            _enlarge(submodel, group, shape, share, rng)
    counts = {each.scalar: each for each in model.properties if isinstance(each, ListLength)}
    sizes = model.list_size_fields()
    for view in model.views:
        if view.form is Form.SCALAR and view.kind is LeafKind.INTEGER:
            greatest, low = _scale(model.domains[view], share), model.domains[view].low
            count = counts.get(view.field)
            if count is not None and count.field in model.submodels:
                document[view.field] = count.find_value(len(document[count.field]))
            elif view.field in sizes or shape in _LARGEST_SCALARS:
                document[view.field] = greatest
            else:
                document[view.field] = rng.randint(low, greatest)
        elif view.form is Form.SCALAR and view.kind is LeafKind.WORD:
            domain = model.domains[view]
            document[view.field] = domain.draw(rng, _scale(domain, share))
    for field, length in _list_lengths(model, document, share).items():
        model.resize(document, field, length, rng)
    for each in model.properties:
        if isinstance(each, RowLengths | WordLengths) and not each.holds(document):
            each.repair(document, rng, model)
    for view in model.views:
        if view.form is not Form.SCALAR or view.kind is LeafKind.WORD:
            fill(view, document, model, shape, rng, keeps_lengths=True)


def _list_lengths(model: Model, document: Document, share: float) -> Mapping[int, int]:
    """Return the length of each list but groups; of a group the longest."""
    scalars = {view.field: view for view in model.views if view.form is Form.SCALAR}
    lengths = {
        field: max(low, int(high * share))
        for field, (low, high) in model.lengths.items()
        if field not in model.submodels
    }
    for each in model.properties:
        if isinstance(each, ListLength) and each.field in lengths:
            domain = model.domains[scalars[each.scalar]]
            lengths[each.field] = each.find_length(_scale(domain, share))
    return lengths


def _measure_table(model: Model, view: View, lengths: Mapping[int, int], share: float) -> float:
    """Return the rows times the columns, or letters, of a view."""
    scalars = {other.field: other for other in model.views if other.form is Form.SCALAR}
    rows, columns, domain = lengths.get(view.field, 1), 1.0, model.domains[view]
    if view.kind is LeafKind.WORD:
        average = (domain.low + domain.high) / 2
        columns = _scale(domain, share) if view.form is Form.SCALAR else average
    for each in model.properties:
        is_side = (isinstance(each, RowLengths) and each.field == view.field) or (
            isinstance(each, WordLengths) and each.view == view
        )
        if is_side and isinstance(each, RowLengths | WordLengths):
            size = model.domains[scalars[each.scalar]] if each.scalar >= 0 else None
            columns = rows if each.scalar == -2 else columns
            columns = _scale(size, share) if size is not None else columns
    return rows * columns


def _estimate_characters(model: Model, base: Document, share: float) -> float:
    lengths = _list_lengths(model, base, share)
    total = 0.0
    for view in model.views:
        domain, cells = model.domains[view], _measure_table(model, view, lengths, share)
        widths = (len(str(domain.low)), len(str(domain.high)))
        total += cells * (1 if view.kind is LeafKind.WORD else max(widths) + 1)
    return total + sum(
        _estimate_characters(submodel, base[field][0], share)
        for field, submodel in model.submodels.items()
        if base[field]
    )


def _count_cells(model: Model, base: Document) -> float:
    """Return the cells of the greatest table of which both sides may grow."""
    lengths = _list_lengths(model, base, 1.0)
    cells = [_measure_table(model, view, lengths, 1.0) for view in model.views]
    tables = [
        number
        for number, view in zip(cells, model.views, strict=True)
        if number > lengths.get(view.field, 1) > 1
    ]
    return max(tables, default=0.0)
