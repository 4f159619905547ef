"""Infers fields from the stored inputs: types, what was seen, what all have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

from .fields import (
    NUMBERS,
    SIZED,
    Field,
    Property,
    Relation,
    RelationName,
    Shape,
    Span,
    fix_values,
    list_items,
)
from .predicates import (
    ORDERS,
    classify_letter,
    find_form,
    has_distinct_items,
    is_balanced,
    is_rectangle,
    is_square,
    list_neighbours,
)

_FEW_LISTS = 3  # fewer lists may show an order by chance
# Six texts or more of at most three forms are an enumeration: so few forms are no chance.
_MANY, _FEW_FORMS = 6, 3
_SAMPLES = 200  # values that a field keeps, to draw from and to test what is stated
_ROW = 4  # longest list whose positions may differ in meaning: left, top, width, height
_SHAPES: dict[type, Shape] = {
    bool: Shape.FLAG, int: Shape.INTEGER, float: Shape.REAL, str: Shape.TEXT,
    **dict.fromkeys((list, tuple, set, frozenset, dict), Shape.LIST),
}  # fmt: skip


def infer_record(records: Sequence[Any]) -> Field:
    """Return the field that describes records of one length: a field for each place, and
    relations."""
    fields = tuple(map(infer_field, zip(*records, strict=True)))
    span, relations = Span(len(fields), len(fields)), tuple(find_relations(fields, records))
    samples = tuple(records[:_SAMPLES])
    return Field(Shape.RECORD, span, fields, type(records[0]), samples, relations=relations)


def infer_field(values: Sequence[Any], *, in_list: bool = False) -> Field:
    """Return the field that describes the values at one place of different inputs. in_list: whether
    they are items of lists."""
    shape = _find_common_shape(values)
    samples = tuple(values[:_SAMPLES])
    if shape in NUMBERS:
        return Field(shape, Span(min(values), max(values)), samples=samples)
    if shape is Shape.TEXT:
        lengths = list(map(len, values))
        properties = tuple(_list_text_properties(values))
        letters, span = frozenset("".join(values)), Span(min(lengths), max(lengths))
        return Field(shape, span, samples=samples, letters=letters, properties=properties)
    if shape is Shape.LIST:
        return _infer_list(values, in_list=in_list)
    if shape is Shape.MIXED:
        by_type: dict[type, list[Any]] = {}
        for value in values:
            by_type.setdefault(type(value), []).append(value)
        return Field(shape, items=tuple(map(infer_field, by_type.values())), samples=samples)
    return fix_values(samples) if shape is Shape.FIXED else Field(shape, samples=samples)


def _find_common_shape(values: Sequence[Any]) -> Shape:
    types = set(map(type, values))
    if types == {int, float}:
        return Shape.REAL
    if len(types) > 1:
        return Shape.MIXED
    return next((_SHAPES.get(kind, Shape.FIXED) for kind in types), Shape.FIXED)


def _infer_list(values: Sequence[Any], *, in_list: bool) -> Field:
    """Return the field of lists: a record if they are short rows whose places differ in meaning."""
    container = type(values[0])
    span = Span(min(map(len, values)), max(map(len, values)))
    if span.low == span.high <= _ROW and container in (list, tuple):
        types = set(map(_find_common_shape, zip(*values, strict=True)))
        are_rows = span.low > 1 and in_list and len(values) >= _FEW_LISTS
        if len(types) > 1 or are_rows:
            return infer_record(values)
    items = [item for value in values for item in list_items(value)]
    item = infer_field(items, in_list=True)
    if container is dict:
        columns = list(zip(*items, strict=True)) or [("",), (0,)]
        item = Field(Shape.RECORD, Span(2, 2), tuple(map(infer_field, columns)), tuple)
    properties = () if container is dict else tuple(_list_list_properties(values, item))
    samples = tuple(values[:_SAMPLES])
    return Field(Shape.LIST, span, (item,), container, samples, properties=properties)


def _list_text_properties(values: Sequence[str]) -> Iterator[Property]:
    """Yield what texts have in common."""
    forms = set(map(find_form, values))
    if len(values) >= _MANY and len(forms) <= _FEW_FORMS and any(map(str.isalpha, "".join(forms))):
        yield Property("choice", lambda value: find_form(value) in forms)
    kinds = set(map(classify_letter, "".join(values)))
    yield Property("letters", lambda value: set(map(classify_letter, value)) <= kinds)
    # Of single words, written tuples or notes, these say how they begin, go on and end.
    neighbours = set[tuple[str, str]]().union(*map(list_neighbours, values))
    yield Property("neighbours", lambda value: list_neighbours(value) <= neighbours)
    has_brackets = any(set(value) & set("()[]{}<>") for value in values)
    if has_brackets and all(map(is_balanced, values)):
        yield Property("balanced", is_balanced)


def _list_list_properties(values: Sequence[Any], item: Field) -> Iterator[Property]:
    """Yield what lists have in common. Lists of two items tell nothing: they are ordered by
    chance."""
    telling = [value for value in values if len(value) > 2 and isinstance(value, list | tuple)]
    if len(telling) >= _FEW_LISTS:
        for trait, holds in ORDERS.items():
            if all(map(holds, telling)):
                yield Property(trait.value, holds)
    rows = [row for value in values for row in value if isinstance(row, str | list | tuple)]
    shapes = {"rectangle": is_rectangle, "square": is_square}
    if item.shape is Shape.LIST and len(values) >= _FEW_LISTS:
        shapes["distinct items"] = has_distinct_items
    for name, holds in shapes.items():
        if rows and all(map(holds, values)):
            yield Property(name, holds)


def find_relations(fields: Sequence[Field], records: Sequence[Sequence[Any]]) -> Iterator[Relation]:
    """Yield the relations that all records satisfy, if there are enough records to believe them."""
    sized = {
        place
        for place, one in enumerate(fields)
        if one.shape in SIZED and one.container in (list, tuple)
    }
    numbers = {place for place, one in enumerate(fields) if one.shape is Shape.INTEGER}
    for left in sorted(numbers):
        varied = len({record[left] for record in records}) > 1
        counts = [one for at in sorted(sized) for one in _find_length(left, at, records, varied)]
        yield from counts
        limits = sorted((numbers if counts else numbers | sized) - {left})
        for one in (Relation("limit", left, right) for right in limits):
            if len(records) >= _FEW_LISTS and varied and all(map(one.holds, records)):
                yield one
    for left, right in permutations(range(len(fields)), 2):
        one = Relation("member", left, right)
        is_whole = right in sized and len(records) >= _FEW_LISTS
        if is_whole and fields[left].shape is not Shape.LIST and all(map(one.holds, records)):
            yield one
    for left, right in combinations(sorted(sized), 2):
        varies = len({len(record[left]) for record in records}) > 1
        is_frequent = len(records) >= _FEW_LISTS
        # Enough to believe that one is longer by an item: the nodes of a tree, and its edges.
        offsets = (0, 1, -1) if varies and is_frequent else (0,) if varies or is_frequent else ()
        for one in (Relation("same length", left, right, offset) for offset in offsets):
            if all(map(one.holds, records)):
                yield one


def _find_length(
    left: int, right: int, records: Sequence[Sequence[Any]], varied: bool
) -> Iterator[Relation]:
    names: tuple[RelationName, ...] = ("length", "width")
    for name in names:
        for offset in (0, -1, 1):
            one = Relation(name, left, right, offset, is_stated=varied)
            if any(len(record[right]) for record in records) and all(map(one.holds, records)):
                yield one
                break
    for first in (0, 1):
        one = Relation("tree", left, right, first, is_stated=True)
        if max(len(record[right]) for record in records) > 2 and all(map(one.holds, records)):
            yield one
