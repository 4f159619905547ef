"""Describes the inputs that a problem allows: a field for each argument or part, with its bounds.

Bounds are stated (in the statement) or seen (in the tests), and properties are what all seen values
have in common. An input that only keeps what is stated (``is_free``) is unlike the stored ones:
programs decide whether it may come (voting.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import combinations, pairwise, permutations
from typing import Any, Literal

from microcoder_data.constraints import Aspect, Constraint, Trait

_FEW_LISTS = 3  # fewer lists may show an order by chance
_SMALL = 3  # numbers below this are special if they are below all seen numbers too
_GROWTH = 10  # up to this many times the greatest seen number is usual
_FEW_WORDS = 3  # many words with at most this many different ones are an enumeration
_MANY = 6
# So many items are checked of a longer list, since its items are drawn within their bounds.
_CHECKED_ITEMS = 2000
_SAMPLES = 200  # values that a field keeps
_ROW = 4  # longest list whose positions may differ in meaning


class Shape(StrEnum):
    """The kinds of field."""

    INTEGER = "integer"
    REAL = "real"
    FLAG = "flag"
    TEXT = "text"
    LIST = "list"
    RECORD = "record"
    MIXED = "mixed"
    FIXED = "fixed"


_TYPES: dict[Shape, tuple[type, ...]] = {
    Shape.FLAG: (bool,), Shape.INTEGER: (int,), Shape.REAL: (int, float), Shape.TEXT: (str,),
    Shape.MIXED: (object,), Shape.FIXED: (object,),
}  # fmt: skip
_SHAPES: dict[type, Shape] = {
    bool: Shape.FLAG, int: Shape.INTEGER, float: Shape.REAL, str: Shape.TEXT,
    **dict.fromkeys((list, tuple, set, frozenset, dict), Shape.LIST),
}  # fmt: skip
NUMBERS = (Shape.INTEGER, Shape.REAL)
_SIZED = (Shape.TEXT, Shape.LIST)


@dataclass(frozen=True, slots=True)
class Span:
    """Bounds of numbers or lengths.

    low, high: the least and the greatest seen. stated_low, stated_high: None if nothing is stated.
    is_closed: whether values stay within what was seen if nothing is stated.
    """

    low: float
    high: float
    stated_low: float | None = None
    stated_high: float | None = None
    is_closed: bool = False

    @property
    def least(self) -> float:
        """The least stated value; the least seen if none is stated."""
        return self.low if self.stated_low is None else self.stated_low

    @property
    def greatest(self) -> float:
        """The greatest stated value; the greatest seen if none is stated."""
        return self.high if self.stated_high is None else self.stated_high

    def widen(self, low: float | None, high: float | None) -> Span:
        """Return the span with these stated bounds. Bounds that seen values contradict are
        ignored."""
        stated_low = low if low is not None and low <= self.low else self.stated_low
        stated_high = high if high is not None and high >= self.high else self.stated_high
        return replace(self, stated_low=stated_low, stated_high=stated_high)

    def allows(self, value: float, *, is_free: bool, small: int) -> bool:
        """Whether a value is within the bounds. small: smaller ones must be seen or stated."""
        low, high = self.stated_low, self.stated_high
        if self.is_closed and not is_free:
            low, high = self.least, self.greatest
        elif not is_free:
            if low is None and self.low >= 0:
                low = min(self.low, small)
            if high is None:
                is_never_above = self.low < 0 and self.high <= 0
                high = 0 if is_never_above else _GROWTH * max(self.high, _GROWTH)
        return (low is None or low <= value) and (high is None or value <= high)


@dataclass(frozen=True, slots=True)
class Property:
    """What all seen values have in common, or, if it is stated, what the statement says of all."""

    name: str
    holds: Callable[[Any], bool]
    is_stated: bool = False


ANY_TYPE = "any type"  # the annotation of an argument is Any, or has Any in it
BOUND_SUM = "bound sum"  # the statement bounds a sum over all test cases; nothing checks it


@dataclass(frozen=True, slots=True)
class Field:
    """One place of inputs. span: of a number, or of the length of a text or list.

    items: the field of all items of a list (of a dictionary: its pairs), one field for each item of
        a record, or one for each type of a mixed field.
    samples: values seen.
    letters: of texts.
    """

    shape: Shape
    span: Span = Span(0, 0)
    items: tuple[Field, ...] = ()
    container: type = list
    samples: tuple[Any, ...] = ()
    letters: frozenset[str] = frozenset()
    properties: tuple[Property, ...] = ()
    relations: tuple[Relation, ...] = ()

    def widen(self, low: float | None, high: float | None) -> Field:
        """Return the field with these stated bounds (Span.widen)."""
        return replace(self, span=self.span.widen(low, high))

    def close(self) -> Field:
        """Return the field in which what was seen binds where nothing is stated: the least, the
        greatest, and that no number is zero."""
        items = tuple(item.close() for item in self.items)
        closed = replace(self, span=replace(self.span, is_closed=True), items=items)
        if self.shape not in NUMBERS or self.span.stated_low is not None or 0 in self.samples:
            return closed
        return closed.with_property(Property("not zero", bool))

    def with_property(self, trait: Property) -> Field:
        """Return the field with one more property."""
        return replace(self, properties=(*self.properties, trait))

    def with_relation(self, relation: Relation) -> Field:
        """Return the field with one more relation."""
        return replace(self, relations=(*self.relations, relation))

    def allows(self, value: Any, *, is_free: bool) -> bool:
        """Whether a value may be in an input. is_free: whether only what is stated binds."""
        if not fits(value, self):
            return False
        if not all(one.holds(value) for one in self.properties if one.is_stated or not is_free):
            return False
        if self.shape in NUMBERS:
            return self.span.allows(value, is_free=is_free, small=_SMALL)
        if self.shape is Shape.RECORD:
            return self._allows_record(value, is_free)
        if self.shape is Shape.MIXED:
            item = self.find_item(value)
            return item.allows(value, is_free=is_free) if item else self.has(ANY_TYPE)
        if self.shape not in _SIZED:
            return True
        if not self.span.allows(len(value), is_free=is_free, small=1):
            return False
        if self.shape is Shape.TEXT or (self.has(Trait.PERMUTATION) and _is_permutation(value)):
            return True  # the items of a permutation are bounded by its length
        item = self.items[0]
        items = _select_checked(item, list_items(value))
        return all(item.allows(one, is_free=is_free) for one in items)

    def _allows_record(self, value: Sequence[Any], is_free: bool) -> bool:
        return (
            len(value) == len(self.items)
            and all(map(partial(Field.allows, is_free=is_free), self.items, value))
            and all(one.holds(value) for one in self.relations if one.is_stated or not is_free)
        )

    def find_item(self, value: Any) -> Field | None:
        """Return the item of a mixed field that has the value's type."""
        return next((item for item in self.items if fits(value, item)), None)

    def has(self, name: str) -> bool:
        """Whether all values have the property of this name."""
        return any(one.name == name for one in self.properties)


def list_items(value: Any) -> list[Any]:
    """Return the items of a list, or the pairs of a dictionary."""
    return list(value.items()) if isinstance(value, dict) else list(value)


def fits(value: Any, field: Field) -> bool:
    """Whether a value has the type of a field."""
    if isinstance(value, bool) and field.shape in NUMBERS:
        return False
    return isinstance(value, _TYPES.get(field.shape, field.container))


def _select_checked(field: Field, items: Sequence[Any]) -> Sequence[Any]:
    """Return the items of a list that are checked: all, or a part and the extreme numbers."""
    if len(items) <= _CHECKED_ITEMS:
        return items
    ends = [min(items), max(items)] if field.shape in NUMBERS else []
    return [*ends, *items[:: len(items) // _CHECKED_ITEMS]]


def classify_letter(letter: str) -> str:
    """Return the class of a letter; each sign is a class of its own."""
    if letter.isdigit():
        return "digit"
    if letter.isalpha():
        return "upper" if letter.isupper() else "lower"
    return letter


def _find_form(text: str) -> str:
    """Return a text with 0 in place of each number: "5 apples" has the form "0 apples"."""
    return re.sub(r"\d+", "0", text)


def _list_text_properties(values: Sequence[str], letters: frozenset[str]) -> Iterator[Property]:
    """Yield what texts have in common. letters: those seen, and those that programs look for."""
    forms = set(map(_find_form, values))
    are_words = any(map(str.isalpha, "".join(forms)))
    if len(values) >= _MANY and len(forms) <= _FEW_WORDS and are_words:
        yield Property("choice", lambda value: _find_form(value) in forms)
        return
    kinds = set(map(classify_letter, letters))
    yield Property("letters", lambda value: set(map(classify_letter, value)) <= kinds)
    ends = {(value[:1], value[-1:]) for value in values}
    if len(ends) == 1 and not any(map(str.isalnum, "".join(*ends))):  # "(7, 8)"
        yield Property("ends", lambda value: (value[:1], value[-1:]) in ends)
    counts = {sign: {value.count(sign) for value in values} for sign in "([{<"}
    signs = [sign for sign in counts if len(counts[sign]) == 1]
    yield Property("brackets", lambda value: all(value.count(one) in counts[one] for one in signs))
    if not any(map(str.isspace, values)):
        yield Property("not blank", lambda value: not value.isspace())
    if _are_single(values):
        yield Property("single letters", lambda value: _are_single([value]))
    has_brackets = any(set(value) & set("()[]{}<>") for value in values)
    if has_brackets and all(map(_is_balanced, values)):
        yield Property("balanced", _is_balanced)


def _are_single(texts: Iterable[str]) -> bool:
    """Whether each word is one letter: "a b b a"."""
    return all(len(word) == 1 for text in texts for word in text.split())


def _is_balanced(text: str) -> bool:
    """Whether all brackets of a text match."""
    pairs = {")": "(", "]": "[", "}": "{", ">": "<"}
    open_brackets: list[str] = []
    for letter in text:
        if letter in pairs.values():
            open_brackets.append(letter)
        elif letter in pairs and (not open_brackets or open_brackets.pop() != pairs[letter]):
            return False
    return not open_brackets


def _is_sorted(items: Sequence[Any]) -> bool:
    try:
        return all(left <= right for left, right in pairwise(items))
    except TypeError:
        return False


def _is_distinct(items: Sequence[Any]) -> bool:
    return len(set(map(repr, items))) == len(items)


def _is_rectangle(items: Sequence[Any]) -> bool:
    return len({len(item) for item in items if isinstance(item, str | list | tuple)}) <= 1


def _is_square(items: Sequence[Any]) -> bool:
    return all(isinstance(item, str | list | tuple) and len(item) == len(items) for item in items)


def _is_permutation(items: Sequence[Any]) -> bool:
    return sorted(map(repr, items)) in (
        sorted(map(repr, range(1, len(items) + 1))),
        sorted(map(repr, range(len(items)))),
    )


_ORDERS: dict[Trait, Callable[[Sequence[Any]], bool]] = {
    Trait.ASCENDING: _is_sorted,
    Trait.DESCENDING: lambda items: _is_sorted(list(items)[::-1]),
    Trait.DISTINCT: _is_distinct,
    Trait.PERMUTATION: _is_permutation,
}
# What a trait in the statement says of a value of this shape.
_TRAITS: dict[Shape, dict[Trait, Callable[[Any], bool]]] = {
    Shape.LIST: {
        **_ORDERS,
        Trait.EVEN: lambda items: len(items) % 2 == 0,
        Trait.ODD: lambda items: len(items) % 2 == 1,
    },
    Shape.INTEGER: {
        Trait.EVEN: lambda value: value % 2 == 0,
        Trait.ODD: lambda value: value % 2 == 1,
    },
}


def _list_list_properties(values: Sequence[Any]) -> Iterator[Property]:
    """Yield what lists have in common. Lists of two items tell nothing: they are ordered by
    chance."""
    telling = [value for value in values if len(value) > 2 and isinstance(value, list | tuple)]
    if len(telling) >= _FEW_LISTS:
        for trait, holds in _ORDERS.items():
            if all(map(holds, telling)):
                yield Property(trait.value, holds)
    rows = [row for value in values for row in value if isinstance(row, str | list | tuple)]
    for name, holds in (("rectangle", _is_rectangle), ("square", _is_square)):
        if rows and all(map(holds, values)):
            yield Property(name, holds)


RelationName = Literal["length", "width", "tree", "same length", "limit", "member", "different"]


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two fields of a record. is_stated: as in ``Property``, also of those that
    the form of the input shows.

    name: "length": the number ``left`` is the length of ``right`` plus ``offset``; "width": it is
    the length of its rows; "same length": the length of ``left`` is; "tree": the rows are the edges
    of a tree of so many nodes, numbered from ``offset``; "different"; "member": ``left`` is an item
    of ``right`` or a part of its text; "limit": no number in ``left`` is above ``right`` plus
    ``offset`` (a number, or the length of a list or text). column: of the rows of ``left`` that is
    limited; None: all its numbers.
    """

    name: RelationName
    left: int
    right: int
    offset: int = 0
    is_stated: bool = False
    column: int | None = None

    def holds(self, record: Sequence[Any]) -> bool:
        """Whether a record satisfies the relation."""
        try:
            left, right = record[self.left], record[self.right]
            if self.name == "limit":
                return all(one <= self.find_limit(record) for one in self._list_limited(left))
            return bool(_RELATIONS[self.name](left, right, self.offset))
        except (TypeError, ValueError, IndexError):
            return False

    def find_limit(self, record: Sequence[Any]) -> float:
        """Return the greatest number that the relation "limit" allows."""
        right: Any = record[self.right]
        greatest: float = right if isinstance(right, int | float) else len(right)
        return greatest + self.offset

    def _list_limited(self, value: Any) -> Iterator[float]:
        if not isinstance(value, list | tuple):
            yield value
            return
        for item in value:
            yield from self._list_limited(item if self.column is None else item[self.column])


_RELATIONS: dict[RelationName, Callable[[Any, Any, int], bool]] = {
    "length": lambda left, right, offset: left == len(right) + offset,
    "width": lambda left, right, offset: all(len(row) + offset == left for row in right),
    "same length": lambda left, right, offset: len(left) == len(right) + offset,
    "member": lambda left, right, _: left in right,
    "different": lambda left, right, _: left != right,
    "tree": lambda left, right, offset: (
        len(right) == left - 1 and _are_tree(range(offset, offset + left), right)
    ),
}


def _are_tree(nodes: Iterable[int], rows: Sequence[Sequence[Any]]) -> bool:
    """Whether rows, each of which begins with two nodes and which are one fewer than the nodes, are
    the edges of a tree."""
    above = {node: node for node in nodes}  # towards the node that stands for a connected part

    def find(node: int) -> int:
        while above[node] != node:
            above[node] = node = above[above[node]]
        return node

    for left, right, *_ in rows:
        if left not in above or right not in above or find(left) == find(right):
            return False
        above[find(left)] = find(right)
    return True


def infer_record(records: Sequence[Any], letters: frozenset[str] = frozenset()) -> Field:
    """Return the field that describes records of one length: a field for each place, and relations.

    letters: those that programs look for in texts.
    """
    fields = tuple(infer_field(column, letters) for column in zip(*records, strict=True))
    span, relations = Span(len(fields), len(fields)), tuple(find_relations(fields, records))
    samples = tuple(records[:_SAMPLES])
    return Field(Shape.RECORD, span, fields, type(records[0]), samples, relations=relations)


def infer_field(
    values: Sequence[Any], letters: frozenset[str] = frozenset(), *, in_list: bool = False
) -> Field:
    """Return the field that describes the values at one place of different inputs. letters: as of
    ``infer_record``. in_list: whether they are items of lists."""
    shape = _find_common_shape(values)
    samples = tuple(values[:_SAMPLES])
    if shape in NUMBERS:
        return Field(shape, Span(min(values), max(values)), samples=samples)
    if shape is Shape.TEXT:
        lengths = list(map(len, values))
        known = letters.union(*values)
        properties = tuple(_list_text_properties(values, known))
        span = Span(min(lengths), max(lengths))
        return Field(shape, span, samples=samples, letters=known, properties=properties)
    if shape is Shape.LIST:
        return _infer_list(values, letters, in_list=in_list)
    if shape is Shape.MIXED:
        by_type: dict[type, list[Any]] = {}
        for value in values:
            by_type.setdefault(type(value), []).append(value)
        return Field(shape, items=tuple(map(infer_field, by_type.values())), samples=samples)
    return fix_values(samples) if shape is Shape.FIXED else Field(shape, samples=samples)


def fix_values(samples: Sequence[Any]) -> Field:
    """Return the field that only allows these values."""
    fixed = Property("fixed", lambda value: value in samples, is_stated=True)
    return Field(Shape.FIXED, samples=tuple(samples), properties=(fixed,))


def _find_common_shape(values: Sequence[Any]) -> Shape:
    types = set(map(type, values))
    if types == {int, float}:
        return Shape.REAL
    if len(types) > 1:
        return Shape.MIXED
    return next((_SHAPES.get(kind, Shape.FIXED) for kind in types), Shape.FIXED)


def _infer_list(values: Sequence[Any], letters: frozenset[str], *, in_list: bool) -> Field:
    """Return the field of lists: a record if they are short rows whose places differ in meaning."""
    container = type(values[0])
    span = Span(min(map(len, values)), max(map(len, values)))
    if span.low == span.high <= _ROW and container in (list, tuple):
        types = set(map(_find_common_shape, zip(*values, strict=True)))
        are_rows = span.low > 1 and in_list and len(values) >= _FEW_LISTS
        if len(types) > 1 or are_rows:
            return infer_record(values, letters)
    items = [item for value in values for item in list_items(value)]
    item = infer_field(items, in_list=True)
    if container is dict:
        columns = list(zip(*items, strict=True)) or [("",), (0,)]
        item = Field(Shape.RECORD, Span(2, 2), tuple(map(infer_field, columns)), tuple)
    properties = () if container is dict else tuple(_list_list_properties(values))
    samples = tuple(values[:_SAMPLES])
    return Field(Shape.LIST, span, (item,), container, samples, properties=properties)


def find_relations(fields: Sequence[Field], records: Sequence[Sequence[Any]]) -> Iterator[Relation]:
    """Yield the relations that all records satisfy, if there are enough records to believe them."""
    sized = {
        place
        for place, one in enumerate(fields)
        if one.shape in _SIZED and one.container in (list, tuple)
    }
    numbers = {place for place, one in enumerate(fields) if one.shape is Shape.INTEGER}
    for left in sorted(numbers):
        varied = len({record[left] for record in records}) > 1
        counts = [one for at in sorted(sized) for one in _find_length(left, at, records, varied)]
        yield from counts
        limits = sorted((numbers if counts else numbers | sized) - {left})
        for one in (Relation("limit", left, right) for right in limits):
            if len(records) >= _FEW_LISTS and varied and all(map(one.holds, records)):
                yield one
    for left, right in permutations(range(len(fields)), 2):
        one = Relation("member", left, right)
        is_whole = right in sized and len(records) >= _FEW_LISTS
        if is_whole and fields[left].shape is not Shape.LIST and all(map(one.holds, records)):
            yield one
    for left, right in combinations(sorted(sized), 2):
        varies = len({len(record[left]) for record in records}) > 1
        is_frequent = len(records) >= _FEW_LISTS
        offsets: tuple[int, ...] = (0,) if varies or is_frequent else ()
        if varies and is_frequent:  # enough to believe that one is longer by an item
            offsets = (0, 1, -1)
        for one in (Relation("same length", left, right, offset) for offset in offsets):
            if all(map(one.holds, records)):
                yield one


def _find_length(
    left: int, right: int, records: Sequence[Sequence[Any]], varied: bool
) -> Iterator[Relation]:
    names: tuple[RelationName, ...] = ("length", "width")
    for name in names:
        for offset in (0, -1, 1):
            one = Relation(name, left, right, offset, is_stated=varied)
            if any(len(record[right]) for record in records) and all(map(one.holds, records)):
                yield one
                break
    for first in (0, 1):
        one = Relation("tree", left, right, first, is_stated=True)
        if max(len(record[right]) for record in records) > 2 and all(map(one.holds, records)):
            yield one


def apply_constraints(field: Field, constraints: Iterable[Constraint]) -> Field:
    """Return the field with constraints on it. Those that seen values contradict are ignored."""
    for one in constraints:
        if one.choices:
            field = _add_choices(field, one.choices)
        elif one.trait is None:
            field = _add_bounds(field, one)
        else:
            field = _add_trait(field, one.trait)
    return field


def _add_trait(field: Field, trait: Trait) -> Field:
    holds = _TRAITS.get(field.shape, {}).get(trait)
    if holds is None or not all(map(holds, field.samples)):
        return field
    return field.with_property(Property(trait, holds, is_stated=True))


def _add_choices(field: Field, choices: frozenset[str]) -> Field:
    """Return the field of which each number and text, or each letter of a text, is a choice. Signs
    that were seen, such as the spaces between words, are choices of letters."""
    if field.shape in (Shape.LIST, Shape.RECORD):
        return replace(field, items=tuple(_add_choices(item, choices) for item in field.items))
    letters = choices | {letter for letter in field.letters if not letter.isalnum()}
    holds = partial(_is_choice, choices=choices, letters=letters)
    if field.shape not in (*NUMBERS, Shape.TEXT) or not all(map(holds, field.samples)):
        return field
    field = replace(field, letters=field.letters & letters)
    return field.with_property(Property("choice", holds, is_stated=True))


def _is_choice(value: Any, choices: frozenset[str], letters: frozenset[str]) -> bool:
    return str(value) in choices or (isinstance(value, str) and letters.issuperset(value))


def _add_bounds(field: Field, one: Constraint, *, is_item: bool = False) -> Field:
    """Apply the bounds to a number, to a length, or to the items of a list at any depth."""
    aspect = None
    if field.shape in NUMBERS:
        aspect = Aspect.ITEM if is_item else Aspect.VALUE
    elif field.shape in _SIZED:
        aspect = Aspect.ITEM_LENGTH if is_item else Aspect.LENGTH
    if one.aspect is aspect:
        # "Positive integers", without a name, may be about something else: nothing above is stated.
        return field.widen(one.low, one.high if one.name else None)
    about_items = one.aspect in (Aspect.ITEM, Aspect.ITEM_LENGTH) or not one.name
    if about_items and field.shape in (Shape.LIST, Shape.RECORD):
        items = (_add_bounds(item, one, is_item=True) for item in field.items)
        return replace(field, items=tuple(items))
    return field
