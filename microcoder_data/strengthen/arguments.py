"""Applies to the arguments of a call what the statement says of them.

Constraints apply by name: the names are the parameters in the starter code, and those that the
statement gives to lengths and to the columns of rows.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from microcoder_data.constraints import (
    Constraint,
    list_promises,
    make_plain,
    read_constraints,
    split_term,
)
from microcoder_data.rows import Row, get_text, list_parameters

from .fields import SIZED, Field, Relation, Shape, fix_values
from .statement import (
    Path,
    add_relation,
    apply_constraints,
    bound_fields,
    edit_field,
    relate_fields,
)

# "n == nums.length", "n == a.length == b.length", "n == grid[i].length"
_NAMED_LENGTH = re.compile(r"(\w+)((?: ?==? ?\w+(?:\[\w\])?\.length)+)")
# Of other types than numbers and texts usually are, for arguments whose annotation has Any.
_ANY_VALUES: tuple[Any, ...] = (True, False, None, 0, 1.0, "", [])


def bound_arguments(root: Field, row: Row, documents: Sequence[Sequence[Any]]) -> Field:
    """Return the root of a call's arguments with the statement's constraints on them."""
    statement, parameters = get_text(row, "statement"), list_parameters(row)
    if len(parameters) != len(root.items):  # of another function: what has no name still holds
        parameters = [ast.arg(f"_{place}") for place in range(len(root.items))]
    names = [parameter.arg for parameter in parameters]
    constraints = read_constraints(statement)
    fields = []
    for parameter, one in zip(parameters, root.items, strict=True):
        if parameter.annotation and "Any" in ast.unparse(parameter.annotation):
            one = _free_types(one)
        mine = [item for item in constraints if _is_about(item, parameter.arg, names)]
        fields.append(apply_constraints(one, mine))
    root = replace(root, items=tuple(fields))
    text = make_plain(statement)
    columns = _find_columns(names, root, text)
    root = bound_fields(root, columns, constraints)
    paths = columns | {name: (place,) for place, name in enumerate(names)}
    for match in re.finditer(_NAMED_LENGTH, text):
        for other, index in re.findall(r"(\w+)(\[\w\])?\.length", match[2]):
            if other in names and match[1] not in names:
                path = (names.index(other), *([0] if index else []))
                root = bound_fields(root, {match[1]: path}, constraints)
                paths.setdefault(match[1], path)
    root = relate_fields(root, constraints, paths, documents)
    others = [one for one in constraints if one.name not in paths]
    if any(one.name and (one.low or 0) > 1 for one in others):  # "N rows and N columns (N >= 2)"
        root = _keep_least_lengths(root)
    unknown = {one.name for one in others}
    return _keep_promises(root, statement, paths, unknown, documents)


def _keep_least_lengths(field: Field) -> Field:
    """Return the field whose texts and lists are nowhere shorter than the shortest stored one: the
    bound of a name that is not found may be that of a length."""
    least = field.span.low if field.shape in SIZED else None
    items = tuple(map(_keep_least_lengths, field.items))
    return replace(field.widen(least, None), items=items)


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
            root = add_relation(root, left[:-1], relation, documents)
            continue
        about = Constraint("", text=promise).concerns
        places = {path[0] for name, path in paths.items() if about(name)}
        is_of_answer = re.search(r"\b(?:answer|solution)", promise)
        constant_places |= places if places and not is_of_answer else set(range(len(root.items)))
    for place in constant_places:
        root = edit_field(root, (place,), lambda argument: fix_values(argument.samples))
    return root


def _free_types(field: Field) -> Field:
    """Return a field in which values of other types may stand where several types were seen."""
    if field.shape is Shape.MIXED:
        return replace(field, items=(*field.items, fix_values(_ANY_VALUES)))
    return replace(field, items=tuple(map(_free_types, field.items)))


def _is_about(constraint: Constraint, name: str, names: Sequence[str]) -> bool:
    """Whether a constraint is about a name, or about none of the names and without one. Whatever it
    is called, the only argument is what a statement bounds."""
    is_general = not constraint.name and not any(map(constraint.concerns, names))
    return is_general or len(names) == 1 or constraint.concerns(name)


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
