"""Infers how the inputs of a problem are laid out in lines, and converts text to values and back.

    text -> lines of tokens -> Layout.parse -> a document: one value for each field
    "3 10\\n5 1 2\\n" -> [3, 10, [5, 1, 2]]

The inference searches for the cheapest description that fits every input: scalars, lists and tables
whose lengths are earlier scalars, and groups ("T test cases"). It uses neither names nor the
statement.
"""

from __future__ import annotations

import heapq
import itertools
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

Line = tuple[str, ...]
Document = list[Any]
_INTEGER = re.compile(r"0|-?[1-9]\d{0,18}")
_MAX_STEPS = 400  # of the search: real inputs need far fewer
_MAX_BODY_STEPS = 60  # of a search for groups, of which there are many
_MAX_LINES = 300  # of an input that the search reads; parsing has no limit
# A token at a fixed place costs 1, and a list whose length another number gives 1 in all, so that a
# length is believed from two tokens on. A line of any length comes after a line of two numbers.
_UNBOUND_COST = 3.0
_PART_COST = 0.3  # fewer parts win among equals
_GRID_BONUS = 0.4  # words of one length below each other are a grid rather than a list of words
# A list with one item fewer than its number says is common (the edges of a tree).
_OFFSET_COSTS = {0: 0.0, -1: 1.0}


@dataclass(frozen=True, slots=True)
class Length:
    """The number of lines or tokens: the scalar field ``index`` plus ``offset``; without an index,
    ``offset`` itself."""

    index: int | None
    offset: int = 0


_ONE = Length(None, 1)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a layout: lines of the same form.

    One line of a fixed number of tokens is that many fields. One line of another number is a list,
    several lines of one token are a list, others are a list of lists.

    tokens: of each line; None: any number.
    body: what repeats, if the part is groups ("T test cases"); then ``lines`` is the number of
        groups.
    """

    lines: Length
    tokens: Length | None = None
    body: tuple[Part, ...] = ()

    @property
    def width(self) -> int | None:
        """The fixed number of tokens in a line; None where it is not fixed."""
        fixed = self.tokens is not None and self.tokens.index is None
        return self.tokens.offset if self.tokens is not None and fixed else None

    @property
    def is_scalars(self) -> bool:
        """Whether the part is one line of fields."""
        return self.lines == _ONE and self.width is not None


class LayoutError(ValueError):
    """A text does not have this layout."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts of an input, in order."""

    parts: tuple[Part, ...]

    def parse(self, text: str) -> Document:
        """Return the values of a text. Raises LayoutError."""
        return _parse_lines(self.parts, split_lines(text))

    def render(self, document: Document) -> str:
        """Return the text of a document. Raises LayoutError."""
        return "".join(" ".join(map(str, line)) + "\n" for line in _render(self.parts, document))


def split_lines(text: str) -> list[Line]:
    """Return the tokens of each line, without blank lines at the end."""
    lines = [tuple(line.split()) for line in text.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def read_token(token: str) -> int | str:
    """Return an integer, or the token itself."""
    return int(token) if _INTEGER.fullmatch(token) else token


def _parse_parts(
    parts: Sequence[Part], lines: Sequence[Line], position: int
) -> tuple[Document, int]:
    document: Document = []
    for part in parts:
        position = _parse_part(part, lines, position, document)
    return document, position


def _parse_part(part: Part, lines: Sequence[Line], position: int, document: Document) -> int:
    """Append the values of a part; returns the position after it."""
    count = _count(part.lines, document)
    if part.body:
        groups = []
        for _ in range(count):
            group, position = _parse_parts(part.body, lines, position)
            groups.append(group)
        document.append(groups)
        return position
    if count < 0 or position + count > len(lines):
        raise LayoutError(f"line {len(lines) + 1} is missing")
    block = lines[position : position + count]
    for line in block:
        if part.tokens is not None and len(line) != _count(part.tokens, document):
            raise LayoutError(f"a line from {position + 1} on has another length")
    rows = [list(map(read_token, line)) for line in block]
    if part.is_scalars:
        document.extend(rows[0])
    elif part.lines == _ONE:
        document.append(rows[0])
    else:
        document.append([row[0] for row in rows] if part.width == 1 else rows)
    return position + count


def _parse_lines(parts: Sequence[Part], lines: Sequence[Line]) -> Document:
    document, position = _parse_parts(parts, lines, 0)
    if position != len(lines):
        raise LayoutError(f"line {position + 1} is left over")
    return document


def _fits(parts: Sequence[Part], lines: Sequence[Line]) -> bool:
    """Whether lines have this layout, and none is left over."""
    with suppress(LayoutError, IndexError):
        return bool(_parse_lines(parts, lines))
    return False


def _count(length: Length, document: Sequence[Any]) -> int:
    if length.index is None:
        return length.offset
    value = document[length.index]
    if not isinstance(value, int):
        raise LayoutError(f"field {length.index + 1} is not a number")
    return value + length.offset


def _render(parts: Sequence[Part], document: Document) -> list[Sequence[Any]]:
    field_count = sum((part.width or 0) if part.is_scalars else 1 for part in parts)
    if len(document) != field_count:
        raise LayoutError(f"{len(document)} values in the place of {field_count}")
    lines: list[Sequence[Any]] = []
    values = iter(document)
    for part in parts:
        if part.is_scalars:
            lines.append([next(values) for _ in range(part.width or 0)])
            continue
        value = next(values)
        if part.body:
            for group in value:
                lines.extend(_render(part.body, group))
        elif part.lines == _ONE:
            lines.append(value)
        else:
            lines.extend([item] for item in value) if part.width == 1 else lines.extend(value)
    return lines


@dataclass(frozen=True, slots=True)
class _State:
    """A partial description. positions: of the next line in each input."""

    positions: tuple[int, ...]
    documents: tuple[tuple[Any, ...], ...]
    parts: tuple[Part, ...] = ()
    cost: float = 0.0

    def list_counts(self) -> list[int]:
        """Return the fields that are whole numbers from 0 in every input."""
        return [
            index
            for index, value in enumerate(self.documents[0])
            if isinstance(value, int)
            and all(isinstance(doc[index], int) and doc[index] >= 0 for doc in self.documents)
        ]


def _find_cheapest(
    inputs: Sequence[Sequence[Line]], is_whole: Callable[[_State], bool], *, may_repeat: bool
) -> _State | None:
    """Return the cheapest description that is whole, by uniform-cost search. may_repeat: whether
    the rest may be groups."""
    order = itertools.count()
    heap = [(0.0, next(order), _State((0,) * len(inputs), ((),) * len(inputs)))]
    for _ in range(_MAX_STEPS if may_repeat else _MAX_BODY_STEPS):
        if not heap:
            return None
        _, _, state = heapq.heappop(heap)
        if is_whole(state):
            return state
        for part, cost in _list_options(state, inputs, may_repeat=may_repeat):
            if (next_state := _advance(state, inputs, part, cost)) is not None:
                heapq.heappush(heap, (next_state.cost, next(order), next_state))
    return None


def _advance(
    state: _State, inputs: Sequence[Sequence[Line]], part: Part, cost: float
) -> _State | None:
    """Return the state after a part; None where some input does not fit it."""
    positions, documents = [], []
    for position, values, lines in zip(state.positions, state.documents, inputs, strict=True):
        document = list(values)
        try:
            positions.append(_parse_part(part, lines, position, document))
        except (LayoutError, IndexError):
            return None
        documents.append(tuple(document))
    cost += state.cost + _PART_COST
    return _State(tuple(positions), tuple(documents), (*state.parts, part), cost)


def _list_options(
    state: _State, inputs: Sequence[Sequence[Line]], *, may_repeat: bool
) -> list[tuple[Part, float]]:
    """Return the parts that may come next, with their costs, the cheapest first."""
    options: list[tuple[Part, float]] = []
    rests = [lines[at:] for lines, at in zip(inputs, state.positions, strict=True)]
    counts = [
        (Length(index, offset), _judge_count(state, index) + offset_cost)
        for index in state.list_counts()
        for offset, offset_cost in _OFFSET_COSTS.items()
    ]
    for length, penalty in counts:
        options += _list_block_options(state, rests, length, penalty, counts)
        if may_repeat:
            options += _list_group_options(state, rests, length)
    if all(rests):
        widths = {len(lines[0]) for lines in rests}
        options += [(Part(_ONE, length), 1.0 + penalty) for length, penalty in counts]
        if len(widths) == 1 and (width := widths.pop()):
            options.append((Part(_ONE, Length(None, width)), float(width)))
        elif may_repeat:
            options.append((Part(_ONE), _UNBOUND_COST))
    return sorted(options, key=lambda option: option[1])


def _judge_count(state: _State, index: int) -> float:
    """Return the cost of taking a field for a length. It is higher if the field has one value in
    all inputs."""
    return 0.0 if len({doc[index] for doc in state.documents}) > 1 else 1.5


def _list_block_options(
    state: _State,
    rests: Sequence[Sequence[Line]],
    length: Length,
    penalty: float,
    counts: Sequence[tuple[Length, float]],
) -> list[tuple[Part, float]]:
    """Return the parts whose number of lines is given by a scalar, with their costs."""
    sizes = [_count(length, doc) for doc in state.documents]
    if min(sizes) < 0 or max(sizes) < 2:
        return []
    options = [
        (Part(length, row_length), 1.2 + penalty + row_penalty)
        for row_length, row_penalty in counts
    ]
    blocks = [lines[:size] for lines, size in zip(rests, sizes, strict=True)]
    if width := max((len(row) for block in blocks for row in block), default=0):
        cost = 1.0 + 0.5 * width + penalty - (_GRID_BONUS if all(map(_is_grid, blocks)) else 0.0)
        options.append((Part(length, Length(None, width)), cost))
    return options


def _is_grid(rows: Sequence[Line]) -> bool:
    """Whether each row is one word, and all words have the same length."""
    are_words = all(len(row) == 1 and isinstance(read_token(row[0]), str) for row in rows)
    return are_words and len({len(row[0]) for row in rows}) <= 1


def _list_group_options(
    state: _State, rests: Sequence[Sequence[Line]], length: Length
) -> list[tuple[Part, float]]:
    """Return all that remains as groups with the cheapest body that fits; nothing if none fits."""
    groups = [_count(length, doc) for doc in state.documents]
    # With a single input, two groups fit the remaining lines too easily.
    fewest = 2 if len(rests) > 1 else 3
    if length.offset or min(groups) < 1 or max(groups) < fewest or len(state.parts) > 1:
        return []

    def is_body(body_state: _State) -> bool:
        parts = body_state.parts
        is_table = len(parts) == 1 and parts[0].is_scalars
        pairs = zip(rests, groups, strict=True)
        return (
            bool(parts)
            and not is_table
            and all(_fits([Part(Length(None, count), body=parts)], rest) for rest, count in pairs)
        )

    body = _find_cheapest(rests, is_body, may_repeat=False)
    # If the first number is exactly the number of groups that fit, this is no coincidence.
    if body is None:
        return []
    return [(Part(length, body=body.parts), 1.0 + body.cost - _PART_COST * len(body.parts))]


def infer_layout(texts: Sequence[str]) -> Layout | None:
    """Return the layout that all texts have; None if the search finds none or a text contradicts
    it."""
    inputs = [split_lines(text) for text in texts]
    inputs = [lines for lines in inputs if len(lines) <= _MAX_LINES]
    if not inputs or not all(inputs):
        return None

    def is_whole(state: _State) -> bool:
        return list(state.positions) == list(map(len, inputs))

    state = _find_cheapest(inputs, is_whole, may_repeat=True)
    if state is None or not all(_fits(state.parts, split_lines(text)) for text in texts):
        return None
    return Layout(state.parts)
