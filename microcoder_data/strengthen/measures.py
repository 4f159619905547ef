"""Measures of a document: lengths, extremes, sums, how often values occur, shapes of graphs.

A measure is named by the number of its view and a word; names that start with "#" count items of
the view, so that their share of all items can be compared between inputs of different size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from .layout import Document
from .views import Form, LeafKind, View

MeasureName = tuple[int, str]
Measures = dict[MeasureName, int]
SCALAR = "scalar"
LENGTH = "length"
ABSENT = "absent"  # of 1 to some number in a list: a constant, or nothing
REPETITION = (
    "#different", "#repeated", "#most frequent", "#least frequent", "#of the lowest",
    "#of the highest", "#of the last", "#rises", "#falls", "#mirror", "#parts 2", "#parts 3",
)  # fmt: skip
# What a list looks like, and not how long it is: in short lists these are small and alike.
SHAPE = frozenset((*REPETITION, "first", "last", "lowest degree", "highest degree", "components"))
_MAX_LETTERS = 12  # different letters up to which the count of each is measured
_MAX_LOOKUPS = 4  # scalars that are tried as positions in a list
_MAX_EDGES = 200_000  # of a graph that is measured


def measure(document: Document, views: Sequence[View]) -> Measures:
    """Return the measures of a document; those that need what it lacks are missing."""
    measures: Measures = {}
    scalars = [view for view in views if view.form is Form.SCALAR and view.kind is LeafKind.INTEGER]
    positions = [document[view.field] for view in scalars[:_MAX_LOOKUPS]]
    for number, view in enumerate(views):
        values = view.read(document)
        if view in scalars:
            measures[number, SCALAR] = values[0]
        elif view.kind is LeafKind.INTEGER:
            _measure_numbers(number, values, positions, measures)
        elif view.kind is LeafKind.WORD:
            _measure_letters(number, values, positions, measures)
    for number, (left, right) in enumerate(pairwise(views)):
        if _may_be_edges(left, right):
            edges = list(zip(left.read(document), right.read(document), strict=True))
            if 0 < len(edges) <= _MAX_EDGES:
                _measure_graph(number, edges, measures)
    return measures


def _may_be_edges(left: View, right: View) -> bool:
    return (
        left.form is right.form is Form.TABLE
        and left.kind is right.kind is LeafKind.INTEGER
        and left.field == right.field
        and left.column == 0
    )


def _measure_numbers(
    number: int, values: Sequence[int], positions: Iterable[int], measures: Measures
) -> None:
    measures[number, LENGTH] = len(values)
    if not values:
        return
    measures[number, "low"], measures[number, "high"] = min(values), max(values)
    measures[number, "first"], measures[number, "last"] = values[0], values[-1]
    measures[number, "sum"] = sum(values)
    _measure_repetition(number, values, measures)
    unique = set(values)
    for place, position in enumerate(positions):
        if 1 <= position <= len(values):
            measures[number, f"at {place}"] = values[position - 1]
        if position >= 1:
            measures[number, f"{ABSENT} {place}"] = position - sum(
                1 <= value <= position for value in unique
            )


def _measure_repetition(number: int, items: Sequence[Any], measures: Measures) -> None:
    counts = Counter(items)
    steps = list(pairwise(items))
    for name, count in {
        "different": len(counts),
        "repeated": len(items) - len(counts),
        "most frequent": max(counts.values()),
        "least frequent": min(counts.values()),
        "of the lowest": counts[min(counts)],
        "of the highest": counts[max(counts)],
        "of the last": counts[items[-1]],
        "rises": sum(left < right for left, right in steps),
        "falls": sum(left > right for left, right in steps),
        "mirror": sum(left != right for left, right in zip(items, reversed(items), strict=True)),
    }.items():
        measures[number, f"#{name}"] = count
    for parts in (2, 3):
        size, rest = divmod(len(items), parts)
        if not rest:  # how far the parts differ
            pairs = zip(items, items[size:], strict=False)
            measures[number, f"#parts {parts}"] = sum(left != right for left, right in pairs)
            blocks = {tuple(items[start : start + size]) for start in range(0, len(items), size)}
            if len(blocks) < parts:  # only that some parts are equal may be a rule
                measures[number, f"equal parts {parts}"] = 1


def _measure_letters(
    number: int, words: Sequence[str], positions: Sequence[int], measures: Measures
) -> None:
    text = "".join(words)
    measures[number, LENGTH] = len(text)
    if not text:
        return
    measures[number, "first"], measures[number, "last"] = ord(text[0]), ord(text[-1])
    _measure_repetition(number, text, measures)
    letters = set(text)
    for letter in letters:
        if len(letters) <= _MAX_LETTERS or not letter.isalnum():
            measures[number, f"#{letter}"] = text.count(letter)
    if len(words) > 1:
        measures[number, "#words"] = len(set(words))
        _measure_signs(number, words, measures)
    for place, (row, column) in enumerate(pairwise(positions)):
        if 1 <= row <= len(words) and 1 <= column <= len(words[row - 1]):
            measures[number, f"cell {place}"] = ord(words[row - 1][column - 1])


def _measure_signs(number: int, words: Sequence[str], measures: Measures) -> None:
    """Where words without letters and digits stand, such as an arrow between two lists."""
    places = [place for place, word in enumerate(words) if not any(map(str.isalnum, word))]
    measures[number, "mixed words"] = sum(
        any(map(str.isalnum, word)) and not word.isalnum() for word in words
    )
    measures[number, "signs"] = len(places)
    if places:
        measures[number, "before signs"] = places[0]
        measures[number, "after signs"] = len(words) - places[-1]


def _measure_graph(number: int, edges: Sequence[tuple[int, int]], measures: Measures) -> None:
    """Measure the first two columns of a table as the edges of a graph, which they may not be."""
    neighbours: dict[int, set[int]] = {}
    for left, right in edges:
        neighbours.setdefault(left, set()).add(right)
        neighbours.setdefault(right, set()).add(left)
    colours: dict[int, int] = {}
    components = odd_cycles = 0
    is_transitive = True
    for start in neighbours:
        if start in colours:
            continue
        components += 1
        colours[start] = 0
        component, stack = [start], [start]
        while stack:
            node = stack.pop()
            for other in neighbours[node]:
                if other not in colours:
                    colours[other] = 1 - colours[node]
                    component.append(other)
                    stack.append(other)
                elif colours[other] == colours[node]:
                    odd_cycles = 1
        is_transitive &= all(len(neighbours[node] | {node}) == len(component) for node in component)
    degrees = [len(others) for others in neighbours.values()]
    measures[number, "nodes"] = len(neighbours)
    measures[number, "components"] = components
    measures[number, "cycles"] = len(edges) - len(neighbours) + components
    measures[number, "has odd cycles"] = odd_cycles
    measures[number, "lowest degree"] = min(degrees)
    measures[number, "highest degree"] = max(degrees)
    measures[number, "is transitive"] = is_transitive
