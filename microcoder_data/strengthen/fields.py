"""The inputs that a problem allows: a field for each argument or part, with its bounds.

Bounds are stated (in the statement) or seen (in the tests), and properties are what all seen values
have in common. An input that only keeps what is stated (``is_free``) is unlike the stored ones:
programs decide whether it may come (voting.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, Literal

from microcoder_data.constraints import Trait

from .predicates import are_tree, is_permutation

# Smaller numbers are special if all seen ones are greater: no base of digits is 1.
_SMALL = 3
_GROWTH = 10  # tests are often small: so many times the greatest seen number is still usual
# So many items are checked of a longer list, since its items are drawn within their bounds.
_CHECKED_ITEMS = 2000


class Shape(StrEnum):
    """The kinds of field."""

    INTEGER = "integer"
    REAL = "real"
    FLAG = "flag"
    TEXT = "text"
    LIST = "list"
    RECORD = "record"
    MIXED = "mixed"
    FIXED = "fixed"


_TYPES: dict[Shape, tuple[type, ...]] = {
    Shape.FLAG: (bool,), Shape.INTEGER: (int,), Shape.REAL: (int, float), Shape.TEXT: (str,),
    Shape.MIXED: (object,), Shape.FIXED: (object,),
}  # fmt: skip
NUMBERS = (Shape.INTEGER, Shape.REAL)
SIZED = (Shape.TEXT, Shape.LIST)


@dataclass(frozen=True, slots=True)
class Span:
    """Bounds of numbers or lengths.

    low, high: the least and the greatest seen. stated_low, stated_high: None if nothing is stated.
    is_closed: whether values stay within what was seen if nothing is stated.
    """

    low: float
    high: float
    stated_low: float | None = None
    stated_high: float | None = None
    is_closed: bool = False

    @property
    def least(self) -> float:
        """The least stated value; the least seen if none is stated."""
        return self.low if self.stated_low is None else self.stated_low

    @property
    def greatest(self) -> float:
        """The greatest stated value; the greatest seen if none is stated."""
        return self.high if self.stated_high is None else self.stated_high

    def widen(self, low: float | None, high: float | None) -> Span:
        """Return the span with these stated bounds. Bounds that seen values contradict are
        ignored."""
        stated_low = low if low is not None and low <= self.low else self.stated_low
        stated_high = high if high is not None and high >= self.high else self.stated_high
        return replace(self, stated_low=stated_low, stated_high=stated_high)

    def allows(self, value: float, *, is_free: bool, small: int) -> bool:
        """Whether a value is within the bounds. small: smaller ones must be seen or stated."""
        low, high = self.stated_low, self.stated_high
        if self.is_closed and not is_free:
            low, high = self.least, self.greatest
        elif not is_free:
            if low is None and self.low >= 0:
                low = min(self.low, small)
            if high is None:
                high = _GROWTH * max(self.high, _GROWTH)
        return (low is None or low <= value) and (high is None or value <= high)


@dataclass(frozen=True, slots=True)
class Property:
    """What all seen values have in common, or, if it is stated, what the statement says of all."""

    name: str
    holds: Callable[[Any], bool]
    is_stated: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """One place of inputs. span: of a number, or of the length of a text or list.

    items: the field of all items of a list (of a dictionary: its pairs), one field for each item of
        a record, or one for each type of a mixed field.
    samples: values seen.
    letters: of texts.
    """

    shape: Shape
    span: Span = Span(0, 0)
    items: tuple[Field, ...] = ()
    container: type = list
    samples: tuple[Any, ...] = ()
    letters: frozenset[str] = frozenset()
    properties: tuple[Property, ...] = ()
    relations: tuple[Relation, ...] = ()

    def widen(self, low: float | None, high: float | None) -> Field:
        """Return the field with these stated bounds (Span.widen)."""
        return replace(self, span=self.span.widen(low, high))

    def close(self) -> Field:
        """Return the field in which what was seen binds where nothing is stated: the least, the
        greatest, and that no number is zero."""
        items = tuple(item.close() for item in self.items)
        closed = replace(self, span=replace(self.span, is_closed=True), items=items)
        if self.shape not in NUMBERS or self.span.stated_low is not None or 0 in self.samples:
            return closed
        return closed.with_property(Property("not zero", bool))

    def with_property(self, trait: Property) -> Field:
        """Return the field with one more property."""
        return replace(self, properties=(*self.properties, trait))

    def with_relation(self, relation: Relation) -> Field:
        """Return the field with one more relation."""
        return replace(self, relations=(*self.relations, relation))

    def allows(self, value: Any, *, is_free: bool) -> bool:
        """Whether a value may be in an input. is_free: whether only what is stated binds."""
        if not fits(value, self):
            return False
        if not all(one.holds(value) for one in self.properties if one.is_stated or not is_free):
            return False
        if self.shape in NUMBERS:
            return self.span.allows(value, is_free=is_free, small=_SMALL)
        if self.shape is Shape.RECORD:
            return self._allows_record(value, is_free)
        if self.shape is Shape.MIXED:
            item = self.find_item(value)
            return item is not None and item.allows(value, is_free=is_free)
        if self.shape not in SIZED:
            return True
        if not self.span.allows(len(value), is_free=is_free, small=1):
            return False
        if self.shape is Shape.TEXT or (self.has(Trait.PERMUTATION) and is_permutation(value)):
            return True  # the items of a permutation are bounded by its length
        item = self.items[0]
        items = _select_checked(item, list_items(value))
        return all(item.allows(one, is_free=is_free) for one in items)

    def _allows_record(self, value: Sequence[Any], is_free: bool) -> bool:
        return (
            len(value) == len(self.items)
            and all(map(partial(Field.allows, is_free=is_free), self.items, value))
            and all(one.holds(value) for one in self.relations if one.is_stated or not is_free)
        )

    def count_departures(self, record: Sequence[Any]) -> int:
        """Return how many items and relations of a record are unlike those of all seen records."""
        items = zip(self.items, record, strict=True)
        unlike = sum(not item.allows(value, is_free=False) for item, value in items)
        return unlike + sum(not one.holds(record) for one in self.relations)

    def find_item(self, value: Any) -> Field | None:
        """Return the item of a mixed field that has the value's type."""
        return next((item for item in self.items if fits(value, item)), None)

    def has(self, name: str) -> bool:
        """Whether all values have the property of this name."""
        return any(one.name == name for one in self.properties)


def list_items(value: Any) -> list[Any]:
    """Return the items of a list, or the pairs of a dictionary."""
    return list(value.items()) if isinstance(value, dict) else list(value)


def fits(value: Any, field: Field) -> bool:
    """Whether a value has the type of a field."""
    if isinstance(value, bool) and field.shape in NUMBERS:
        return False
    return isinstance(value, _TYPES.get(field.shape, field.container))


def _select_checked(field: Field, items: Sequence[Any]) -> Sequence[Any]:
    """Return the items of a list that are checked: all, or a part and the extreme numbers."""
    if len(items) <= _CHECKED_ITEMS:
        return items
    ends = [min(items), max(items)] if field.shape in NUMBERS else []
    return [*ends, *items[:: len(items) // _CHECKED_ITEMS]]


def fix_values(samples: Sequence[Any]) -> Field:
    """Return the field that only allows these values."""
    fixed = Property("fixed", lambda value: value in samples, is_stated=True)
    return Field(Shape.FIXED, samples=tuple(samples), properties=(fixed,))


RelationName = Literal["length", "width", "tree", "same length", "limit", "member", "different"]


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two fields of a record. is_stated: as in ``Property``, also of those that
    the form of the input shows.

    name: "length": the number ``left`` is the length of ``right`` plus ``offset``; "width": it is
    the length of its rows; "same length": the length of ``left`` is; "tree": the rows are the edges
    of a tree of so many nodes, numbered from ``offset``; "different"; "member": ``left`` is an item
    of ``right`` or a part of its text; "limit": no number in ``left`` is above ``right`` plus
    ``offset`` (a number, or the length of a list or text). column: of the rows of ``left`` that is
    limited; None: all its numbers.
    """

    name: RelationName
    left: int
    right: int
    offset: int = 0
    is_stated: bool = False
    column: int | None = None

    def holds(self, record: Sequence[Any]) -> bool:
        """Whether a record satisfies the relation."""
        try:
            left, right = record[self.left], record[self.right]
            if self.name == "limit":
                return all(one <= self.find_limit(record) for one in self._list_limited(left))
            return bool(_RELATIONS[self.name](left, right, self.offset))
        except (TypeError, ValueError, IndexError):
            return False

    def find_limit(self, record: Sequence[Any]) -> float:
        """Return the greatest number that the relation "limit" allows."""
        right: Any = record[self.right]
        greatest: float = right if isinstance(right, int | float) else len(right)
        return greatest + self.offset

    def _list_limited(self, value: Any) -> Iterator[float]:
        if not isinstance(value, list | tuple):
            yield value
            return
        for item in value:
            yield from self._list_limited(item if self.column is None else item[self.column])


_RELATIONS: dict[RelationName, Callable[[Any, Any, int], bool]] = {
    "length": lambda left, right, offset: left == len(right) + offset,
    "width": lambda left, right, offset: all(len(row) + offset == left for row in right),
    "same length": lambda left, right, offset: len(left) == len(right) + offset,
    "member": lambda left, right, _: left in right,
    "different": lambda left, right, _: left != right,
    "tree": lambda left, right, offset: (
        len(right) == left - 1 and are_tree(range(offset, offset + left), right)
    ),
}
