"""Reads a problem's inputs as documents, and describes them by a field (domain.py).

A document is a list of values: the arguments of a call, or the parts that a layout finds in a text.
Constraints in the statement apply to values by name. The names are the parameters in the starter
code, or those that the statement mentions in the order of the input.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from microcoder_data.constraints import (
    Aspect,
    Constraint,
    make_plain,
    measure_names,
    read_constraints,
)
from microcoder_data.rows import Row, get_kind, get_tests, get_text, list_parameters
from microcoder_eval.errors import DataError
from microcoder_eval.syntax import parse_python
from microcoder_sandbox import codec

from .domain import Field, Reach, Relation, Shape, apply_constraints, infer_field
from .layout import Layout, LayoutError, infer_layout

_MAX_TEXT = 20_000  # characters; longer tests are not used to infer the structure
_MAX_CHECKED = 50_000  # characters; longer rendered texts are not parsed again as a check
_MAX_EXAMPLES = 40
_MAX_WORD = 12  # longer texts in a program are not tried as parts of an input


@dataclass(frozen=True, slots=True)
class Constants:
    """Numbers and short texts in programs. Values at and beside them are worth trying."""

    numbers: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InputStructure:
    """The documents of a problem's tests, and the field that all of them are values of."""

    root: Field
    documents: list[list[Any]]
    layout: Layout | None = None

    @classmethod
    def infer(cls, row: Row, constants: Constants) -> InputStructure | None:
        """Return the structure of a row's inputs; None where none fits them all.

        constants: of right programs. They may search the arguments of a call for single letters.
        """
        examples = [test["input"] for test in get_tests(row) if "input" in test]
        examples = [item for item in examples if len(repr(item)) <= _MAX_TEXT][:_MAX_EXAMPLES]
        layout = None
        if get_kind(row) == "stdin":
            layout = infer_layout(examples) if all(isinstance(x, str) for x in examples) else None
            if layout is None:
                return None
            documents = [layout.parse(text) for text in examples]
        else:
            try:
                documents = [list(codec.from_json(item)) for item in examples]
            except (DataError, TypeError):
                return None
        if not documents or len({len(document) for document in documents}) != 1:
            return None
        if not documents[0]:
            return None
        letters = frozenset(text for text in constants.texts if len(text) == 1)
        root = infer_field(documents, frozenset() if layout else letters, is_root=True)
        root = _bound_lengths(_name_fields(root, row, documents))
        return cls(root, documents, layout)

    def render(self, document: Sequence[Any]) -> Any:
        """Return a document as a row holds it; None if its text would not parse back to the same
        document."""
        if self.layout is None:
            return [codec.to_json(value) for value in document]
        text = self.layout.render(list(document))
        if len(text) > _MAX_CHECKED:
            return text  # shorter texts of this layout parse back correctly
        try:
            is_same = self.layout.parse(text) == document
        except (LayoutError, IndexError):
            return None
        return text if is_same else None


def collect_constants(programs: Sequence[str]) -> Constants:
    """Return the numbers and the short texts in programs."""
    values: list[Any] = [
        node.value
        for code in programs
        if (tree := parse_python(code)) is not None
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
    ]
    numbers = {value for value in values if type(value) in (int, float) and abs(value) < 1e18}
    texts = {value for value in values if isinstance(value, str) and len(value) <= _MAX_WORD}
    return Constants(tuple(sorted(numbers)), tuple(sorted(filter(None, texts))))


def _name_fields(root: Field, row: Row, documents: Sequence[Sequence[Any]]) -> Field:
    """Return the root with the statement's constraints on its fields."""
    statement = get_text(row, "statement")
    if get_kind(row) == "stdin":
        return _name_parts(root, statement)
    parameters = list_parameters(row)
    if len(parameters) != len(root.items):
        return root
    names = [parameter.arg for parameter in parameters]
    seen = measure_names(names, documents)
    constraints = read_constraints(statement, seen)
    fields = []
    for parameter, one in zip(parameters, root.items, strict=True):
        name, annotation = parameter.arg, parameter.annotation
        is_real = getattr(annotation, "id", "") == "float" and one.shape is Shape.INTEGER
        one = replace(one, shape=Shape.REAL) if is_real else one
        mine = [item for item in constraints if item.concerns(name) or not _names_any(item, names)]
        fields.append(apply_constraints(one, mine))
    relations = (*root.relations, *_list_stated_orders(root, constraints, names, documents))
    return replace(root, items=tuple(fields), relations=relations)


def _names_any(constraint: Constraint, names: Sequence[str]) -> bool:
    """Whether a constraint has a name, or is about one of these names."""
    return bool(constraint.name) or any(map(constraint.concerns, names))


def _list_stated_orders(
    root: Field,
    constraints: Sequence[Constraint],
    names: Sequence[str],
    documents: Sequence[Sequence[Any]],
) -> Iterator[Relation]:
    """Yield the orders between arguments that the statement gives: ``k <= nums.length``."""
    for one in constraints:
        if one.aspect is not Aspect.VALUE or one.name not in names or not one.high_name:
            continue
        match = re.fullmatch(r"(\w+)(\.length)?(?:\s*-\s*(\d+))?", one.high_name)
        if match is None or match[1] not in names:
            continue
        left, right = names.index(one.name), names.index(match[1])
        if root.items[left].shape is not Shape.INTEGER:
            continue
        offset = -int(match[3] or 0) - bool(re.search(rf"\b{one.name}\s*<(?!=)", one.text))
        relation = Relation("within" if match[2] else "order", left, right, offset, Reach.VALIDATED)
        if all(map(relation.holds, documents)):
            yield relation


def _name_parts(root: Field, statement: str) -> Field:
    """Return the root of a text's layout with bounds.

    If the statement bounds exactly as many names as the input has numbers, the names get the
    numbers in order. Otherwise only numbers named in a sentence about a first line get bounds.
    """
    constraints = [
        one
        for one in read_constraints(statement)
        if one.trait is None and one.name and one.aspect in (Aspect.VALUE, Aspect.ITEM)
    ]
    text = make_plain(statement)
    start = re.search(r"\binput\b", text, re.IGNORECASE)
    text = text[start.start() if start else 0 :]
    places = {
        one.name: match.start()
        for one in constraints
        if (match := re.search(rf"(?<![A-Za-z]){re.escape(one.name)}(?![A-Za-z])", text))
    }
    names = sorted(places, key=lambda name: (places[name], name))
    leaves = _count_leaves(root)
    if len(names) == leaves:
        return _bound_leaves(root, iter(names), constraints)
    sentences = re.findall(r"\bfirst line\b[^.\n]*", text, re.IGNORECASE)
    of_case = [line for line in sentences if re.search(r"\bcases?\b", line)]
    first = next((line for line in sentences if line not in of_case), "")
    root = _bound_scalars(root, first, names, constraints)
    for place, one in enumerate(root.items):
        if one.shape is Shape.LIST and one.items[0].shape is Shape.RECORD and of_case:
            record = _bound_scalars(one.items[0], of_case[0], names, constraints)
            items = (*root.items[:place], replace(one, items=(record,)), *root.items[place + 1 :])
            root = replace(root, items=items)
    return root


def _bound_scalars(
    place: Field, sentence: str, names: Sequence[str], constraints: Sequence[Constraint]
) -> Field:
    """Return a record whose numbers have the bounds of the names in a sentence; unchanged if their
    counts differ."""
    near = [name for name in names if re.search(rf"\b{re.escape(name)}\b", sentence)]
    if len(near) != sum(one.shape is Shape.INTEGER for one in place.items):
        return place
    left = iter(sorted(near, key=sentence.index))
    items = tuple(
        _bound_leaves(one, left, constraints) if one.shape is Shape.INTEGER else one
        for one in place.items
    )
    return replace(place, items=items)


def _count_leaves(place: Field) -> int:
    if place.shape in (Shape.LIST, Shape.RECORD):
        return sum(map(_count_leaves, place.items))
    return place.shape is Shape.INTEGER


def _bound_leaves(place: Field, names: Iterator[str], constraints: Sequence[Constraint]) -> Field:
    """Return a field whose numbers get the bounds of the next names, in order."""
    if place.shape in (Shape.LIST, Shape.RECORD):
        items = tuple(_bound_leaves(item, names, constraints) for item in place.items)
        return replace(place, items=items)
    if place.shape is not Shape.INTEGER:
        return place
    name = next(names)
    for one in constraints:
        if one.name == name:
            place = replace(place, span=place.span.widen(one.low, one.high))
    return place


def _bound_lengths(place: Field) -> Field:
    """Return a record whose lists may be as long as the stated bounds of the numbers that count
    them."""
    items = list(place.items)
    for number, item in enumerate(items):
        if item.shape is Shape.LIST and item.items[0].shape is Shape.RECORD:
            items[number] = replace(item, items=(_bound_lengths(item.items[0]),))
    for one in place.relations:
        count, sized = items[one.left], items[one.right]
        if one.name == "length":
            span = sized.span.widen(
                None if count.span.stated_low is None else count.span.stated_low - one.offset,
                None if count.span.stated_high is None else count.span.stated_high - one.offset,
            )
            items[one.right] = replace(sized, span=span)
    return replace(place, items=tuple(items))
