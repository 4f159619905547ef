"""Applies to the parts of a text the bounds of the statement, whose names it finds in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from microcoder_data.constraints import Aspect, make_plain, read_constraints

from .fields import Field, Shape
from .layout import Layout, Part
from .statement import Path, bound_fields, relate_fields

_SUM_BOUND = re.compile(r"\b(?:sum|total)\b[^.]*?(?:\bcases\b|exceed|at most|<=)", re.IGNORECASE)


def bound_parts(
    root: Field, statement: str, documents: Sequence[Sequence[Any]], layout: Layout
) -> Field:
    """Return the root of a text's layout with the statement's bounds.

    If the statement bounds exactly as many names as the input has numbers, the names get the
    numbers in order. Otherwise only names in sentences about a first line get numbers. What is left
    stays within what was seen, since texts of contests have bounds: they were not found.
    """
    bounds = [one for one in read_constraints(statement) if one.name]
    text = _cut_input(statement)
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
        root = bound_fields(root, dict(zip(words, texts, strict=True)), lengths)
    return relate_fields(bound_fields(root, paths, values).close(), values, paths, documents)


def limits_sum(statement: str) -> bool:
    """Whether a statement bounds a sum over all test cases of a text."""
    return bool(_SUM_BOUND.search(_cut_input(statement)))


def _cut_input(statement: str) -> str:
    """Return the plain statement from where it first speaks of the input."""
    text = make_plain(statement)
    start = re.search(r"\binput\b", text, re.IGNORECASE)
    return text[start.start() if start else 0 :]


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


def _list_paths(field: Field, shape: Shape, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of all fields of a shape, in the order of the input."""
    if field.shape is shape:
        yield path
    elif field.shape in (Shape.LIST, Shape.RECORD):
        for number, item in enumerate(field.items):
            yield from _list_paths(item, shape, (*path, number))
