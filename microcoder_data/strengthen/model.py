"""The model of a problem's inputs: views, domains and properties that all inputs have.

inputs -> documents -> Model.infer -> Model.repair(document) -> another valid document
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from . import inference
from .invariants import Invariants
from .layout import Document, Layout, Part, PartKind
from .properties import ListLength, Property, RowLengths, WordLengths
from .views import (
    Domain,
    Form,
    LeafKind,
    View,
    infer_domain,
    list_forms,
    list_views,
    make_words,
)

_ROUNDS = 4  # of repairs: one may break what another has repaired
_WIDTH_TRIES = 30
_MANY = 1000  # items from which a value is drawn without a look at the others
MAX_ITEMS = 200_000  # of a list: repairs of more take too long


@dataclass(frozen=True, slots=True)
class Constants:
    """What right programs compare with: a wrong one may be wrong just there."""

    numbers: tuple[int, ...] = ()
    letters: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Model:
    """What all inputs of a problem have in common. submodels: of the fields that are groups."""

    forms: tuple[Form, ...]
    views: tuple[View, ...]
    domains: dict[View, Domain]
    lengths: dict[int, tuple[int, int]]
    properties: tuple[Property, ...]
    invariants: Invariants
    submodels: dict[int, Model]
    constants: Constants = Constants()

    @classmethod
    def infer(cls, documents: Sequence[Document], layout: Layout | None) -> Model:
        """Return the model of documents; words that look like numbers become words in them."""
        parts = [] if layout is None else [p for p in layout.parts if p.kind is PartKind.GROUPS]
        forms = list_forms(documents, layout)
        views = tuple(list_views(documents, forms, is_text=layout is not None))
        for view in views:
            if view.kind is LeafKind.WORD:
                make_words(view, documents)
        submodels = {}
        for index in (index for index, form in enumerate(forms) if form is Form.GROUPS):
            submodels[index] = cls._infer_groups(documents, index, parts.pop(0))
        lengths = {}
        for index, form in enumerate(forms):
            if form not in (Form.SCALAR, Form.OPAQUE):
                counts = [len(doc[index]) for doc in documents]
                lengths[index] = (min(counts), max(counts))
        domains = {view: infer_domain(view, documents) for view in views}
        properties = inference.infer_properties(documents, forms, views, domains)
        repeating = {
            view
            for view in views
            if view.kind is LeafKind.INTEGER and inference.may_repeat(documents, view)
        }
        invariants = Invariants.infer(documents, views, repeating)
        return cls(tuple(forms), views, domains, lengths, tuple(properties), invariants, submodels)

    @classmethod
    def _infer_groups(cls, documents: Sequence[Document], index: int, part: Part) -> Model:
        groups = [group for doc in documents for group in doc[index]]
        return cls.infer(groups, Layout(part.body))

    def with_constants(self, constants: Constants) -> Model:
        """Return the same model with other constants, in its groups, too."""
        submodels = {
            field: submodel.with_constants(constants) for field, submodel in self.submodels.items()
        }
        return replace(self, submodels=submodels, constants=constants)

    def list_size_fields(self) -> set[int]:
        """Return the scalar fields that say how many items, columns or letters there are."""
        fields = {each.scalar for each in self.properties if isinstance(each, ListLength)}
        others = [each for each in self.properties if isinstance(each, RowLengths | WordLengths)]
        return fields | {each.scalar for each in others if each.scalar >= 0}

    def restrict_sizes(self, documents: Sequence[Document]) -> Model:
        """Return the same model with sizes that ``documents`` have: a part of its own."""
        sizes = self.list_size_fields()
        domains = dict(self.domains)
        for view in self.views:
            is_size = view.field in sizes or view.kind is LeafKind.WORD
            if is_size and any(map(view.read, documents)):
                domain = infer_domain(view, documents)
                domains[view] = replace(domains[view], low=domain.low, high=domain.high)
        lengths = {}
        for field in self.lengths:
            counts = [len(document[field]) for document in documents]
            lengths[field] = (min(counts), max(counts))
        submodels = {
            field: submodel.restrict_sizes([group for doc in documents for group in doc[field]])
            for field, submodel in self.submodels.items()
        }
        return replace(self, domains=domains, lengths=lengths, submodels=submodels)

    def accepts(self, document: Document) -> bool:
        """Whether a document is like the inputs: every value in its domain, every property."""
        for view, domain in self.domains.items():
            if not all(map(domain.contains, view.read(document))):
                return False
        for index, (low, high) in self.lengths.items():
            if not low <= len(document[index]) <= high:
                return False
        for index, submodel in self.submodels.items():
            if not all(map(submodel.accepts, document[index])):
                return False
        return all(each.holds(document) for each in self.properties) and self.invariants.hold(
            document
        )

    def repair(self, document: Document, rng: random.Random) -> bool:
        """Change a document until the model accepts it; returns whether it does."""
        for _ in range(_ROUNDS):
            are_groups_valid = True
            for index, submodel in self.submodels.items():
                for group in document[index]:
                    are_groups_valid &= submodel.repair(group, rng)
            is_changed = False
            for each in self.properties:
                if not each.holds(document):
                    each.repair(document, rng, self)
                    is_changed = True
            if are_groups_valid and self.accepts(document):
                return True
            if not is_changed:
                return False
        return False

    def draw(self, view: View, document: Document, rng: random.Random) -> Any:
        """Return a random value of a view; mostly one that is small, or that the document has."""
        domain = self.domains[view]
        if view.form is not Form.SCALAR and len(document[view.field]) > _MANY:
            return domain.draw(rng)
        values = view.read(document)
        if values and rng.random() < 0.2:
            return rng.choice(values)
        if domain.letters or domain.pool or rng.random() < 0.5:
            return domain.draw(rng)
        low = max(domain.low, min(values, default=domain.low))
        high = min(domain.high, max(values, default=domain.high))
        return rng.randint(low, high) if low <= high else domain.draw(rng)

    def draw_unused(
        self, view: View, document: Document, used_values: set[Any], count: int, rng: random.Random
    ) -> list[Any]:
        """Return different values of a view that are not in ``used_values``; where a few tries
        find none, some that are."""
        domain = self.domains[view]
        if view.kind is LeafKind.INTEGER:
            domain = replace(domain, high=self.find_upper_bound(view, document))
            if domain.high - domain.low < 4 * (len(used_values) + count) + 8:
                values = range(domain.low, domain.high + 1)
                free = [value for value in values if value not in used_values]
                sample = rng.sample(free, min(count, len(free)))
                return sample + [
                    rng.choice(values or [domain.low]) for _ in range(count - len(sample))
                ]
        drawn: list[Any] = []
        used_values = set(used_values)
        for _ in range(count):
            value = domain.draw(rng)
            for _ in range(_WIDTH_TRIES):
                if value not in used_values:
                    break
                value = domain.draw(rng)
            used_values.add(value)
            drawn.append(value)
        return drawn

    def find_upper_bound(self, view: View, document: Document) -> int:
        """Return the highest value that the domain and the bounds of a view allow in a document."""
        bounds = [self.domains[view].high]
        for each in self.properties:
            if isinstance(each, inference.Bounded) and each.view == view and each.is_upper:
                bounds.append(document[each.scalar.field] + each.offset)
        return min(bounds)

    def resize(self, document: Document, field: int, length: int, rng: random.Random) -> None:
        """Remove random items of a field, or add some, until it has ``length``."""
        items = document[field]
        if not 0 <= length <= MAX_ITEMS:
            return
        if len(items) > length:
            keep = sorted(rng.sample(range(len(items)), length))
            items[:] = [items[index] for index in keep]
        if len(items) < length:
            draw = self._make_drawer(document, rng, is_quick=length > _MANY)
            new_items = [
                self._make_item(document, field, rng, draw) for _ in range(length - len(items))
            ]
            if None not in new_items:
                is_new = [True] * len(new_items) + [False] * len(items)
                rng.shuffle(is_new)
                sources = iter(items[:]), iter(new_items)
                items[:] = [next(sources[each]) for each in is_new]

    def _make_drawer(
        self, document: Document, rng: random.Random, *, is_quick: bool
    ) -> Callable[[View], Any]:
        """Return a function that draws a value of a view; a quick one does not look at others."""
        if is_quick:
            return lambda view: self.domains[view].draw(rng)
        return lambda view: self.draw(view, document, rng)

    def _make_item(
        self, document: Document, field: int, rng: random.Random, draw: Callable[[View], Any]
    ) -> Any:
        form, items = self.forms[field], document[field]
        views = [view for view in self.views if view.field == field]
        if form is Form.VECTOR:
            return draw(views[0])
        if form is Form.TABLE:
            return list(map(draw, views))
        if form is Form.GROUPS:
            return _copy(rng.choice(items)) if items else None
        if form is Form.RECORDS:
            tag = rng.choice(views).tag if views else None
            columns = [view for view in views if view.tag == tag]
            return [tag, *map(draw, columns)] if views else None
        width = len(items[0]) if items else 1
        return [self.domains[views[0]].draw(rng) for _ in range(width)] if views else None

    def resize_row(self, row: list[Any], field: int, length: int, rng: random.Random) -> None:
        """Shorten or extend one row of a matrix."""
        del row[max(0, length) :]
        domain = next(self.domains[view] for view in self.views if view.field == field)
        while len(row) < min(length, MAX_ITEMS):
            row.append(domain.draw(rng))

    def find_row_ranges(self, field: int, document: Document) -> list[tuple[View, int, int]]:
        """Return the columns of a table, each with the least and the greatest number that it may
        hold in a document; other values have (0, -1)."""
        ranges = []
        for view in self.views:
            if view.field == field and view.form is Form.TABLE:
                low, high = 0, -1
                if view.kind is LeafKind.INTEGER:
                    low, high = self.domains[view].low, self.find_upper_bound(view, document)
                ranges.append((view, low, high))
        return ranges


def _copy(value: Any) -> Any:
    return [_copy(item) for item in value] if isinstance(value, list) else value


copy_document = _copy
