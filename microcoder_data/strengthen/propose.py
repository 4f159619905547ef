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

from .fields import NUMBERS, Field, Shape, list_items
from .repair import repair, resize
from .structure import InputStructure
from .voting import CandidateInput

_MAX_ITEMS = 200_000  # of a large input: the usual bound of contests, 2 * 10^5
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_TRIES = 12  # for each wanted document; more tries find few more where most are not allowed
_MAX_LENGTH = 120  # of a changed list or text, which would double again and again
_FILL = 0.9  # share of the allowed size that a large input fills; numbers differ in digits
Proposal = tuple[list[Any], str]  # a new document, and how it was made, for people


class InputProposer:
    """Proposes inputs of one problem. The same arguments give the same proposals."""

    def __init__(self, structure: InputStructure, rng: random.Random) -> None:
        self.structure, self._rng = structure, rng
        self._documents = sorted(structure.documents, key=lambda document: len(repr(document)))
        self._pool = list(self._documents)

    def list_inputs(self, count: int, max_kb: float) -> list[CandidateInput]:
        """Return up to ``count`` different inputs that are like the stored ones, and up to as many
        others that keep what is stated.

        The ways of making documents take turns, so that none displaces the others.
        """
        ways = itertools.cycle((self._mutate(), self._mutate(), self._draw()))
        proposals = (next(way) for way in itertools.islice(ways, _TRIES * count))
        like: list[CandidateInput] = []
        unlike: list[CandidateInput] = []
        for item in self._render(proposals, max_kb):
            (unlike if item.departures else like).append(item)
            if len(like) == count:
                break
        return like + unlike[:count]

    def propose_largest(self, share: float, max_kb: float) -> Iterator[CandidateInput]:
        """Yield inputs whose lengths are ``share`` of the greatest, in several shapes, below
        ``max_kb``."""
        first = next(self._draw_largest(share), None)
        if first is not None:
            share *= min(1.0, _FILL * max_kb * 1024 / len(repr(self.structure.render(first[0]))))
            inputs = self._render(self._draw_largest(share), max_kb)
            yield from (item for item in inputs if not item.departures)

    def _render(self, proposals: Iterable[Proposal], max_kb: float) -> Iterator[CandidateInput]:
        """Yield different inputs that are allowed. Those like the stored ones are changed
        further."""
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
                if not departures:
                    self._pool.append(document)
                yield CandidateInput(value, origin, departures)

    def _mutate(self) -> Iterator[Proposal]:
        """Yield changes of stored inputs and of inputs already proposed."""
        while True:
            base = self._rng.choice(self._documents if self._rng.random() < 0.6 else self._pool)
            document = copy.deepcopy(base)
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
            return draw_large(field, self._rng, share, order)
        case = draw_large(field.items[0], self._rng, share, order)
        size = max(len(part) for part in case if isinstance(part, list | str))
        most = min(field.span.greatest, _MAX_ITEMS / max(1, size))
        more = 0 if self.structure.is_sum_limited else max(0, int(share * most) - 1)
        rest = (draw_large(field.items[0], self._rng, share, order) for _ in range(more))
        return [case, *rest]


def draw(field: Field, rng: random.Random, size: int) -> Any:
    """Return a random value. size: about how long lists are."""
    if field.shape in NUMBERS:
        return _draw_number(field, rng)
    if field.shape is Shape.TEXT:
        letters = sorted(field.letters) or list(_ALPHABET)
        if set(letters) <= set(_ALPHABET) and rng.random() < 0.3:
            letters = list(_ALPHABET)
        letters = rng.sample(letters, min(len(letters), rng.choice((1, 2, 3, 26))))
        return "".join(rng.choices(letters, k=_draw_length(field, rng, size)))
    if field.shape is Shape.LIST:
        items = [draw(field.items[0], rng, size) for _ in range(_draw_length(field, rng, size))]
        if items and rng.random() < 0.4:
            few = items[: rng.randint(1, 3)]
            items = [copy.deepcopy(rng.choice(few)) for _ in items]
        if field.has("rectangle") and all(isinstance(item, list | str) for item in items):
            width = len(items) if field.has("square") or not items else len(items[0])
            items = [resize(item, width) if item else items[0] for item in items]
        return field.container(_arrange(field, items, rng))
    if field.shape is Shape.RECORD:
        return field.container(draw(item, rng, size) for item in field.items)
    return copy.deepcopy(rng.choice(field.samples)) if field.samples else None


def _draw_length(field: Field, rng: random.Random, size: int) -> int:
    least = int(field.span.stated_low or 0)
    return rng.randint(least, max(least, size))


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


def _draw_number(field: Field, rng: random.Random) -> float:
    low, high = field.span.least, field.span.greatest
    reach = max(1, int(high - min(low, 0)))
    value = low + rng.randrange(1 << rng.randint(0, reach.bit_length()))
    value = min(value, high) if rng.random() < 0.8 else rng.uniform(low, high)
    if field.shape is Shape.REAL:
        return round(value + rng.choice((0, 0.5, 0.25, rng.random())), 3)
    return int(value)


def draw_large(field: Field, rng: random.Random, share: float, order: str) -> Any:
    """Return a value whose length is ``share`` of the greatest, or the greatest number. order: of
    items: "random", "equal" (the greatest) or "ascending"."""
    if field.shape in NUMBERS:
        high = field.span.greatest
        return int(high) if field.shape is Shape.INTEGER else high
    if field.shape is Shape.RECORD:
        return field.container(draw_large(part, rng, share, order) for part in field.items)
    if field.shape not in (Shape.TEXT, Shape.LIST):
        return draw(field, rng, 5)
    length = _choose_length(field, share)
    if field.shape is Shape.TEXT:
        letters = sorted(field.letters) or ["a"]
        return "".join(rng.choices(letters[-1:] if order == "equal" else letters, k=length))
    item = field.items[0]
    if item.shape in NUMBERS:
        low, high = int(item.span.least), int(item.span.greatest)
        least = high if order == "equal" else low
        items = [rng.randint(least, high) for _ in range(length)]
    elif item.shape in (Shape.LIST, Shape.TEXT):
        width = max(1.0, min(item.span.greatest, _MAX_ITEMS / max(1, length)))
        width = min(width, length) if field.has("square") else width
        part = width / max(1.0, item.span.greatest)
        items = [draw_large(item, rng, part, order) for _ in range(length)]
    elif item.shape is Shape.RECORD and order == "equal":
        items = [draw_large(item, rng, share, order)] * length
    else:
        items = [draw(item, rng, 5) for _ in range(length)]
    items = _sort(items) if order == "ascending" else items
    return field.container(_arrange(field, items, rng))


def _choose_length(field: Field, share: float) -> int:
    return int(max(field.span.least, min(_MAX_ITEMS, field.span.greatest) * share))


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
    if field.shape is Shape.REAL:
        near += [value + 0.5, round(value), value / 3, value + 1e-3]
        return float(rng.choice(near))
    return int(rng.choice(near))


def _change_text(field: Field, value: str, rng: random.Random) -> str:
    cut, end = sorted((rng.randint(0, len(value)), rng.randint(0, len(value))))
    words = value.split(" ")
    letter = rng.choice(sorted(field.letters) or ["a"])
    other = str(rng.choice(field.samples))
    changes: tuple[Callable[[], str], ...] = (
        lambda: "", lambda: value[:cut] + value[end:], lambda: value[:cut] + value[cut + 1 :],
        lambda: value[:cut] + letter + value[cut:], lambda: value[:cut] + letter + value[cut + 1 :],
        lambda: value * 2, lambda: value + value[::-1],
        lambda: value[::-1], lambda: "".join(sorted(value)), lambda: value[:1] * max(2, len(value)),
        lambda: value.swapcase(),
        lambda: value.upper(), lambda: value.lower(),
        lambda: value[:cut] + value[cut : cut + 1].swapcase() + value[cut + 1 :],
        lambda: " ".join(rng.sample(words, len(words))),
        lambda: " ".join([*words, rng.choice(words)]),
        lambda: " ".join(words[1:]),
        lambda: value[:cut] + " " + value[cut:],
        lambda: other[: rng.randint(0, len(other))] + value[cut:],
        lambda: other,
    )  # fmt: skip
    return rng.choice(changes)()[:_MAX_LENGTH]


def _change_list(field: Field, value: Any, rng: random.Random) -> Any:
    items = list_items(value)
    items = sorted(items, key=repr) if field.container in (set, frozenset) else items
    item = field.items[0]

    def change_some() -> list[Any]:
        for _ in range(rng.choice((1, 1, 2, len(items)))):
            if items:
                at = rng.randrange(len(items))
                items[at] = mutate(item, items[at], rng)
        return items

    def make_equal() -> list[Any]:
        if len(items) > 1:
            left, right = rng.sample(range(len(items)), 2)
            items[left] = copy.deepcopy(items[right])
        return items

    def insert() -> list[Any]:
        if items:
            at = rng.randrange(len(items))
            new = mutate(item, copy.deepcopy(items[at]), rng)
        else:
            new = draw(item, rng, 3)
        items.insert(rng.randint(0, len(items)), new)
        return items

    cut = rng.randint(0, len(items))
    changes: tuple[Callable[[], list[Any]], ...] = (
        change_some, change_some, change_some, make_equal, make_equal, insert, insert,
        list, lambda: items[:cut] + items[cut + 1 :], lambda: items[:cut], lambda: items[cut:],
        lambda: items + copy.deepcopy(items), lambda: items[::-1], lambda: items[:1],
        lambda: items[:1] * len(items), lambda: _sort(items),
        lambda: _sort(items)[::-1], lambda: rng.sample(items, len(items)),
        lambda: [*items, copy.deepcopy(rng.choice(items))] if items else items,
    )  # fmt: skip
    changed = rng.choice(changes)()[:_MAX_LENGTH]
    changed = _arrange(field, changed, rng) if rng.random() < 0.7 else changed
    try:
        return field.container(changed)
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
