"""Restores the relations between the values of a proposed document, such as a list's length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .fields import Field, Relation, RelationName, Shape

_MAX_RESIZED = 2000  # longer lists are not made to fit a number; the number follows the list


def repair(root: Field, document: list[Any], base: Sequence[Any]) -> list[Any] | None:
    """Return the document with its relations restored; None if that is impossible for the hard
    ones.

    If a number changed, its list is resized; otherwise the number follows the list. A number above
    its limit is folded into the numbers below.
    """
    for place, item in enumerate(root.items):
        if item.shape is Shape.LIST and item.items[0].relations:
            rows = [_repair_row(item.items[0], row) for row in document[place]]
            if None in rows:
                return None
            document[place] = rows

    def find_broken(*names: RelationName) -> Iterator[Relation]:
        """Yield the relations of these names that the document breaks when their turn comes."""
        return (one for one in root.relations if one.name in names and not one.holds(document))

    for one in find_broken("same length"):
        left, right = document[one.left], document[one.right]
        if not left or not right:
            document[one.left], document[one.right] = left[:0], right[:0]
        else:
            document[one.right] = resize(right, max(0, len(left) - one.offset))
    for one in find_broken("length", "width"):
        _mend_length(one, document, base)
    for one in find_broken("length", "tree"):
        if one.name == "tree":
            document[one.right] = _join(document[one.right], one.offset)
        else:  # several numbers describe the list, so the list decides
            document[one.left] = len(document[one.right]) + one.offset
    for one in find_broken("different"):
        document[one.left] = _change(root.items[one.left], document[one.left])
    for one in find_broken("limit"):
        high = int(one.find_limit(document))
        document[one.left] = _fold(root.items[one.left], document[one.left], high, one.column)
    return None if any(find_broken("length", "width", "tree")) else document


def _change(field: Field, value: Any) -> Any:
    """Return another number; other values stay."""
    if field.shape is not Shape.INTEGER:
        return value
    return value + 1 if value < field.span.greatest else value - 1


def _repair_row(field: Field, row: Any) -> Any:
    """Return a row of a list with its relations restored; None if that is impossible. Large inputs
    have many rows, most of which break none."""
    if all(one.holds(row) for one in field.relations):
        return row
    repaired = repair(field, list(row), row) if len(row) == len(field.items) else None
    return None if repaired is None else field.container(repaired)


def _fold(field: Field, value: Any, high: int, column: int | None) -> Any:
    """Return the value with its numbers, or those of a column, from the least up to ``high``."""
    low = int(field.span.least)
    if field.shape is Shape.INTEGER and low <= high < value:
        return low + (value - low) % (high - low + 1)
    if field.shape is Shape.LIST:
        return field.container(_fold(field.items[0], item, high, column) for item in value)
    if field.shape is Shape.RECORD:
        return field.container(
            _fold(item, part, high, None) if column in (None, number) else part
            for number, (item, part) in enumerate(zip(field.items, value, strict=True))
        )
    return value


def _mend_length(one: Relation, document: list[Any], base: Sequence[Any]) -> None:
    number, value = document[one.left], document[one.right]
    new_length, is_width = number - one.offset, one.name == "width"
    if is_width and not (value and isinstance(value[0], list | str) and value[0]):
        return  # no row has a width
    if number != base[one.left] and value and 0 <= new_length <= _MAX_RESIZED:
        rows = [resize(row or value[0], new_length) for row in (value if is_width else ())]
        document[one.right] = rows or resize(value, new_length)
    else:
        document[one.left] = len(value[0] if is_width else value) + one.offset


def _join(rows: Sequence[Any], first: int) -> list[Any]:
    """Return rows as the edges of a tree: each joins the next node to one before it. If all rows
    begin with a great number, the tree is a path."""
    nodes = [(*row, first)[0] for row in rows]  # an empty row has none
    return [
        type(row)((first + min(abs(node - first), place), first + place + 1, *row[2:]))
        for place, (node, row) in enumerate(zip(nodes, rows, strict=True))
    ]


def resize(value: Any, length: int) -> Any:
    """Return a list or text of another length, repeated where it is too short."""
    return (value * (length // max(1, len(value)) + 1))[:length]
