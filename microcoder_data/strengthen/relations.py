"""Properties between the values of two views: bounds, order, membership, sums, graphs."""

from __future__ import annotations

import operator
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from .layout import Document
from .properties import Editor, Property
from .views import Form, View

_ROW_TRIES = 12
_OPERATORS = {"<": operator.lt, "<=": operator.le, "!=": operator.ne}


@dataclass(frozen=True, slots=True)
class Bounded(Property):
    """Every value of a view is at most (at least) a scalar plus ``offset``.

    is_reached: in half of the inputs some value is the bound, as in permutations and edges: values
    may be as great as the scalar then.
    """

    view: View
    scalar: View
    offset: int = 0
    is_upper: bool = True
    is_reached: bool = False

    def holds(self, document: Document) -> bool:
        bound = document[self.scalar.field] + self.offset
        values = self.view.read(document)
        return all((value <= bound) if self.is_upper else (value >= bound) for value in values)

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        bound = document[self.scalar.field] + self.offset
        domain = model.domains[self.view]
        low, high = (domain.low, bound) if self.is_upper else (bound, domain.high)
        for container, index in self.view.list_slots(document):
            is_outside = container[index] > high if self.is_upper else container[index] < low
            if is_outside and low <= high:
                container[index] = rng.randint(low, high)

    def count_reached(self, documents: Sequence[Document]) -> int:
        """Return in how many documents some value is the bound."""
        return sum(
            document[self.scalar.field] + self.offset in self.view.read(document)
            for document in documents
        )


@dataclass(frozen=True, slots=True)
class Ordered(Property):
    """Each value of a view is below (at most, unequal to) that of another view in its place."""

    left: View
    right: View
    relation: str

    def holds(self, document: Document) -> bool:
        compare = _OPERATORS[self.relation]
        return all(map(compare, self.left.read(document), self.right.read(document)))

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        compare = _OPERATORS[self.relation]
        pairs = zip(self.left.list_slots(document), self.right.list_slots(document), strict=False)
        for (left, left_index), (right, right_index) in pairs:
            for _ in range(8):
                if compare(left[left_index], right[right_index]):
                    break
                if self.relation != "!=" and compare(right[right_index], left[left_index]):
                    left[left_index], right[right_index] = right[right_index], left[left_index]
                    break
                left[left_index] = model.draw(self.left, document, rng)
                right[right_index] = model.draw(self.right, document, rng)


@dataclass(frozen=True, slots=True)
class PositionBound(Property):
    """Every value is at most its position (from 0) plus ``offset``, as parents of a tree are."""

    view: View
    offset: int

    def holds(self, document: Document) -> bool:
        values = self.view.read(document)
        return all(value <= index + self.offset for index, value in enumerate(values))

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        low = model.domains[self.view].low
        for index, (container, place) in enumerate(self.view.list_slots(document)):
            if container[place] > index + self.offset and low <= index + self.offset:
                container[place] = rng.randint(low, index + self.offset)


@dataclass(frozen=True, slots=True)
class Member(Property):
    """Every value of a view occurs in another view."""

    view: View
    other: View

    def holds(self, document: Document) -> bool:
        return set(self.view.read(document)) <= set(self.other.read(document))

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        values = self.other.read(document)
        domain = model.domains[self.other]
        for container, index in self.view.list_slots(document):
            if values and container[index] not in values:
                if self.view.form is Form.SCALAR and domain.contains(container[index]):
                    other, place = rng.choice(self.other.list_slots(document))
                    other[place] = container[index]
                else:
                    container[index] = rng.choice(values)


@dataclass(frozen=True, slots=True)
class NeighboursDiffer(Property):
    """No value of a view equals the next one."""

    view: View

    def holds(self, document: Document) -> bool:
        values = self.view.read(document)
        return all(map(operator.ne, values, values[1:]))

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        slots = self.view.list_slots(document)
        for (before, before_index), (container, index) in pairwise(slots):
            for _ in range(8):
                if container[index] != before[before_index]:
                    break
                container[index] = model.draw(self.view, document, rng)


@dataclass(frozen=True, slots=True)
class SumBound(Property):
    """The sum of a view is at most (exactly) a scalar."""

    view: View
    scalar: View
    is_exact: bool = False

    def holds(self, document: Document) -> bool:
        total, bound = sum(self.view.read(document)), document[self.scalar.field]
        return bool(total == bound if self.is_exact else total <= bound)

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        if not self.holds(document):
            document[self.scalar.field] = sum(self.view.read(document))


@dataclass(frozen=True, slots=True)
class DistinctRows(Property):
    """No two rows of a table are equal. is_unordered: nor have they the same set of values."""

    field: int
    is_unordered: bool = False

    def holds(self, document: Document) -> bool:
        keys = [self._make_key(row) for row in document[self.field]]
        return len(set(keys)) == len(keys)

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        used_values: set[Any] = set()
        ranges = model.find_row_ranges(self.field, document)
        for row in document[self.field]:
            for _ in range(_ROW_TRIES):
                if self._make_key(row) not in used_values:
                    break
                for view, low, high in ranges:
                    is_range = low <= high
                    row[view.column] = (
                        rng.randint(low, high) if is_range else model.domains[view].draw(rng)
                    )
            used_values.add(self._make_key(row))

    def _make_key(self, row: Sequence[Any]) -> Any:
        return frozenset(row[:2]) if self.is_unordered else tuple(row)


@dataclass(frozen=True, slots=True)
class Connected(Property):
    """The first two columns of a table are the edges of a connected graph, its nodes 1 (or 0) to
    ``scalar``. first: the number of the first node."""

    field: int
    scalar: View
    first: int = 1

    def holds(self, document: Document) -> bool:
        count = document[self.scalar.field]
        neighbours: dict[int, list[int]] = {}
        for row in document[self.field]:
            neighbours.setdefault(row[0], []).append(row[1])
            neighbours.setdefault(row[1], []).append(row[0])
        reached, frontier = {self.first}, [self.first]
        while frontier:
            for node in neighbours.get(frontier.pop(), ()):
                if node not in reached:
                    reached.add(node)
                    frontier.append(node)
        return bool(len(reached) == count)

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        rows, count = document[self.field], document[self.scalar.field]
        if self.holds(document) or len(rows) < count - 1 or count < 2:
            return
        nodes = list(range(self.first, self.first + count))
        rng.shuffle(nodes)
        reach = rng.choice((1, 3, count))  # a path, a bushy tree, anything
        for index in range(1, count):
            edge = [nodes[index], nodes[rng.randrange(max(0, index - reach), index)]]
            rng.shuffle(edge)
            rows[index - 1][:2] = edge


def are_rows_of_one_field(left: View, right: View) -> bool:
    """Whether two views are columns of the same rows."""
    return left.field == right.field and left.form in (Form.TABLE, Form.RECORDS)
