"""Reads a problem's inputs as documents, and describes them by a field (domain.py).

A document is a list of values: the arguments of a call, or the parts that a layout finds in a text.
Constraints in the statement apply to values by name. The names are the parameters in the starter
code, or those that the statement mentions in the order of the input.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from microcoder_data.constraints import (
    Aspect,
    Constraint,
    make_plain,
    measure_names,
    read_constraints,
    read_phrases,
)
from microcoder_data.rows import (
    Row,
    find_function,
    get_kind,
    get_tests,
    get_text,
    list_parameters,
)
from microcoder_eval.errors import DataError
from microcoder_eval.syntax import parse_python
from microcoder_sandbox import codec

from .domain import (
    BOUND_SUM,
    Field,
    Property,
    Reach,
    Relation,
    Shape,
    apply_constraints,
    infer_field,
)
from .layout import Layout, LayoutError, Part, infer_layout

_MAX_TEXT = 20_000  # characters; longer tests are not used to infer the structure
_MAX_CHECKED = 50_000  # characters; longer rendered texts are not parsed again as a check
_MAX_EXAMPLES = 40
_SUM_BOUND = re.compile(r"\b(?:sum|total)\b[^.]*?(?:\bcases\b|exceed|at most|<=)", re.IGNORECASE)
_MAX_WORD = 12  # longer texts in a program are not tried as parts of an input


@dataclass(frozen=True, slots=True)
class Constants:
    """Numbers and short texts in programs. Values at and beside them are worth trying.

    indexes: places of two arguments: a number, and the list or text in which a program uses it as
        an index.
    """

    numbers: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    indexes: frozenset[tuple[int, int]] = frozenset()


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
        root = _limit_indexes(root, constants.indexes, documents)
        root = _bound_lengths(_name_fields(root, row, documents, layout))
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


def collect_constants(programs: Sequence[str], function: str = "") -> Constants:
    """Return the numbers, the short texts and the indexes in programs. function: that is called;
    empty if they read their input."""
    values: list[Any] = [
        node.value
        for code in programs
        if (tree := parse_python(code)) is not None
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
    ]
    numbers = {value for value in values if type(value) in (int, float) and abs(value) < 1e18}
    texts = {value for value in values if isinstance(value, str) and len(value) <= _MAX_WORD}
    indexes = frozenset(pair for code in programs for pair in _find_indexes(code, function))
    return Constants(tuple(sorted(numbers)), tuple(sorted(filter(None, texts))), indexes)


def _find_indexes(code: str, name: str) -> Iterator[tuple[int, int]]:
    """Yield the places of two parameters: a number, and what the function subscripts with it."""
    function = find_function(code, name.rpartition(".")[2]) if name else None
    if function is None:
        return
    names = [one.arg for one in function.args.args if one.arg != "self"]
    for node in ast.walk(function):
        if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)):
            continue
        used = {part.id for part in ast.walk(node.slice) if isinstance(part, ast.Name)}
        if node.value.id in names:
            yield from ((names.index(one), names.index(node.value.id)) for one in used & {*names})


def _limit_indexes(
    root: Field, indexes: Iterable[tuple[int, int]], documents: Sequence[Sequence[Any]]
) -> Field:
    """Return the root whose indexes stay within their lists, if they do so in all documents."""
    relations = []
    for number, sized in sorted(indexes):
        limit = Relation("limit", number, sized, binds=Reach.WITNESSED)
        is_known = max(number, sized) < len(root.items)
        if is_known and root.items[number].shape is Shape.INTEGER:
            relations += [limit] if all(map(limit.holds, documents)) else []
    return replace(root, relations=(*root.relations, *relations))


def _raise(place: Field, high: float, column: int | None) -> Field:
    """Return the field whose numbers without a stated bound, or those of a column, go up to
    ``high``."""
    if place.shape is Shape.INTEGER and place.span.stated_high is None:
        return replace(place, span=place.span.widen(None, high))
    items = (
        item
        if place.shape is Shape.RECORD and column not in (None, number)
        else _raise(item, high, column)
        for number, item in enumerate(place.items)
    )
    return replace(place, items=tuple(items))


@dataclass(frozen=True, slots=True)
class _Path:
    """The field that a name stands for: a part of the input, or a column of its rows."""

    place: int
    column: int | None = None


def _name_fields(
    root: Field, row: Row, documents: Sequence[Sequence[Any]], layout: Layout | None
) -> Field:
    """Return the root with the statement's constraints on its fields."""
    statement = get_text(row, "statement")
    if layout is not None:
        return _name_parts(root, statement, documents, layout)
    parameters = list_parameters(row)
    if len(parameters) != len(root.items):
        return root
    names = [parameter.arg for parameter in parameters]
    seen = measure_names(names, documents)
    constraints = [*read_constraints(statement, seen), *read_phrases(statement, names)]
    paths = _find_paths(names, make_plain(statement))
    fields = []
    for parameter, one in zip(parameters, root.items, strict=True):
        name, annotation = parameter.arg, parameter.annotation
        is_real = getattr(annotation, "id", "") == "float" and one.shape is Shape.INTEGER
        one = replace(one, shape=Shape.REAL) if is_real else one
        mine = [item for item in constraints if item.concerns(name) or not _names_any(item, names)]
        fields.append(apply_constraints(one, mine))
    root = _bound_columns(replace(root, items=tuple(fields)), constraints, paths)
    return _relate(root, constraints, paths, documents)


def _find_paths(names: Sequence[str], text: str) -> dict[str, _Path]:
    """Return the paths of arguments, of other names for their lengths (``n == nums.length``), and
    of the parts of their rows (``edges[i] = [u, v]``)."""
    paths = {name: _Path(place) for place, name in enumerate(names)}
    for match in re.finditer(r"(\w+) ?==? ?(\w+)\.length", text):
        if match[2] in names:
            paths.setdefault(match[1], paths[match[2]])
    for match in re.finditer(r"(\w+)\[\w\] ?= ?\[([\w, ]+)\]", text):
        if match[1] in names:
            for column, name in enumerate(re.findall(r"\w+", match[2])):
                paths.setdefault(name, _Path(names.index(match[1]), column))
    return paths


def _bound_columns(
    root: Field, constraints: Sequence[Constraint], paths: Mapping[str, _Path]
) -> Field:
    """Return the root with the bounds of names that stand for columns of rows."""
    items = list(root.items)
    for one in constraints:
        path = paths.get(one.name)
        if path is None or path.column is None or items[path.place].shape is not Shape.LIST:
            continue
        row = items[path.place].items[0]
        if row.shape is Shape.RECORD and path.column < len(row.items):
            columns = list(row.items)
            bound = replace(one, aspect=Aspect.VALUE)
            columns[path.column] = apply_constraints(columns[path.column], [bound])
            row = replace(row, items=tuple(columns))
            items[path.place] = replace(items[path.place], items=(row,))
    return replace(root, items=tuple(items))


def _names_any(constraint: Constraint, names: Sequence[str]) -> bool:
    """Whether a constraint has a name, or is about one of these names."""
    return bool(constraint.name) or any(map(constraint.concerns, names))


def _relate(
    root: Field,
    constraints: Sequence[Constraint],
    paths: Mapping[str, _Path],
    documents: Sequence[Sequence[Any]],
) -> Field:
    """Return the root with the limits between fields that the statement gives (``l <= r``,
    ``k <= nums.length``), where no document contradicts them."""
    relations, items = list(root.relations), list(root.items)
    for one in constraints:
        match = re.fullmatch(r"(\w+)(?:\.length)?(?:\s*-\s*(\d+))?", one.high_name)
        is_number = one.aspect in (Aspect.VALUE, Aspect.ITEM)
        if match is None or not is_number or one.name not in paths or match[1] not in paths:
            continue
        left, right = paths[one.name], paths[match[1]]
        is_below = re.search(rf"<\s*{re.escape(one.high_name)}|{match[1]}\s*>(?!=)", one.text)
        offset = -int(match[2] or 0) - bool(is_below)
        if left.place == right.place:
            if left.column is None or right.column is None:
                continue
            of_rows = Relation("limit", left.column, right.column, offset, Reach.VALIDATED)
            if all(of_rows.holds(row) for document in documents for row in document[left.place]):
                row = items[left.place].items[0]
                row = replace(row, relations=(*row.relations, of_rows))
                items[left.place] = replace(items[left.place], items=(row,))
        elif right.column is None:
            limit = Relation("limit", left.place, right.place, offset, Reach.VALIDATED, left.column)
            if all(map(limit.holds, documents)):
                relations.append(limit)
                high = items[right.place].span.greatest + offset
                items[left.place] = _raise(items[left.place], high, left.column)
    return replace(root, items=tuple(items), relations=tuple(relations))


def _name_parts(
    root: Field, statement: str, documents: Sequence[Sequence[Any]], layout: Layout
) -> Field:
    """Return the root of a text's layout with bounds.

    If the statement bounds exactly as many names as the input has numbers, the names get the
    numbers in order. Otherwise only numbers named in a sentence about a first line get bounds. If
    the statement bounds anything, what is left stays below the greatest that was seen.
    """
    bounds = [one for one in read_constraints(statement) if one.trait is None]
    constraints = [one for one in bounds if one.name and one.aspect in (Aspect.VALUE, Aspect.ITEM)]
    text = make_plain(statement)
    start = re.search(r"\binput\b", text, re.IGNORECASE)
    text = text[start.start() if start else 0 :]
    root = _bound_texts(root, [one for one in bounds if one.name and one.aspect is Aspect.LENGTH])
    places = {one.name: _find_name(one.name, text) for one in constraints}
    names = sorted(
        (name for name, place in places.items() if place >= 0),
        key=lambda name: (places[name], name),
    )
    if _SUM_BOUND.search(text):
        root = replace(root, items=tuple(map(_note_bound_sum, root.items)))
    is_bounded = any(one.high is not None for one in bounds)
    root = _close(root, (Shape.TEXT,)) if is_bounded else root
    if len(names) == _count_leaves(root):
        bounded = _bound_leaves(root, iter(names), constraints)
        paths = dict(zip(names, _list_paths(root), strict=False))
        return _relate(bounded, constraints, paths, documents)
    sentences = re.findall(r"\bfirst line\b[^.\n]*", text, re.IGNORECASE)
    of_case = [line for line in sentences if re.search(r"\bcases?\b", line)]
    first = next((line for line in sentences if line not in of_case), "")
    root = _bound_scalars(root, first, names, constraints, layout.parts[0])
    for place, part in enumerate(layout.parts):
        one = root.items[place] if place < len(root.items) else root
        if part.body and of_case and one.shape is Shape.LIST:
            record = _bound_scalars(one.items[0], of_case[0], names, constraints, part.body[0])
            items = (*root.items[:place], replace(one, items=(record,)), *root.items[place + 1 :])
            root = replace(root, items=items)
    return _close(root, (Shape.INTEGER,)) if is_bounded else root


def _note_bound_sum(place: Field) -> Field:
    return replace(place, properties=(*place.properties, Property(BOUND_SUM, lambda _: True)))


def _bound_texts(root: Field, lengths: Sequence[Constraint]) -> Field:
    """Return the root whose texts have the stated lengths, if there are as many of both."""
    items = list(root.items)
    texts = [place for place, one in enumerate(items) if one.shape is Shape.TEXT]
    if len(texts) == len({one.name for one in lengths}):
        for place, one in zip(texts, lengths, strict=False):
            items[place] = replace(items[place], span=items[place].span.widen(one.low, one.high))
    return replace(root, items=tuple(items))


def _find_name(name: str, text: str) -> int:
    """Return where a text has a name first; -1 if it does not have it. "a line" has no name."""
    article = r"(?! (?!and )[a-z]{2})" if name == "a" else ""
    match = re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z]){article}", text)
    return match.start() if match else -1


def _close(place: Field, shapes: Sequence[Shape]) -> Field:
    """Return a field in which numbers, or lengths of texts, without a stated bound stay below the
    greatest seen."""
    if place.shape in shapes:
        return replace(place, span=place.span.widen(None, place.span.greatest))
    return replace(place, items=tuple(_close(item, shapes) for item in place.items))


def _list_paths(root: Field) -> list[_Path]:
    """Return the path of each number, in the order of the input."""
    paths = []
    for place, one in enumerate(root.items):
        row = one.items[0] if one.shape is Shape.LIST else one
        if row.shape is Shape.RECORD:
            columns = [number for number, item in enumerate(row.items) if _count_leaves(item)]
            paths += [_Path(place, column) for column in columns]
        elif _count_leaves(one):
            paths.append(_Path(place))
    return paths


def _bound_scalars(
    place: Field, sentence: str, names: Sequence[str], constraints: Sequence[Constraint], line: Part
) -> Field:
    """Return a record whose first line has the bounds of the names in a sentence; unchanged if the
    line has not as many numbers."""
    first = place.items[: line.width or 0] if line.is_scalars else ()
    near = [name for name in names if re.search(rf"\b{re.escape(name)}\b", sentence)]
    if len(near) != sum(one.shape is Shape.INTEGER for one in first):
        return place
    left = iter(sorted(near, key=sentence.index))
    items = (_bound_leaves(one, left, constraints) for one in first)
    return replace(place, items=(*items, *place.items[len(first) :]))


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
        count, sized = items[one.left].span, items[one.right]
        bounds = [
            None if bound is None else bound - one.offset
            for bound in (count.stated_low, count.stated_high)
        ]
        if one.name == "length":
            items[one.right] = replace(sized, span=sized.span.widen(*bounds))
        elif one.name == "width" and sized.items:
            row = replace(sized.items[0], span=sized.items[0].span.widen(*bounds))
            items[one.right] = replace(sized, items=(row,))
    return replace(place, items=tuple(items))
