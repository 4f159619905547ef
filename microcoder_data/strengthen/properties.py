"""Properties that all inputs of a problem have: what a new input must keep.

Each property can be checked and, where a change broke it, repaired. ``relations.py`` has those
between values; here are those of lengths and of one view alone.
"""

from __future__ import annotations

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .layout import Document
from .views import Domain, Form, View


class Editor(Protocol):
    """What repairs need of a model (model.py): domains, and random changes within them."""

    @property
    def domains(self) -> Mapping[View, Domain]:
        """The domain of each view."""

    def draw(self, view: View, document: Document, rng: random.Random) -> Any:
        """Return a random value of a view."""

    def draw_unused(
        self, view: View, document: Document, used_values: set[Any], count: int, rng: random.Random
    ) -> list[Any]:
        """Return values of a view that are not in ``used_values``, as far as there are any."""

    def resize(self, document: Document, field: int, length: int, rng: random.Random) -> None:
        """Give a field ``length`` items."""

    def resize_row(self, row: list[Any], field: int, length: int, rng: random.Random) -> None:
        """Give one row of a matrix ``length`` values."""

    def find_row_ranges(self, field: int, document: Document) -> list[tuple[View, int, int]]:
        """Return the columns of a table, with the least and the greatest number of each."""


class Property(ABC):
    """Something that holds in every input."""

    __slots__ = ()

    @abstractmethod
    def holds(self, document: Document) -> bool:
        """Whether a document has the property."""

    @abstractmethod
    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        """Change a document so that it has the property, as far as this is simple."""


@dataclass(frozen=True, slots=True)
class ListLength(Property):
    """A field has ``factor`` items for each that a scalar counts, and ``offset`` beyond."""

    field: int
    scalar: int
    offset: int = 0
    factor: int = 1

    def find_length(self, value: int) -> int:
        """Return the length of the field where the scalar has some value."""
        return self.factor * value + self.offset

    def find_value(self, length: int) -> int:
        """Return the value of the scalar for a length, rounded down."""
        return (length - self.offset) // self.factor

    def holds(self, document: Document) -> bool:
        return bool(len(document[self.field]) == self.find_length(document[self.scalar]))

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        model.resize(document, self.field, self.find_length(document[self.scalar]), rng)


@dataclass(frozen=True, slots=True)
class EqualLengths(Property):
    """Two fields have as many items as each other."""

    field: int
    other: int

    def holds(self, document: Document) -> bool:
        return len(document[self.field]) == len(document[self.other])

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        model.resize(document, self.other, len(document[self.field]), rng)


@dataclass(frozen=True, slots=True)
class RowLengths(Property):
    """All rows of a matrix are equally long. scalar: the field that says how long, less offset;
    -1: as long as the first row; -2: as long as there are rows."""

    field: int
    scalar: int = -1
    offset: int = 0

    def holds(self, document: Document) -> bool:
        length = self._get_length(document)
        return all(len(row) == length for row in document[self.field])

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        length = self._get_length(document)
        for row in document[self.field]:
            model.resize_row(row, self.field, length, rng)

    def _get_length(self, document: Document) -> int:
        rows = document[self.field]
        if self.scalar >= 0:
            return int(document[self.scalar]) + self.offset
        return len(rows) if self.scalar == -2 else max(map(len, rows), default=0)


@dataclass(frozen=True, slots=True)
class WordLengths(Property):
    """All words of a view are equally long. scalar: the field that says how long; -1: none.
    -2: as long as there are words."""

    view: View
    scalar: int = -1

    def holds(self, document: Document) -> bool:
        words = self.view.read(document)
        length = self._get_length(document, words)
        return all(len(word) == length for word in words)

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        words = self.view.read(document)
        length = self._get_length(document, words)
        domain = model.domains[self.view]
        repaired_words = [
            word[:length] + domain.draw(rng, max(0, length - len(word))) for word in words
        ]
        self.view.write(document, repaired_words)

    def _get_length(self, document: Document, words: list[str]) -> int:
        if self.scalar >= 0:
            return int(document[self.scalar])
        return len(words) if self.scalar == -2 else max(map(len, words), default=0)


@dataclass(frozen=True, slots=True)
class Sorted(Property):
    """The values of a view are in order."""

    view: View
    is_descending: bool = False

    def holds(self, document: Document) -> bool:
        values = self.view.read(document)
        return values == sorted(values, reverse=self.is_descending)

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        if self.view.form is Form.TABLE:
            rows = document[self.view.field]
            rows.sort(key=lambda row: row[self.view.column], reverse=self.is_descending)
        else:
            values = self.view.read(document)
            self.view.write(document, sorted(values, reverse=self.is_descending))


@dataclass(frozen=True, slots=True)
class Distinct(Property):
    """No two values of a view are equal."""

    view: View

    def holds(self, document: Document) -> bool:
        values = self.view.read(document)
        return len(set(values)) == len(values)

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        used_values: set[Any] = set()
        slots = self.view.list_slots(document)
        if self.view.form is not Form.SCALAR:
            rng.shuffle(slots)
        repeated = []
        for container, index in slots:
            if container[index] in used_values:
                repeated.append((container, index))
            used_values.add(container[index])
        values = model.draw_unused(self.view, document, used_values, len(repeated), rng)
        for (container, index), value in zip(repeated, values, strict=True):
            container[index] = value


@dataclass(frozen=True, slots=True)
class LetterCount(Property):
    """A letter occurs a fixed number of times in the words of a view."""

    view: View
    letter: str
    count: int

    def holds(self, document: Document) -> bool:
        total: int = sum(word.count(self.letter) for word in self.view.read(document))
        return total == self.count

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        others = model.domains[self.view].letters.replace(self.letter, "")
        words = [list(word) for word in self.view.read(document)]
        cells = [(word, index) for word in words for index in range(len(word))]
        if not others or len(cells) < self.count:
            return
        present = [(word, index) for word, index in cells if word[index] == self.letter]
        rng.shuffle(present)
        for word, index in present[self.count :]:
            word[index] = rng.choice(others)
        absent = [(word, index) for word, index in cells if word[index] != self.letter]
        for word, index in rng.sample(absent, max(0, self.count - len(present))):
            word[index] = self.letter
        self.view.write(document, ["".join(word) for word in words])


@dataclass(frozen=True, slots=True)
class Mirrored(Property):
    """A square table in which each cell decides the one across the diagonal.

    pairs: (cell, cell across), for numbers empty: a cell equals the one across. diagonal: the only
    value on the diagonal; None: any.
    """

    field: int
    pairs: tuple[tuple[Any, Any], ...] = ()
    diagonal: Any = None

    def holds(self, document: Document) -> bool:
        rows, partners = document[self.field], dict(self.pairs)
        if any(len(row) != len(rows) for row in rows):
            return False
        return all(
            rows[j][i] == (partners.get(rows[i][j]) if partners else rows[i][j])
            for i in range(len(rows))
            for j in range(i)
        ) and all(self.diagonal in (None, row[i]) for i, row in enumerate(rows))

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        rows, partners = document[self.field], dict(self.pairs)
        if any(len(row) != len(rows) for row in rows):
            return
        cells = [list(row) for row in rows]
        for i in range(len(cells)):
            if self.diagonal is not None:
                cells[i][i] = self.diagonal
            for j in range(i):
                if partners and cells[i][j] not in partners:
                    cells[i][j] = rng.choice(list(partners))
                cells[j][i] = partners[cells[i][j]] if partners else cells[i][j]
        is_text = any(isinstance(row, str) for row in rows)
        rows[:] = ["".join(row) for row in cells] if is_text else cells


@dataclass(frozen=True, slots=True)
class Stepped(Property):
    """All values of a view have the same remainder by a modulus."""

    view: View
    modulus: int
    remainder: int

    def holds(self, document: Document) -> bool:
        return all(value % self.modulus == self.remainder for value in self.view.read(document))

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        low = model.domains[self.view].low
        for container, index in self.view.list_slots(document):
            container[index] -= (container[index] - self.remainder) % self.modulus
            if container[index] < low:
                container[index] += self.modulus


@dataclass(frozen=True, slots=True)
class NonzeroEnd(Property):
    """The first (last) value of a list of several is not 0. position: 0, or -1 for the last."""

    view: View
    position: int

    def holds(self, document: Document) -> bool:
        values = self.view.read(document)
        return len(values) < 2 or values[self.position] != 0

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        container, index = self.view.list_slots(document)[self.position]
        container[index] = next(
            filter(None, (model.draw(self.view, document, rng) for _ in range(8))), 0
        )


_RUNS = re.compile(r"\d+|[A-Za-z]+|[^A-Za-z\d]")
# "0" for each run of digits, "a" for one of letters; signs stand for themselves.
Shape = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Patterned(Property):
    """Words are alike: letters, digits and signs follow each other in one of few ways.

    runs: for each such way the texts that occur in each place. Numbers stay between those.
    """

    view: View
    runs: Mapping[Shape, tuple[frozenset[str], ...]]

    @classmethod
    def infer(cls, view: View, words: Sequence[str]) -> Patterned:
        """Return the pattern of some words."""
        columns: dict[Shape, list[set[str]]] = {}
        for word in words:
            texts = _RUNS.findall(word)
            sets = columns.setdefault(_find_shape(texts), [set() for _ in texts])
            for place, text in zip(sets, texts, strict=True):
                place.add(text)
        return cls(view, {shape: tuple(map(frozenset, sets)) for shape, sets in columns.items()})

    def holds(self, document: Document) -> bool:
        return all(map(self._fits, self.view.read(document)))

    def _fits(self, word: str) -> bool:
        texts = _RUNS.findall(word)
        seen_texts = self.runs.get(_find_shape(texts))
        if seen_texts is None:
            return False
        return all(
            text in seen or (text.isdigit() and _is_between(text, seen))
            for text, seen in zip(texts, seen_texts, strict=True)
        )

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        words = self.view.read(document)
        self.view.write(document, [word if self._fits(word) else self._draw(rng) for word in words])

    def _draw(self, rng: random.Random) -> str:
        texts = []
        for seen in self.runs[rng.choice(sorted(self.runs))]:
            text = rng.choice(sorted(seen))
            if text.isdigit():
                numbers = sorted(map(int, seen))
                number = str(rng.randint(numbers[0], numbers[-1]))
                text = number if _is_between(number, seen) else text
            texts.append(text)
        return "".join(texts)


def _find_shape(runs: Sequence[str]) -> Shape:
    return tuple("0" if run.isdigit() else "a" if run.isalpha() else run for run in runs)


def _is_between(text: str, seen: frozenset[str]) -> bool:
    """Whether a number is between those seen, and led by 0 only where these are."""
    has_same_form = len(text) in set(map(len, seen)) if any(_is_led(s) for s in seen) else True
    is_led_alike = has_same_form and (not _is_led(text) or any(map(_is_led, seen)))
    return is_led_alike and min(map(int, seen)) <= int(text) <= max(map(int, seen))


def _is_led(text: str) -> bool:
    return len(text) > 1 and text[0] == "0"


_BRACKETS = {")": "(", "]": "[", "}": "{", ">": "<"}


@dataclass(frozen=True, slots=True)
class Balanced(Property):
    """Every word of a view is a balanced text of brackets."""

    view: View

    def holds(self, document: Document) -> bool:
        return all(map(_is_balanced, self.view.read(document)))

    def repair(self, document: Document, rng: random.Random, model: Editor) -> None:
        letters = model.domains[self.view].letters
        pairs = [(left, right) for right, left in _BRACKETS.items() if right in letters]
        words = []
        for word in self.view.read(document):
            text = ""
            while len(text) + 2 <= len(word):
                left, right = rng.choice(pairs)
                position = rng.randrange(len(text) + 1)
                end = position if rng.random() < 0.5 else len(text)
                text = text[:position] + left + text[position:end] + right + text[end:]
            words.append(word if _is_balanced(word) else text)
        self.view.write(document, words)


def _is_balanced(word: str) -> bool:
    stack: list[str] = []
    for letter in word:
        if letter in _BRACKETS:
            if not stack or stack.pop() != _BRACKETS[letter]:
                return False
        elif letter in _BRACKETS.values():
            stack.append(letter)
    return not stack and any(letter in _BRACKETS for letter in word)
