"""Proposes inputs by structure: changes of stored inputs, random inputs of every magnitude, and the
largest inputs.

Values are drawn freely, and the domain decides which are allowed. Only relations, such as a list's
length, are repaired (repair.py).
"""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from microcoder_data.constraints import Trait

from .fields import NUMBERS, SIZED, Field, Shape, list_items
from .repair import repair
from .structure import InputStructure
from .voting import Candidate

_MAX_ITEMS = 200_000  # of a large input: the usual bound of contests, 2 * 10^5
_TRIES = 12  # for each wanted document; more tries find few more where most are not allowed
_MAX_LENGTH = 120  # of a changed list or text, which would double again and again
_FILL = 0.9  # share of the allowed size that a large input fills; numbers differ in digits
Proposal = tuple[list[Any], str]  # a new document, and how it was made, for people


class InputProposer:
    """Proposes inputs of one problem. The same arguments give the same proposals."""

    def __init__(self, structure: InputStructure, rng: random.Random) -> None:
        self.structure, self._rng = structure, rng
        self._documents = sorted(structure.documents, key=lambda document: len(repr(document)))

    def list_inputs(self, count: int, max_kb: float) -> list[Candidate]:
        """Return up to ``count`` different inputs that are like the stored ones, and up to as many
        others that keep what is stated.

        The ways of making documents take turns, so that none displaces the others.
        """
        ways = itertools.cycle((self._mutate(), self._mutate(), self._draw()))
        proposals = (next(way) for way in itertools.islice(ways, _TRIES * count))
        like: list[Candidate] = []
        unlike: list[Candidate] = []
        for item in self._render(proposals, max_kb):
            (unlike if item.departures else like).append(item)
            if len(like) == count:
                break
        return like + unlike[:count]

    def propose_largest(self, share: float, max_kb: float) -> Iterator[Candidate]:
        """Yield inputs whose lengths are ``share`` of the greatest, in several shapes, below
        ``max_kb``."""
        first = next(self._draw_largest(share), None)
        if first is not None:
            share *= min(1.0, _FILL * max_kb * 1024 / len(repr(self.structure.render(first[0]))))
            inputs = self._render(self._draw_largest(share), max_kb)
            yield from (item for item in inputs if not item.departures)

    def _render(self, proposals: Iterable[Proposal], max_kb: float) -> Iterator[Candidate]:
        """Yield different inputs that are allowed."""
        render, root = self.structure.render, self.structure.root
        known = {repr(render(document)) for document in self._documents}
        for proposed, origin in proposals:
            document = repair(root, proposed, self._documents[0])
            if document is None:
                continue
            departures = root.count_departures(document)
            if departures and not root.allows(document, is_free=True):
                continue
            value = render(document)
            text = repr(value)
            if value is not None and text not in known and len(text) <= max_kb * 1024:
                known.add(text)
                yield Candidate(value, origin, departures)

    def _mutate(self) -> Iterator[Proposal]:
        """Yield changes of stored inputs."""
        while True:
            document = copy.deepcopy(self._rng.choice(self._documents))
            for _ in range(self._rng.choice((1, 1, 2, 3))):
                document = mutate(self.structure.root, document, self._rng)
            yield document, "change"

    def _draw(self) -> Iterator[Proposal]:
        """Yield random documents of all magnitudes."""
        while True:
            size = self._rng.choice((1, 2, 3, 5, 8, 13, 20, 20, 100))
            document = [draw(one, self._rng, size) for one in self.structure.root.items]
            yield document, f"random of size {size}"

    def _draw_largest(self, share: float) -> Iterator[Proposal]:
        """Yield documents whose lengths are ``share`` of the greatest, in several orders."""
        for order in ("random", "equal", "ascending"):
            fields = self.structure.root.items
            document = [self._draw_large_part(one, share, order) for one in fields]
            # The numbers follow the lists here: these have their full lengths.
            if (repaired := repair(self.structure.root, document, document)) is not None:
                yield repaired, f"largest, {order}"

    def _draw_large_part(self, field: Field, share: float, order: str) -> Any:
        """Return a large value of one part. Of test cases, as many as fit; only one if the
        statement bounds a sum over them, since one large case keeps every such bound."""
        if not _is_cases(field):
            return draw(field, self._rng, share, order)
        case = draw(field.items[0], self._rng, share, order)
        size = max(len(part) for part in case if isinstance(part, list | str))
        most = min(field.span.greatest, _MAX_ITEMS / max(1, size))
        more = 0 if self.structure.is_sum_limited else max(0, int(share * most) - 1)
        rest = (draw(field.items[0], self._rng, share, order) for _ in range(more))
        return [case, *rest]


def draw(field: Field, rng: random.Random, size: float, order: str = "") -> Any:
    """Return a random value. size: about how long lists are.

    order: of the items of a large value: "random", "equal" (the greatest) or "ascending". Then
    ``size`` is a share of the greatest length.
    """
    if field.shape in NUMBERS:
        return _draw_number(field, rng, order)
    if field.shape is Shape.RECORD:
        return field.container(draw(item, rng, size, order) for item in field.items)
    if field.shape not in SIZED:
        return copy.deepcopy(rng.choice(field.samples)) if field.samples else None
    length = _choose_length(field, rng, size, order)
    if field.shape is Shape.TEXT:
        letters = sorted(field.letters) or ["a"]
        return "".join(rng.choices(letters[-1:] if order == "equal" else letters, k=length))
    item = field.items[0]
    if order and item.shape in SIZED:
        width = max(1.0, min(item.span.greatest, _MAX_ITEMS / max(1, length)))
        width = min(width, length) if field.has("square") else width
        size = width / max(1.0, item.span.greatest)
    items = [draw(item, rng, size, order) for _ in range(length)]
    if items and not order and rng.random() < 0.4:
        few = items[: rng.randint(1, 3)]
        items = [copy.deepcopy(rng.choice(few)) for _ in items]
    items = _sort(items) if order == "ascending" else items
    return field.container(_arrange(field, items, rng))


def _choose_length(field: Field, rng: random.Random, size: float, order: str) -> int:
    if order:
        return int(max(field.span.least, min(_MAX_ITEMS, field.span.greatest) * size))
    least = int(field.span.stated_low or 0)
    return rng.randint(least, max(least, int(size)))


def _draw_number(field: Field, rng: random.Random, order: str = "") -> float:
    """Return a number of any magnitude; for a large value, any number, or the greatest."""
    low, high = field.span.least, field.span.greatest
    reach = max(1, int(high - min(low, 0)))
    value = min(high, low + rng.randrange(1 << rng.randint(0, reach.bit_length())))
    if order:
        value = high if order == "equal" else rng.randint(int(low), int(high))
    elif field.shape is Shape.REAL:
        value = round(value + rng.choice((0, 0.5, 0.25, rng.random())), 3)
    return value if field.shape is Shape.REAL else int(value)


def _arrange(field: Field, items: list[Any], rng: random.Random) -> list[Any]:
    """Return the items with the properties (order, distinct items) that all lists of the field
    have."""
    wanted = {one.name for one in field.properties}
    if Trait.PERMUTATION in wanted:
        least = min((min(sample) for sample in field.samples if sample), default=1)
        return rng.sample(range(least, least + len(items)), len(items))
    if Trait.DISTINCT in wanted:
        items = list({repr(item): item for item in items}.values())
    if wanted & {Trait.ASCENDING, Trait.DESCENDING}:
        items = _sort(items)
    return items[::-1] if Trait.DESCENDING in wanted else items


def _is_cases(field: Field) -> bool:
    """Whether the items of a list are test cases, with lists of their own."""
    if field.shape is not Shape.LIST:
        return False
    item = field.items[0]
    return item.shape is Shape.RECORD and any(one.name == "length" for one in item.relations)


def mutate(field: Field, value: Any, rng: random.Random) -> Any:
    """Return a value with one change that fits its type."""
    if field.shape is Shape.MIXED:
        if rng.random() < 0.2:
            return draw(field.items[-1], rng, 3)  # the other types, where an annotation has Any
        item = field.find_item(value)
        return value if item is None else mutate(item, value, rng)
    change = _CHANGES.get(field.shape)
    if change is not None:
        return change(field, value, rng)
    return copy.deepcopy(rng.choice(field.samples)) if field.samples else value


def _change_number(field: Field, value: Any, rng: random.Random) -> Any:
    near = [value + 1, value - 1, -value, 0, 1, value * 2, value // 2, value * 10, *field.samples]
    near += [field.span.least, field.span.greatest, _draw_number(field, rng)]
    return (float if field.shape is Shape.REAL else int)(rng.choice(near))


def _change_text(field: Field, value: str, rng: random.Random) -> str:
    start, end = sorted((rng.randint(0, len(value)), rng.randint(0, len(value))))
    before, after = value[:start], value[start + 1 :]
    letter = rng.choice(sorted(field.letters) or ["a"])
    words = value.split(" ")
    changes = (
        before + value[end:], before + after, before + letter + value[start:],
        before + letter + after, before + value[start : start + 1].swapcase() + after,
        value * 2, str(rng.choice(field.samples)),
        " ".join(rng.choices(words, k=rng.randint(1, len(words) + 1))),
    )  # fmt: skip
    return rng.choice(changes)[:_MAX_LENGTH]


def _change_list(field: Field, value: Any, rng: random.Random) -> Any:
    items = list_items(value)
    items = sorted(items, key=repr) if field.container in (set, frozenset) else items
    at, other = rng.randrange(len(items) or 1), rng.randrange(len(items) or 1)
    before, rest, after = items[:at], items[at:], items[at + 1 :]
    new = mutate(field.items[0], items[at], rng) if items else draw(field.items[0], rng, 3)
    other_item, extra_item = [*before, new, *after], [*before, new, *rest]
    equal_items = [*before, *items[other : other + 1], *after]
    often = 3 * [other_item] + 2 * [extra_item] + 2 * [equal_items]
    changes = (*often, before, rest, before + after, items * 2)
    try:
        return field.container(rng.choice(changes)[:_MAX_LENGTH])
    except TypeError:
        return value  # a list in a set, or as a key


def _sort(items: list[Any]) -> list[Any]:
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=repr)


def _change_record(field: Field, value: Any, rng: random.Random) -> Any:
    parts = list(value)
    if parts:
        at = rng.randrange(len(parts))
        parts[at] = mutate(field.items[at], parts[at], rng)
    return field.container(parts)


_CHANGES: dict[Shape, Callable[[Field, Any, random.Random], Any]] = {
    Shape.INTEGER: _change_number,
    Shape.REAL: _change_number,
    Shape.FLAG: lambda field, value, rng: not value,
    Shape.TEXT: _change_text,
    Shape.LIST: _change_list,
    Shape.RECORD: _change_record,
}
