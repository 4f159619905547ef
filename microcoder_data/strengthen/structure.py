"""Reads a problem's inputs as documents, and describes them by a field (domain.py).

A document is a list of values: the arguments of a call, or the parts that a layout finds in a text.
Constraints in the statement apply to values by name. The names are the parameters in the starter
code, or those that the statement mentions in the order of the input.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from microcoder_data.constraints import (
    Aspect,
    Constraint,
    list_promises,
    make_plain,
    read_constraints,
    split_term,
)
from microcoder_data.rows import Row, get_kind, get_tests, get_text, list_nodes, list_parameters
from microcoder_sandbox import codec

from .domain import (
    ANY_TYPE,
    BOUND_SUM,
    Field,
    Property,
    Relation,
    Shape,
    apply_constraints,
    fix_values,
    infer_record,
)
from .layout import Layout, LayoutError, Part, infer_layout

_MAX_TEXT = 20_000  # characters; longer tests are not used to infer the structure
_MAX_CHECKED = 50_000  # characters; longer rendered texts are not parsed again as a check
_MAX_EXAMPLES = 40
_SUM_BOUND = re.compile(r"\b(?:sum|total)\b[^.]*?(?:\bcases\b|exceed|at most|<=)", re.IGNORECASE)
# "n == nums.length", "n == a.length == b.length", "n == grid[i].length"
_NAMED_LENGTH = re.compile(r"(\w+)((?: ?==? ?\w+(?:\[\w\])?\.length)+)")
# Where a field is: its place in the items of the field around it, after the places of that field.
Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class InputStructure:
    """The documents of a problem's tests, and the field that all of them are values of."""

    root: Field
    documents: list[list[Any]]
    layout: Layout | None = None

    @classmethod
    def infer(cls, row: Row, letters: frozenset[str]) -> InputStructure | None:
        """Return the structure of a valid row's inputs; None where none fits them all, or where no
        value may change.

        letters: those that right programs search the arguments of a call for.
        """
        examples = [test["input"] for test in get_tests(row)]
        examples = [item for item in examples if len(repr(item)) <= _MAX_TEXT][:_MAX_EXAMPLES]
        layout = infer_layout(examples) if get_kind(row) == "stdin" else None
        if layout is not None:
            documents = [layout.parse(text) for text in examples]
        elif get_kind(row) == "stdin":
            return None
        else:
            documents = [list(codec.from_json(item)) for item in examples]
        if not documents or not documents[0] or len(set(map(len, documents))) != 1:
            return None
        root = infer_record(documents, frozenset() if layout else letters)
        if layout is None:
            root = _bound_arguments(root, row, documents)
        else:
            root = _bound_parts(root, get_text(row, "statement"), documents, layout)
        if all(one.shape is Shape.FIXED for one in root.items):
            return None
        return cls(_bound_lengths(root), documents, layout)

    def render(self, document: Sequence[Any]) -> Any:
        """Return a document as a row holds it; None if its text would not parse back to the same
        document."""
        if self.layout is None:
            return [codec.to_json(value) for value in document]
        try:
            text = self.layout.render(list(document))
            if len(text) > _MAX_CHECKED:
                return text  # shorter texts of this layout parse back correctly
            is_same = self.layout.parse(text) == document
        except (LayoutError, IndexError):
            return None
        return text if is_same else None


def collect_letters(programs: Sequence[str]) -> frozenset[str]:
    """Return the texts of one letter in programs."""
    nodes = (node for code in programs for node in list_nodes(code))
    values = (node.value for node in nodes if isinstance(node, ast.Constant))
    return frozenset(value for value in values if isinstance(value, str) and len(value) == 1)


def _edit(field: Field, path: Path, change: Callable[[Field], Field]) -> Field:
    """Return a field with the field at a path changed."""
    if not path:
        return change(field)
    items = list(field.items)
    items[path[0]] = _edit(items[path[0]], path[1:], change)
    return replace(field, items=tuple(items))


def _list_paths(field: Field, shape: Shape, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of all fields of a shape, in the order of the input."""
    if field.shape is shape:
        yield path
    elif field.shape in (Shape.LIST, Shape.RECORD):
        for number, item in enumerate(field.items):
            yield from _list_paths(item, shape, (*path, number))


def _bound(root: Field, paths: Mapping[str, Path], constraints: Sequence[Constraint]) -> Field:
    """Return the root whose fields at the paths have the bounds of their names."""
    for one in constraints:
        if one.name in paths:
            root = _edit(root, paths[one.name], partial(Field.widen, low=one.low, high=one.high))
    return root


def _bound_arguments(root: Field, row: Row, documents: Sequence[Sequence[Any]]) -> Field:
    """Return the root of a call's arguments with the statement's constraints on them."""
    statement, parameters = get_text(row, "statement"), list_parameters(row)
    if len(parameters) != len(root.items):  # of another function: what has no name still holds
        parameters = [ast.arg(f"_{place}") for place in range(len(root.items))]
    names = [parameter.arg for parameter in parameters]
    constraints = read_constraints(statement)
    fields = []
    for parameter, one in zip(parameters, root.items, strict=True):
        if one.shape is Shape.INTEGER and getattr(parameter.annotation, "id", "") == "float":
            one = replace(one, shape=Shape.REAL)
        if parameter.annotation and "Any" in ast.unparse(parameter.annotation):
            one = _free_types(one)
        mine = [item for item in constraints if _is_about(item, parameter.arg, names)]
        fields.append(apply_constraints(one, mine))
    relations = tuple(  # a number with bounds of its own need not be an item of a list
        one
        for one in root.relations
        if one.name != "member" or fields[one.left].span.stated_low is None
    )
    root = replace(root, items=tuple(fields), relations=relations)
    text = make_plain(statement)
    columns = _find_columns(names, root, text)
    root = _bound(root, columns, constraints)
    paths = columns | {name: (place,) for place, name in enumerate(names)}
    for match in re.finditer(_NAMED_LENGTH, text):
        for other, index in re.findall(r"(\w+)(\[\w\])?\.length", match[2]):
            if other in names and match[1] not in names:
                path = (names.index(other), *([0] if index else []))
                root = _bound(root, {match[1]: path}, constraints)
                paths.setdefault(match[1], path)
    root = _relate(root, constraints, paths, documents)
    unknown = {one.name for one in constraints} - paths.keys()
    return _keep_promises(root, statement, paths, unknown, documents)


def _keep_promises(
    root: Field,
    statement: str,
    paths: Mapping[str, Path],
    unknown: Collection[str],
    documents: Sequence[Sequence[Any]],
) -> Field:
    """Return the root in which fields differ that the statement says to differ (``u != v``). Other
    promises are not understood, so the arguments that they name keep their stored values: all of
    them if a promise names none, or is about the answer.

    unknown: names that have bounds, and no path. "startrow" is a part of the argument "start".
    """
    constant_places = {
        path[0]
        for name, path in paths.items()
        if len(name) > 2 and any(part.startswith(name) for part in unknown)
    }
    for promise in list_promises(statement, is_call=True):
        match = re.search(r"(\w+) != (\w+)", promise)
        terms = match.groups() if match else ("", "")
        left, right = (paths.get(split_term(term)[0], ()) for term in terms)
        if left and left[:-1] == right[:-1]:
            relation = Relation("different", left[-1], right[-1], is_stated=True)
            root = _add_relation(root, left[:-1], relation, documents)
            continue
        about = Constraint("", text=promise).concerns
        places = {path[0] for name, path in paths.items() if about(name)}
        is_of_answer = re.search(r"\b(?:answer|solution)", promise)
        constant_places |= places if places and not is_of_answer else set(range(len(root.items)))
    for place in constant_places:
        root = _edit(root, (place,), lambda argument: fix_values(argument.samples))
    return root


def _add_relation(
    root: Field, path: Path, relation: Relation, documents: Sequence[Sequence[Any]]
) -> Field:
    """Return the root with a relation between fields of the record at a path: the root itself, or
    the rows of a list. Unchanged where a document contradicts it."""
    records = documents if not path else [row for values in documents for row in values[path[0]]]
    if not all(map(relation.holds, records)):
        return root
    return _edit(root, path, partial(Field.with_relation, relation=relation))


def _free_types(field: Field) -> Field:
    """Return a field in which values of any type may stand where several types were seen."""
    if field.shape is Shape.MIXED:
        return field.with_property(Property(ANY_TYPE, lambda _: True))
    return replace(field, items=tuple(map(_free_types, field.items)))


def _is_about(constraint: Constraint, name: str, names: Sequence[str]) -> bool:
    """Whether a constraint is about a name, or about none of the names and without one."""
    is_general = not constraint.name and not any(map(constraint.concerns, names))
    return is_general or constraint.concerns(name)


def _find_columns(names: Sequence[str], root: Field, text: str) -> dict[str, Path]:
    """Return the paths of the columns of rows that a text names: ``edges[i] = [u, v]``."""
    columns: dict[str, Path] = {}
    for match in re.finditer(r"(\w+)\[\w\] ?= ?\[([\w, ]+)\]", text):
        place = names.index(match[1]) if match[1] in names else -1
        rows = root.items[place] if place >= 0 else root
        if rows.shape is Shape.LIST and rows.items[0].shape is Shape.RECORD:
            for column, name in enumerate(re.findall(r"\w+", match[2])[: len(rows.items[0].items)]):
                columns.setdefault(split_term(name)[0], (place, 0, column))
    return columns


def _bound_parts(
    root: Field, statement: str, documents: Sequence[Sequence[Any]], layout: Layout
) -> Field:
    """Return the root of a text's layout with the statement's bounds.

    If the statement bounds exactly as many names as the input has numbers, the names get the
    numbers in order. Otherwise only names in sentences about a first line get numbers. What is left
    stays within what was seen, since texts of contests have bounds: they were not found.
    """
    bounds = [one for one in read_constraints(statement) if one.name]
    text = make_plain(statement)
    start = re.search(r"\binput\b", text, re.IGNORECASE)
    text = text[start.start() if start else 0 :]
    values = [one for one in bounds if one.aspect in (Aspect.VALUE, Aspect.ITEM)]
    places = {one.name: _find_name(one.name, text) for one in values}
    names = sorted(
        (name for name in places if places[name] >= 0), key=lambda one: (places[one], one)
    )
    numbers = list(_list_paths(root, Shape.INTEGER))
    is_whole = len(names) == len(numbers)
    paths = dict(zip(names, numbers, strict=True)) if is_whole else {}
    paths = paths or _match_first_lines(root, names, text, layout)
    lengths = [one for one in bounds if one not in values]
    words = dict.fromkeys(one.name for one in lengths)
    texts = list(_list_paths(root, Shape.TEXT))
    if len(words) == len(texts):
        root = _bound(root, dict(zip(words, texts, strict=True)), lengths)
    if _SUM_BOUND.search(text):
        bound_sum = Property(BOUND_SUM, lambda _: True)
        root = replace(root, items=tuple(one.with_property(bound_sum) for one in root.items))
    return _relate(_bound(root, paths, values).close(), values, paths, documents)


def _match_first_lines(
    root: Field, names: Sequence[str], text: str, layout: Layout
) -> dict[str, Path]:
    """Return the paths of the names in the sentences about the first line of the input and of each
    test case, if the line has as many numbers."""
    sentences = re.findall(r"\bfirst line\b[^.\n]*", text, re.IGNORECASE)
    of_case = [line for line in sentences if re.search(r"\bcases?\b", line)]
    of_input = [line for line in sentences if line not in of_case]
    cases, last = layout.parts[-1], len(root.items) - 1
    lines: list[tuple[Path, Field, Part, Sequence[str]]] = [((), root, layout.parts[0], of_input)]
    if cases.body:
        lines.append(((last, 0), root.items[last].items[0], cases.body[0], of_case))
    paths: dict[str, Path] = {}
    for path, record, line, (sentence, *_) in (one for one in lines if one[-1]):
        width = line.width or 0 if line.is_scalars else 0
        numbers = [at for at in range(width) if record.items[at].shape is Shape.INTEGER]
        near = [name for name in names if re.search(rf"\b{re.escape(name)}\b", sentence)]
        if len(near) == len(numbers):
            near.sort(key=sentence.index)
            paths |= {name: (*path, at) for name, at in zip(near, numbers, strict=True)}
    return paths


def _find_name(name: str, text: str) -> int:
    """Return where a text has a name first; -1 if it does not have it. "a line" has no name."""
    article = r"(?! (?!and )[a-z]{2})" if name == "a" else ""
    match = re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z]){article}", text)
    return match.start() if match else -1


def _relate(
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
            root = _add_relation(root, left[:2], limit, documents)
        elif len(right) == 1 and left[0] != right[0] and len(left) != 2:
            limit = Relation("limit", left[0], right[0], offset, True, column)
            related = _add_relation(root, (), limit, documents)
            if related is not root:
                high = root.items[right[0]].span.greatest + offset
                root = _edit(related, left, partial(_raise, high=high))
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


def _bound_lengths(field: Field) -> Field:
    """Return a record whose lists may be as long as the stated bounds of the numbers that count
    them."""
    items = list(field.items)
    for number, item in enumerate(items):
        if item.shape is Shape.LIST and item.items[0].shape is Shape.RECORD:
            items[number] = replace(item, items=(_bound_lengths(item.items[0]),))
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
