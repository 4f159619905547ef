"""Makes new documents from those of a problem: small changes, stress shapes and fresh values."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

from .layout import Document
from .model import Model, copy_document
from .properties import EqualLengths, ListLength
from .views import Domain, Form, LeafKind, View

_FEW = 3  # different values of a list of few values
_SHORT = 3  # letters of a small word beyond the shortest
_TRIES = 16  # proposals for each document that is wanted
_BARREN_TRIES = 5  # the same where none has been accepted
_REUSE = 0.4  # share of proposals that change a document which was itself proposed


@dataclass(frozen=True, slots=True)
class Proposal:
    """A new document. origin: how it was made, for people."""

    document: Document
    origin: str


def propose_documents(
    model: Model, documents: Sequence[Document], count: int, rng: random.Random
) -> Iterator[Proposal]:
    """Up to ``count`` different documents that the model accepts."""
    bases = [(document, f"of test {number}") for number, document in enumerate(documents, 1)]
    existing_keys = {repr(document) for document in documents}
    produced = 0
    proposals: list[tuple[Document, str]] = []
    for attempt in range(_TRIES * count):
        if produced >= count or (not produced and attempt >= _BARREN_TRIES * count):
            return
        pool = proposals if proposals and rng.random() < _REUSE else bases
        base, origin = rng.choice(pool)
        document = copy_document(base)
        name = _change(model, document, rng, attempt)
        if not model.repair(document, rng) or repr(document) in existing_keys:
            continue
        existing_keys.add(repr(document))
        produced += 1
        proposals.append((document, origin))
        yield Proposal(document, f"{name} {origin}")


def _change(model: Model, document: Document, rng: random.Random, attempt: int) -> str:
    """Change a document at random; returns the name of the change."""
    groups = [index for index in model.submodels if document[index]]
    if groups and rng.random() < 0.8:
        index = rng.choice(groups)
        names = [
            _change(model.submodels[index], group, rng, attempt)
            for group in document[index]
            if rng.random() < 0.7
        ]
        return names[0] if names else "copy"
    names = list(_CHANGES)
    name = names[attempt % len(names)]
    _CHANGES[name](model, document, rng)
    return name


def _change_point(model: Model, document: Document, rng: random.Random) -> None:
    """Change one value, or a few."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        slots = [(view, slot) for view in model.views for slot in view.list_slots(document)]
        if not slots:
            return
        view, (container, index) = rng.choice(slots)
        container[index] = _shift(container[index], model.domains[view], rng)


def _shift(value: Any, domain: Domain, rng: random.Random) -> Any:
    if isinstance(value, int) and not domain.pool:
        near = (value - 1, value + 1, domain.low, domain.high, domain.draw(rng))
        return rng.choice([item for item in near if domain.low <= item <= domain.high] or [value])
    if isinstance(value, str) and domain.letters and value:
        index = rng.randrange(len(value))
        letter = rng.choice((rng.choice(domain.letters), rng.choice(value), ""))
        return value[:index] + letter + value[index + 1 :]
    return domain.draw(rng) if domain.letters or domain.pool else value


def _change_length(model: Model, document: Document, rng: random.Random) -> None:
    """Make a list longer or shorter; scalars that give its length follow."""
    fields = list(model.lengths)
    if not fields:
        return _change_values(model, document, rng)
    field = rng.choice(fields)
    low, high = model.lengths[field]
    near = (len(document[field]) - 1, len(document[field]) + 1)
    length = rng.choice((low, high, rng.randint(low, high), rng.choice(near)))
    if not low <= length <= high:
        return None
    for each in model.properties:
        if isinstance(each, ListLength) and each.field == field:
            document[each.scalar] = each.find_value(length)
    for each in model.properties:
        if isinstance(each, EqualLengths) and each.other == field:
            model.resize(document, each.field, length, rng)
    model.resize(document, field, length, rng)
    if rng.random() < 0.5:
        _change_values(model, document, rng)
    return None


def _change_values(model: Model, document: Document, rng: random.Random) -> None:
    """Draw all values of one view again, in some shape."""
    if model.views:
        view = rng.choice(model.views)
        fill(view, document, model, rng.choice(_SHAPES), rng)


def _change_everything(model: Model, document: Document, rng: random.Random) -> None:
    """Draw every value and every length again."""
    for view in model.views:
        if view.form is Form.SCALAR:
            fill(view, document, model, rng.choice(("random", "random", "low", "high")), rng)
    for field, (low, high) in model.lengths.items():
        if not any(isinstance(p, ListLength) and p.field == field for p in model.properties):
            model.resize(document, field, rng.randint(low, high), rng)
    for each in model.properties:
        if isinstance(each, ListLength):
            each.repair(document, rng, model)
    for view in model.views:
        if view.form is not Form.SCALAR:
            fill(view, document, model, rng.choice(_SHAPES), rng)


def _change_to_tiny(model: Model, document: Document, rng: random.Random) -> None:
    """Draw everything again from few small values and short lengths: special cases meet there."""
    width = rng.choice((1, 2, 3, 5))
    for field, (low, high) in model.lengths.items():
        lengths = [each for each in model.properties if isinstance(each, ListLength)]
        if not any(each.field == field for each in lengths):
            model.resize(document, field, rng.randint(low, min(high, low + width)), rng)
    for view in model.views:
        if view.form is Form.SCALAR:
            fill(view, document, model, "small", rng, width)
    for each in model.properties:
        if isinstance(each, ListLength):
            each.repair(document, rng, model)
    for view in model.views:
        if view.form is not Form.SCALAR:
            fill(view, document, model, "small", rng, width)


def _change_order(model: Model, document: Document, rng: random.Random) -> None:
    """Shuffle, reverse or rotate the items of a list."""
    fields = [field for field in model.lengths if len(document[field]) > 1]
    if not fields:
        return _change_point(model, document, rng)
    items = document[rng.choice(fields)]
    kind = rng.randrange(4)
    if kind == 0:
        rng.shuffle(items)
    elif kind == 1:
        items.reverse()
    elif kind == 2:
        items.append(items.pop(0))
    else:
        left, right = rng.sample(range(len(items)), 2)
        items[left] = copy_document(items[right])
    return None


_CHANGES: dict[str, Callable[[Model, Document, random.Random], None]] = {
    "fresh values": _change_everything,
    "one value": _change_point,
    "another length": _change_length,
    "one list": _change_values,
    "tiny values": _change_to_tiny,
    "another order": _change_order,
}
_SHAPES = (
    "random", "magnitudes", "small", "few", "equal", "low", "high", "ends", "sorted", "reversed",
    "one differs", "alternating", "constants",
)  # fmt: skip


def fill(
    view: View,
    document: Document,
    model: Model,
    shape: str,
    rng: random.Random,
    width: int = 0,
    *,
    keeps_lengths: bool = False,
) -> None:
    """Write values of a shape into all positions of a view.

    width: of "small" ones; 0: random. keeps_lengths: words stay as long as they are.
    """
    domain, count = model.domains[view], len(view.list_slots(document))
    if view.kind is LeafKind.INTEGER:
        high = model.find_upper_bound(view, document)
        if high >= domain.low:
            width = width or rng.choice((1, 2, 4, 9))
            constants = [c for c in model.constants.numbers if domain.low <= c <= high]
            values = _draw_integers(domain.low, high, count, shape, rng, width, constants)
            view.write(document, values)
    elif view.kind is LeafKind.WORD:
        lengths = [len(word) for word in view.read(document)]
        if not keeps_lengths:
            lengths = [_draw_length(domain, length, shape, rng) for length in lengths]
        letters = model.constants.letters & set(domain.letters)
        words = [_draw_word(domain, length, shape, rng, letters) for length in lengths]
        view.write(document, words)
    elif domain.pool:
        view.write(document, [domain.draw(rng) for _ in range(count)])


def _draw_integers(
    low: int,
    high: int,
    count: int,
    shape: str,
    rng: random.Random,
    width: int,
    constants: Sequence[int],
) -> list[int]:
    if shape in ("low", "high"):
        return [low if shape == "low" else high] * count
    if shape == "ends":
        return rng.choices((low, high, min(low + 1, high), max(low, high - 1)), k=count)
    if shape == "small":
        low, high = _find_small_range(low, high, width)
    if shape == "magnitudes":  # as many of one digit as of nine
        bits = (high - low).bit_length()
        draws = [low + rng.randint(0, (1 << rng.randint(0, bits)) - 1) for _ in range(count)]
        return [min(value, high) for value in draws]
    if shape == "constants" and constants:
        near = [value + rng.choice((-1, 0, 0, 1)) for value in rng.choices(constants, k=count)]
        return [min(max(value, low), high) for value in near]
    if shape in ("few", "equal", "one differs", "alternating"):
        values = [rng.randint(low, high) for _ in range(1 if shape == "equal" else _FEW)]
        if shape == "alternating":
            return (values[:2] * count)[:count]
        if shape == "one differs":
            result = [values[0]] * count
            result[rng.randrange(count) if count else 0 : 1] = values[1 : 1 + bool(count)]
            return (result + [values[0]] * count)[:count]
        return rng.choices(values, k=count)
    result = [rng.randint(low, high) for _ in range(count)]
    if shape in ("sorted", "reversed"):
        result.sort(reverse=shape == "reversed")
    return result


def _find_small_range(low: int, high: int, width: int) -> tuple[int, int]:
    """Return the values of a range that are nearest to 0."""
    if low < 0 < high:
        return max(low, -width), min(high, width)
    return (max(low, high - width), high) if high <= 0 else (low, min(high, low + width))


def _draw_length(domain: Domain, length: int, shape: str, rng: random.Random) -> int:
    """Return how long a word becomes that has some length."""
    if shape == "small":
        return rng.randint(domain.low, min(domain.high, domain.low + _SHORT))
    is_drawn = shape in ("random", "sorted", "high", "low", "magnitudes") and rng.random() < 0.3
    return (
        rng.randint(domain.low, domain.high)
        if is_drawn
        else {"low": domain.low, "high": domain.high}.get(shape, length)
    )


def _draw_word(
    domain: Domain, length: int, shape: str, rng: random.Random, constants: Set[str]
) -> str:
    if not domain.letters:
        return str(domain.draw(rng))
    letters = domain.letters
    if shape in ("equal", "low", "high"):
        letters = rng.choice(letters)
    elif shape == "small":  # always the same letters: other ones would only be other names
        letters = letters[: rng.choice((2, 2, 3))]
    elif shape in ("few", "ends", "one differs", "alternating"):
        letters = "".join(rng.sample(letters, min(2, len(letters))))
    elif shape == "constants" and constants:
        letters = "".join(sorted(constants)) + rng.choice(letters)
    word = "".join(rng.choices(letters, k=length))
    if shape == "alternating":
        word = (letters * length)[:length]
    if shape in ("sorted", "reversed"):
        word = "".join(sorted(word, reverse=shape == "reversed"))
    return word
