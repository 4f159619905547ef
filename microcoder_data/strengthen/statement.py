"""Applies to fields what a statement says: bounds, traits, choices, limits between values.

``arguments`` and ``text_parts`` find the fields that a statement names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from microcoder_data.constraints import Aspect, Constraint, Trait, split_term

from .fields import NUMBERS, SIZED, Field, Property, Relation, Shape
from .predicates import ORDERS

# Where a field is: its place in the items of the field around it, after the places of that field.
Path = tuple[int, ...]
# What a trait in the statement says of a value of this shape.
_TRAITS: dict[Shape, dict[Trait, Callable[[Any], bool]]] = {
    Shape.LIST: {
        **ORDERS,
        Trait.EVEN: lambda items: len(items) % 2 == 0,
        Trait.ODD: lambda items: len(items) % 2 == 1,
    },
    Shape.INTEGER: {
        Trait.EVEN: lambda value: value % 2 == 0,
        Trait.ODD: lambda value: value % 2 == 1,
    },
}


def edit_field(field: Field, path: Path, change: Callable[[Field], Field]) -> Field:
    """Return a field with the field at a path changed."""
    if not path:
        return change(field)
    items = list(field.items)
    items[path[0]] = edit_field(items[path[0]], path[1:], change)
    return replace(field, items=tuple(items))


def apply_constraints(field: Field, constraints: Iterable[Constraint]) -> Field:
    """Return the field with constraints on it. Those that seen values contradict are ignored."""
    for one in constraints:
        if one.choices:
            field = _add_choices(field, one.choices)
        elif one.trait is None:
            field = _add_bounds(field, one)
        else:
            field = _add_trait(field, one.trait)
    return field


def _add_trait(field: Field, trait: Trait) -> Field:
    holds = _TRAITS.get(field.shape, {}).get(trait)
    if holds is None or not all(map(holds, field.samples)):
        return field
    return field.with_property(Property(trait, holds, is_stated=True))


def _add_choices(field: Field, choices: frozenset[str]) -> Field:
    """Return the field of which each number and text, or each letter of a text, is a choice. Signs
    that were seen, such as the spaces between words, are choices of letters."""
    if field.shape in (Shape.LIST, Shape.RECORD):
        return replace(field, items=tuple(_add_choices(item, choices) for item in field.items))
    letters = choices | {letter for letter in field.letters if not letter.isalnum()}
    holds = partial(_is_choice, choices=choices, letters=letters)
    if field.shape not in (*NUMBERS, Shape.TEXT) or not all(map(holds, field.samples)):
        return field
    field = replace(field, letters=field.letters & letters)
    return field.with_property(Property("choice", holds, is_stated=True))


def _is_choice(value: Any, choices: frozenset[str], letters: frozenset[str]) -> bool:
    return str(value) in choices or (isinstance(value, str) and letters.issuperset(value))


def _add_bounds(field: Field, one: Constraint, *, is_item: bool = False) -> Field:
    """Apply the bounds to a number, to a length, or to the items of a list at any depth."""
    aspect = None
    if field.shape in NUMBERS:
        aspect = Aspect.ITEM if is_item else Aspect.VALUE
    elif field.shape in SIZED:
        aspect = Aspect.ITEM_LENGTH if is_item else Aspect.LENGTH
    if one.aspect is aspect:
        # "Positive integers", without a name, may be about something else: nothing above is stated.
        return field.widen(one.low, one.high if one.name else None)
    about_items = one.aspect in (Aspect.ITEM, Aspect.ITEM_LENGTH) or not one.name
    if about_items and field.shape in (Shape.LIST, Shape.RECORD):
        items = (_add_bounds(item, one, is_item=True) for item in field.items)
        return replace(field, items=tuple(items))
    return field


def bound_fields(
    root: Field, paths: Mapping[str, Path], constraints: Sequence[Constraint]
) -> Field:
    """Return the root whose fields at the paths have the bounds of their names."""
    for one in constraints:
        if one.name in paths:
            root = edit_field(
                root, paths[one.name], partial(Field.widen, low=one.low, high=one.high)
            )
    return root


def relate_fields(
    root: Field,
    constraints: Sequence[Constraint],
    paths: Mapping[str, Path],
    documents: Sequence[Sequence[Any]],
) -> Field:
    """Return the root with the limits between fields that the statement gives (``l <= r``,
    ``k <= nums.length``), where no document contradicts them."""
    for one in constraints:
        match = re.fullmatch(r"(\w+)(?:\.length)?(?:\s*-\s*(\d+))?", one.high_name)
        is_number = one.aspect in (Aspect.VALUE, Aspect.ITEM)
        high_name = split_term(match[1])[0] if match else ""
        if match is None or not is_number or not {one.name, high_name} <= paths.keys():
            continue
        left, right = paths[one.name], paths[high_name]
        is_below = re.search(rf"<\s*{re.escape(one.high_name)}|{match[1]}\s*>(?!=)", one.text)
        offset = -int(match[2] or 0) - bool(is_below)
        column = _find_column(root, left)
        if left[:-1] == right[:-1] and column is not None:  # two columns of the same rows
            limit = Relation("limit", left[2], right[2], offset, is_stated=True)
            root = add_relation(root, left[:2], limit, documents)
        elif len(right) == 1 and left[0] != right[0] and len(left) != 2:
            limit = Relation("limit", left[0], right[0], offset, True, column)
            related = add_relation(root, (), limit, documents)
            if related is not root:
                high = root.items[right[0]].span.greatest + offset
                root = edit_field(related, left, partial(_raise, high=high))
    return root


def _find_column(root: Field, path: Path) -> int | None:
    """Return the column of rows that a path leads to; None if it leads to anything else."""
    rows = root.items[path[0]]
    is_column = len(path) == 3 and rows.items[0].shape is Shape.RECORD
    return path[2] if is_column else None


def _raise(field: Field, high: float) -> Field:
    """Return the field whose numbers without a stated bound go up to ``high``."""
    if field.shape is Shape.INTEGER and field.span.stated_high is None:
        return field.widen(None, high)
    return replace(field, items=tuple(_raise(item, high) for item in field.items))


def add_relation(
    root: Field, path: Path, relation: Relation, documents: Sequence[Sequence[Any]]
) -> Field:
    """Return the root with a relation between fields of the record at a path: the root itself, or
    the rows of a list. Unchanged where a document contradicts it."""
    records = documents if not path else [row for values in documents for row in values[path[0]]]
    if not all(map(relation.holds, records)):
        return root
    return edit_field(root, path, partial(Field.with_relation, relation=relation))


def bound_lengths(field: Field) -> Field:
    """Return a record whose lists may be as long as the stated bounds of the numbers that count
    them."""
    items = list(field.items)
    for number, item in enumerate(items):
        if item.shape is Shape.LIST and item.items[0].shape is Shape.RECORD:
            items[number] = replace(item, items=(bound_lengths(item.items[0]),))
    for one in field.relations:
        count, sized = items[one.left].span, items[one.right]
        bounds = [
            None if bound is None else bound - one.offset
            for bound in (count.stated_low, count.stated_high)
        ]
        if one.name == "length":
            items[one.right] = sized.widen(*bounds)
        elif one.name == "tree" and sized.items:
            items[one.right] = _bound_nodes(sized, one.offset, count.greatest + one.offset - 1)
        elif one.name == "width" and sized.items:
            items[one.right] = replace(sized, items=(sized.items[0].widen(*bounds),))
    return replace(field, items=tuple(items))


def _bound_nodes(edges: Field, first: int, last: float) -> Field:
    """Return a list of edges whose ends are nodes of a tree, which keeps them different."""
    row = edges.items[0]
    ends = (item.widen(first, last) if place < 2 else item for place, item in enumerate(row.items))
    return replace(edges, items=(replace(row, items=tuple(ends)),), properties=())
