"""Views: which values of a document play one role, and from which domain they come.

A document is the list of a problem's input values: the arguments of a call, or the fields of a
text (layout.py). A view names positions in it, such as one scalar, the elements of a list or one
column of a table, so that they can be read, written and drawn alike.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from .layout import Document, Layout, Part, PartKind

_MAX_POOL = 2000  # values that a domain remembers
# Words of so many letters that occur thrice on average, and so often, are all there are.
_MIN_NAME, _MIN_NAMES = 3, 6
_MANY_LETTERS = 5  # different letters from which on any letter of the same class may occur
_LETTER_CLASSES = ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789")


class Form(StrEnum):
    """The form of one field of a document."""

    SCALAR = "scalar"
    VECTOR = "vector"
    TABLE = "table"  # rows of the same number of columns
    MATRIX = "matrix"  # rows that are lists
    RECORDS = "records"  # rows whose first value decides what follows
    GROUPS = "groups"  # documents
    OPAQUE = "opaque"  # anything else: copied, never changed


class LeafKind(StrEnum):
    """The type of the values of a view."""

    INTEGER = "integer"
    WORD = "word"
    OTHER = "other"  # values are only ever copied


@dataclass(frozen=True, slots=True)
class View:
    """Positions of a document. column: of a table or record. tag: the first value of a record."""

    field: int
    form: Form
    kind: LeafKind = LeafKind.OTHER
    column: int = 0
    tag: Any = None

    def list_slots(self, document: Document) -> list[tuple[list[Any], int]]:
        """(container, index) of each value."""
        value = document[self.field]
        if self.form is Form.SCALAR:
            return [(document, self.field)]
        if self.form is Form.VECTOR:
            return [(value, index) for index in range(len(value))]
        if self.form is Form.MATRIX:
            return [(row, index) for row in value for index in range(len(row))]
        if self.form is Form.RECORDS:
            return [(row, self.column) for row in value if row[0] == self.tag]
        return [(row, self.column) for row in value]

    def read(self, document: Document) -> list[Any]:
        """Its values, in order."""
        return [container[index] for container, index in self.list_slots(document)]

    def write(self, document: Document, values: Sequence[Any]) -> None:
        """Put values in its positions."""
        for (container, index), value in zip(self.list_slots(document), values, strict=True):
            container[index] = value


@dataclass(frozen=True, slots=True)
class Domain:
    """What the values of a view may be.

    low, high: of integers, or of the lengths of words. letters: of words. pool: observed values.
    can_be_zero_led: whether words may start with 0.
    """

    low: int
    high: int
    letters: str = ""
    pool: tuple[Any, ...] = ()
    can_be_zero_led: bool = True

    def contains(self, value: Any) -> bool:
        """Whether a value may occur."""
        if isinstance(value, bool) or not isinstance(value, int | str) or value in self.pool:
            return value in self.pool
        if isinstance(value, int):
            return not self.letters and self.low <= value <= self.high
        if not self.letters or not self.low <= len(value) <= self.high:
            return False
        if not self.can_be_zero_led and value[:1] == "0":
            return False
        return set(value) <= set(self.letters)

    def draw(self, rng: random.Random, length: int | None = None) -> Any:
        """Return a random value. length: of a word; None: random."""
        if self.letters:
            size = rng.randint(self.low, self.high) if length is None else length
            word = "".join(rng.choices(self.letters, k=size))
            is_wrong = not self.can_be_zero_led and word[:1] == "0" and len(set(self.letters)) > 1
            return rng.choice(self.letters.replace("0", "")) + word[1:] if is_wrong else word
        if self.pool and not isinstance(self.pool[0], int):
            return rng.choice(self.pool)
        return rng.randint(self.low, self.high)


def list_forms(documents: Sequence[Document], layout: Layout | None) -> list[Form]:
    """Return the form of each field. layout: of texts; None: judge by the values."""
    if layout is not None:
        return list(_list_part_forms(layout.parts))
    return [_find_form([doc[index] for doc in documents]) for index in range(len(documents[0]))]


_PART_FORMS = {
    PartKind.LIST: Form.VECTOR,
    PartKind.PREFIXED: Form.VECTOR,
    PartKind.MATRIX: Form.MATRIX,
    PartKind.PREFIXED_ROWS: Form.MATRIX,
    PartKind.RECORDS: Form.RECORDS,
    PartKind.GROUPS: Form.GROUPS,
}


def _list_part_forms(parts: Sequence[Part]) -> Iterator[Form]:
    for part in parts:
        if part.kind is PartKind.SCALARS:
            yield from [Form.SCALAR] * part.width
        elif part.kind is PartKind.TABLE:
            yield Form.VECTOR if part.width == 1 else Form.TABLE
        else:
            yield _PART_FORMS[part.kind]


def _find_form(values: Sequence[Any]) -> Form:
    if all(isinstance(value, int | float | str) for value in values):
        return Form.SCALAR
    if not all(isinstance(value, list) for value in values):
        return Form.OPAQUE
    items = [item for value in values for item in value]
    if all(isinstance(item, int | float | str) for item in items):
        return Form.VECTOR
    if not all(isinstance(item, list) for item in items):
        return Form.OPAQUE
    if any(isinstance(cell, list | dict) for item in items for cell in item):
        return Form.OPAQUE
    widths = {len(item) for item in items}
    is_square = len(set(map(len, values))) > 1 and all(
        len(value) == len(item) for value in values for item in value
    )
    if len(widths) == 1 and len(items) > 1 and not is_square and widths <= {2, 3}:
        return Form.TABLE
    return Form.MATRIX


def list_views(
    documents: Sequence[Document], forms: Sequence[Form], *, is_text: bool
) -> list[View]:
    """All views of documents of these forms, but those of groups and opaque fields.

    is_text: the documents were read from texts, in which a word may look like a number.
    """
    views: list[View] = []
    for index, form in enumerate(forms):
        rows = [row for doc in documents for row in (doc[index] if form in _ROW_FORMS else ())]
        if form is Form.TABLE:
            views += [
                View(index, form, column=column) for column in range(len(rows[0]) if rows else 0)
            ]
        elif form is Form.RECORDS:
            widths = {row[0]: len(row) for row in rows}
            views += [View(index, form, column=column, tag=tag)
                      for tag, width in widths.items() for column in range(1, width)]  # fmt: skip
        elif form in (Form.SCALAR, Form.VECTOR, Form.MATRIX):
            views.append(View(index, form))
    return [_set_kind(view, documents, is_text) for view in views]


_ROW_FORMS = (Form.TABLE, Form.RECORDS)


def _set_kind(view: View, documents: Sequence[Document], is_text: bool) -> View:
    values = [value for doc in documents for value in view.read(doc)]
    if values and all(type(value) is int for value in values):
        is_text = is_text and _are_digit_strings(view, documents)
        return replace(view, kind=LeafKind.WORD if is_text else LeafKind.INTEGER)
    # A text also holds words that look like numbers: all are words then.
    if values and any(_is_word(value) for value in values):
        return replace(view, kind=LeafKind.WORD)
    return view


def _are_digit_strings(view: View, documents: Sequence[Document]) -> bool:
    """Whether each number of a view has as many digits as some scalar says: it is a text then."""
    lengths = [{len(str(value)) for value in view.read(doc)} for doc in documents]
    if max(map(max, filter(None, lengths)), default=0) < 2:
        return False
    return any(
        all(isinstance(doc[index], int) and sizes <= {doc[index]}
            for doc, sizes in zip(documents, lengths, strict=True))
        for index in range(len(documents[0]))
    )  # fmt: skip


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and not _is_decimal(value)


def _is_decimal(text: str) -> bool:
    return "." in text and text.replace(".", "", 1).lstrip("-").isdigit()


def make_words(view: View, documents: Sequence[Document]) -> None:
    """Turn the numbers of a view of words into words, so that "0101" and 10 are alike."""
    for document in documents:
        view.write(document, [str(value) for value in view.read(document)])


def infer_domain(view: View, documents: Sequence[Document]) -> Domain:
    """Return the domain of the values that documents hold, slightly widened where that is
    harmless."""
    values = [value for doc in documents for value in view.read(doc)]
    pool = tuple(dict.fromkeys(values[:_MAX_POOL])) if view.kind is LeafKind.OTHER else ()
    if view.kind is LeafKind.OTHER:
        return Domain(0, 0, "", pool)
    if view.kind is LeafKind.WORD:
        lengths = [len(value) for value in values]
        are_few = 3 * len(set(values)) <= len(values) and len(values) >= _MIN_NAMES
        if are_few and min(lengths) >= _MIN_NAME and all(map(str.isalpha, values)):
            return Domain(0, 0, "", tuple(dict.fromkeys(values)))
        letters = set("".join(values))
        for letter_class in _LETTER_CLASSES:
            if len(letters & set(letter_class)) >= _MANY_LETTERS:
                letters |= set(letter_class)
        is_led = any(value[:1] == "0" for value in values)
        low = min(lengths)
        return Domain(low, max(lengths), "".join(sorted(letters)), (), is_led)
    return Domain(min(values), max(values))
