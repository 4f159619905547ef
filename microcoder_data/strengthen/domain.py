"""Describes the inputs that a problem allows: a field for each argument or part, with its bounds.

Bounds are stated (in the statement) or seen (in the tests). ``Field.risk`` counts in how many
respects a value goes beyond both: 0 is inside, and FORBIDDEN contradicts the statement or the
layout. The allowed risk depends on how many right programs agree on the answer (consent.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Any

from microcoder_data.constraints import Aspect, Constraint, Trait

FORBIDDEN = 100
_NEW_SIGN, _NEW_KIND = 2, 2  # risk of a sign, or of a kind of letters, without any evidence
_FEW_LISTS = 3  # fewer lists may show an order by chance
_SMALL = 3  # numbers below this are special if they are below all seen numbers too
_GROWTH = 10  # up to this many times the greatest seen number is no risk
_FEW_WORDS = 3  # many words with at most this many different ones are an enumeration
_MANY = 6
_TELLING = 1000  # of a longer list of numbers, only the extremes are checked
_ROW = 4  # longest list whose positions may differ in meaning


class Shape(StrEnum):
    """The kinds of field."""

    INTEGER = "integer"
    REAL = "real"
    FLAG = "flag"
    TEXT = "text"
    LIST = "list"
    RECORD = "record"
    MAP = "map"
    MIXED = "mixed"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Span:
    """Bounds of numbers or lengths.

    low, high: the least and the greatest seen. stated_low, stated_high: None if nothing is stated.

    floor: a lower bound from a phrase without a name, such as "positive integers". The phrase may
    be about something else, so values below it are forbidden, but it makes no value less risky.
    """

    low: float
    high: float
    stated_low: float | None = None
    stated_high: float | None = None
    floor: float | None = None

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

    def restrict(self, one: Constraint) -> Span:
        """Return the span with the bounds of a constraint."""
        if one.name:
            return self.widen(one.low, one.high)
        is_new = one.low is not None and one.low <= self.low
        return replace(self, floor=one.low) if is_new else self

    def risk(self, value: float) -> int:
        """Return how far a value goes beyond the stated or seen bounds."""
        if self.floor is not None and value < self.floor:
            return FORBIDDEN
        if not (self.stated_low is None or value >= self.stated_low):
            return FORBIDDEN
        if not (self.stated_high is None or value <= self.stated_high):
            return FORBIDDEN
        risk = 0
        if value < self.low and self.stated_low is None and self.low >= 0:
            risk += _NEW_SIGN if value < 0 else value < _SMALL
        if value > self.high and self.stated_high is None:
            if self.high <= 0 < value and self.low < 0:
                risk += _NEW_SIGN
            risk += value > _GROWTH * max(abs(self.high), _GROWTH)
        return int(risk)


@dataclass(frozen=True, slots=True)
class Field:
    """One place of inputs. span: of a number, or of the length of a text, list or map.

    items: the field of all items of a list, those of key and value of a map, one field for each
    item of a record, or one for each type of a mixed field. samples: values seen. letters, forms:
    of texts. habits: the properties that all seen values have, such as "ascending".
    """

    shape: Shape
    span: Span = Span(0, 0)
    items: tuple[Field, ...] = ()
    container: type = list
    samples: tuple[Any, ...] = ()
    letters: frozenset[str] = frozenset()
    forms: frozenset[str] = frozenset()
    habits: frozenset[str] = frozenset()
    traits: frozenset[Trait] = frozenset()
    relations: tuple[Relation, ...] = ()

    def risk(self, value: Any) -> int:
        """Return how many risks a value takes; FORBIDDEN if it cannot be valid."""
        if find_shape(value, self) is None:
            return FORBIDDEN
        return min(_RISKS[self.shape](self, value), FORBIDDEN)

    def find_item(self, value: Any) -> Field | None:
        """Return the item of a mixed field that has the value's type."""
        return next((item for item in self.items if find_shape(value, item)), None)


def find_shape(value: Any, place: Field) -> Shape | None:
    """Return the field's shape if the value has its type, else None."""
    types: dict[Shape, tuple[type, ...]] = {
        Shape.FLAG: (bool,), Shape.INTEGER: (int,), Shape.REAL: (int, float), Shape.TEXT: (str,),
        Shape.MAP: (dict,), Shape.LIST: (place.container,), Shape.RECORD: (place.container,),
        Shape.MIXED: (object,), Shape.FIXED: (object,),
    }  # fmt: skip
    is_flag = isinstance(value, bool) and place.shape in (Shape.INTEGER, Shape.REAL)
    return place.shape if isinstance(value, types[place.shape]) and not is_flag else None


def _risk_of_text(place: Field, value: str) -> int:
    if _is_enumeration(place):
        return 0 if value in place.samples else _NEW_KIND
    risk = place.span.risk(len(value))
    seen = {classify_letter(letter) for letter in place.letters}
    if _has_few_letters(place) and not set(value) <= place.letters:
        risk += _NEW_KIND
    for name in {classify_letter(letter) for letter in value if letter not in place.letters} - seen:
        if name in ("upper", "lower", " "):
            risk += 1 if seen & {"upper", "lower"} else _NEW_KIND
        else:
            risk += _NEW_KIND
    risk += any(not _TEXT_TRAITS[trait](value) for trait in place.traits) * FORBIDDEN
    lengths = {len(sample) for sample in place.samples}
    many = len(set(place.samples)) >= _FEW_LISTS
    risk += many and len(lengths) == 1 and len(value) not in lengths
    has_form = many and len(place.forms) <= max(1, len(set(place.samples)) // 3)
    risk += has_form and bool(value) and find_form(value) not in place.forms
    if "balanced" in place.habits and not _is_balanced(value):
        risk += _NEW_KIND
    if "balanced words" in place.habits and not all(map(_is_balanced, value.split())):
        risk += _NEW_KIND
    if "words" in place.habits:
        words = {word for sample in place.samples for word in sample.split()}
        risk += _NEW_KIND * any(word not in words for word in value.split())
    return risk


def _find_text_habits(values: Sequence[str]) -> Iterator[str]:
    """Yield "balanced" or "balanced words" if all brackets match, and "words" for a small
    vocabulary."""
    words = [word for value in values for word in value.split()]
    if any(set(value) & set("()[]{}<>") for value in values):
        if all(map(_is_balanced, values)):
            yield "balanced"
        if all(map(_is_balanced, words)):
            yield "balanced words"
    if len(words) >= _MANY and 3 * len(set(words)) <= len(words):
        yield "words"


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


def _has_few_letters(place: Field) -> bool:
    """Whether texts consist of so few letters, each so often, that other letters are probably not
    allowed."""
    letters = "".join(place.samples)
    return len(set(letters)) <= _FEW_WORDS and len(letters) >= _MANY * len(set(letters)) > 0


def _is_enumeration(place: Field) -> bool:
    return len(place.samples) >= _MANY and len(set(place.samples)) <= _FEW_WORDS


def classify_letter(letter: str) -> str:
    """Return the class of a letter; each sign is a class of its own."""
    if letter.isdigit():
        return "digit"
    if letter.isalpha():
        return "upper" if letter.isupper() else "lower"
    return letter


def find_form(text: str) -> str:
    """Return a text with "a" for each run of letters, "9" for each run of digits, and single
    signs."""
    return re.sub(r"(.)\1+", r"\1", re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", text)))


def _risk_of_list(place: Field, value: Any) -> int:
    items = list(value)
    risk = place.span.risk(len(items))
    are_numbers = place.items[0].shape in (Shape.INTEGER, Shape.REAL)
    telling = [min(items), max(items)] if are_numbers and len(items) > _TELLING else items
    risk += max((place.items[0].risk(item) for item in telling), default=0)
    lengths = {len(sample) for sample in place.samples}
    risk += len(place.samples) >= _FEW_LISTS and len(lengths) == 1 and len(items) not in lengths
    for trait in place.traits:
        if trait in LIST_TRAITS and not LIST_TRAITS[trait](items):
            risk += FORBIDDEN
    return risk + sum(not HABITS[habit](items) for habit in place.habits)


def _risk_of_record(place: Field, value: Any) -> int:
    if len(value) != len(place.items):
        return FORBIDDEN
    risk = sum(item.risk(part) for item, part in zip(place.items, value, strict=True))
    return risk + sum(one.risk for one in place.relations if not one.holds(value))


def _risk_of_map(place: Field, value: dict[Any, Any]) -> int:
    risk = place.span.risk(len(value))
    keys = max((place.items[0].risk(key) for key in value), default=0)
    return risk + keys + max((place.items[1].risk(item) for item in value.values()), default=0)


def _risk_of_mixed(place: Field, value: Any) -> int:
    item = place.find_item(value)
    return FORBIDDEN if item is None else item.risk(value)


_RISKS: dict[Shape, Callable[[Field, Any], int]] = {
    Shape.INTEGER: lambda place, value: _risk_of_number(place, value),
    Shape.REAL: lambda place, value: _risk_of_number(place, value),
    Shape.FLAG: lambda place, value: 0,
    Shape.TEXT: _risk_of_text,
    Shape.LIST: _risk_of_list,
    Shape.RECORD: _risk_of_record,
    Shape.MAP: _risk_of_map,
    Shape.MIXED: _risk_of_mixed,
    Shape.FIXED: lambda place, value: 0 if value in place.samples else FORBIDDEN,
}


def _risk_of_number(place: Field, value: float) -> int:
    many = len(place.samples) >= _MANY
    is_choice = many and len(set(place.samples)) <= 2 and place.span.high - place.span.low <= 1
    if is_choice and value not in place.samples:
        return _NEW_KIND
    broken = any(value % 2 != (trait is Trait.ODD) for trait in place.traits)
    return place.span.risk(value) + broken * FORBIDDEN


def _is_sorted(items: Sequence[Any]) -> bool:
    try:
        return all(left <= right for left, right in pairwise(items))
    except TypeError:
        return False


def _is_distinct(items: Sequence[Any]) -> bool:
    return len(set(map(repr, items))) == len(items)


def _is_rectangle(items: Sequence[Any]) -> bool:
    return len({len(item) for item in items if isinstance(item, str | list | tuple)}) <= 1


def _is_permutation(items: Sequence[Any]) -> bool:
    return sorted(map(repr, items)) in (
        sorted(map(repr, range(1, len(items) + 1))),
        sorted(map(repr, range(len(items)))),
    )


_TEXT_TRAITS: dict[Trait, Callable[[str], bool]] = {
    Trait.LOWERCASE: lambda text: text == text.lower(),
    Trait.UPPERCASE: lambda text: text == text.upper(),
    Trait.LETTERS: lambda text: not text or text.isalpha(),
    Trait.DIGITS: lambda text: not text or text.isdigit(),
    Trait.ALPHANUMERIC: lambda text: not text or text.isalnum(),
    Trait.BINARY: lambda text: set(text) <= {"0", "1"},
}
LIST_TRAITS: dict[Trait, Callable[[Sequence[Any]], bool]] = {
    Trait.DISTINCT: _is_distinct,
    Trait.ASCENDING: _is_sorted,
    Trait.DESCENDING: lambda items: _is_sorted(items[::-1]),
    Trait.PERMUTATION: _is_permutation,
    Trait.EVEN: lambda items: len(items) % 2 == 0,
    Trait.ODD: lambda items: len(items) % 2 == 1,
}
HABITS: dict[str, Callable[[Sequence[Any]], bool]] = {
    "ascending": _is_sorted,
    "descending": lambda items: _is_sorted(items[::-1]),
    "distinct": _is_distinct,
    "rectangle": _is_rectangle,
    "square": lambda items: all(len(item) == len(items) for item in items),
    "permutation": _is_permutation,
}


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two fields of a record. risk: of breaking it.

    name: "length": the number ``left`` is the length of ``right`` plus ``offset``; "width": it is
    the length of its rows; "same length"; "within": ``left`` is at most the length; "order": left
    <= right; "member", "items within": see ``_RELATIONS``.
    """

    name: str
    left: int
    right: int
    offset: int = 0
    risk: int = 1

    def holds(self, record: Sequence[Any]) -> bool:
        """Whether a record satisfies the relation."""
        left, right = record[self.left], record[self.right]
        try:
            return bool(_RELATIONS[self.name](left, right, self.offset))
        except TypeError:
            return False


_RELATIONS: dict[str, Callable[[Any, Any, int], bool]] = {
    "length": lambda left, right, offset: left == len(right) + offset,
    "width": lambda left, right, offset: all(len(row) + offset == left for row in right),
    "same length": lambda left, right, _: len(left) == len(right),
    "within": lambda left, right, offset: left <= len(right) + offset,
    "order": lambda left, right, offset: left <= right + offset,
    "items within": lambda left, right, _: all(abs(item) <= left for item in _flatten(right)),
    "member": lambda left, right, _: left in right,
}


def _flatten(value: Any) -> Iterator[float]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _flatten(item)
    elif isinstance(value, int | float):
        yield value


def infer_field(values: Sequence[Any], *, is_root: bool = False, in_list: bool = False) -> Field:
    """Return the field that describes the values at one place of different inputs."""
    shape = _find_common_shape(values)
    samples = tuple(values[:200])
    if shape in (Shape.INTEGER, Shape.REAL):
        return Field(shape, Span(min(values), max(values)), samples=samples)
    if shape is Shape.TEXT:
        lengths = list(map(len, values))
        letters = frozenset("".join(values))
        forms = frozenset(map(find_form, filter(None, values)))
        span = Span(min(lengths), max(lengths))
        habits = frozenset(_find_text_habits(values))
        return Field(shape, span, samples=samples, letters=letters, forms=forms, habits=habits)
    if shape is Shape.MAP:
        sizes = list(map(len, values))
        keys = infer_field([key for value in values for key in value] or [""])
        items = infer_field([item for value in values for item in value.values()] or [0])
        return Field(shape, Span(min(sizes), max(sizes)), (keys, items), dict, samples)
    if shape is Shape.LIST:
        return _infer_list(values, samples, is_root=is_root, in_list=in_list)
    if shape is Shape.MIXED:
        by_type: dict[type, list[Any]] = {}
        for value in values:
            by_type.setdefault(type(value), []).append(value)
        return Field(shape, items=tuple(map(infer_field, by_type.values())), samples=samples)
    return Field(shape, samples=samples)


def _find_common_shape(values: Sequence[Any]) -> Shape:
    types = {type(value) for value in values}
    if types <= {int, float} and types:
        return Shape.REAL if float in types else Shape.INTEGER
    if len(types) != 1:
        return Shape.MIXED if types else Shape.FIXED
    shapes = {bool: Shape.FLAG, str: Shape.TEXT, dict: Shape.MAP}
    (kind,) = types
    is_list = kind in (list, tuple, set, frozenset)
    return shapes.get(kind, Shape.LIST if is_list else Shape.FIXED)


def _infer_list(
    values: Sequence[Any], samples: tuple[Any, ...], *, is_root: bool, in_list: bool
) -> Field:
    container = type(values[0])
    lengths = {len(value) for value in values}
    width = next(iter(lengths))
    columns = [list(column) for column in zip(*values, strict=False)]
    is_row = len(lengths) == 1 and 0 < width <= _ROW and container in (list, tuple)
    types_differ = is_row and len({_find_common_shape(column) for column in columns}) > 1
    if is_root or types_differ or (is_row and width > 1 and in_list and len(values) >= _FEW_LISTS):
        fields = tuple(map(infer_field, columns))
        record = Field(Shape.RECORD, Span(width, width), fields, container, samples)
        return replace(record, relations=tuple(find_relations(fields, values)))
    items = [item for value in values for item in value]
    item = infer_field(items, in_list=True) if items else Field(Shape.FIXED)
    span = Span(min(lengths), max(lengths))
    return Field(Shape.LIST, span, (item,), container, samples, habits=_find_habits(values))


def _find_habits(values: Sequence[Any]) -> frozenset[str]:
    """Return the properties that all lists have. Lists of two items are ignored: they are ordered
    by chance."""
    telling = [
        list(value) for value in values if len(value) > 2 and isinstance(value, list | tuple)
    ]
    rows = [row for value in values for row in value if isinstance(row, str | list | tuple)]
    habits = set()
    if len(telling) >= _FEW_LISTS:
        names = ("ascending", "descending", "distinct", "permutation")
        habits = {name for name in names if all(map(HABITS[name], telling))}
    if rows and len({len(value) for value in values}) > 1 and all(map(_is_rectangle, values)):
        habits.add("rectangle")
        if all(map(HABITS["square"], values)) and len({len(value) for value in values}) > 1:
            habits.add("square")
    return frozenset(habits)


def find_relations(fields: Sequence[Field], records: Sequence[Sequence[Any]]) -> Iterator[Relation]:
    """Yield the relations that all records satisfy, if there are enough records to believe them."""
    sized = {place for place, one in enumerate(fields) if one.shape in (Shape.TEXT, Shape.LIST)}
    numbers = {place for place, one in enumerate(fields) if one.shape is Shape.INTEGER}
    for left in sorted(numbers):
        varied = len({record[left] for record in records}) > 1
        for right in sorted(sized):
            yield from _find_length(left, right, records, varied)
        for right in sorted(numbers - {left}):
            one = Relation("order", left, right)
            if len(records) > _FEW_LISTS and varied and all(map(one.holds, records)):
                yield one
    for left in sorted(sized):
        for right in sorted(place for place in sized if place > left):
            one = Relation("same length", left, right)
            lengths = {len(record[left]) for record in records}
            if all(map(one.holds, records)) and (len(lengths) > 1 or len(records) >= _FEW_LISTS):
                yield one


def _find_length(
    left: int, right: int, records: Sequence[Sequence[Any]], varied: bool
) -> Iterator[Relation]:
    hard = FORBIDDEN if varied else 1
    for name in ("length", "width"):
        for offset in (0, -1, 1):
            one = Relation(name, left, right, offset, hard)
            if any(len(record[right]) for record in records) and all(map(one.holds, records)):
                yield one
                return
    for one in (Relation("within", left, right, -1), Relation("within", left, right, 0)):
        if len(records) >= _FEW_LISTS and all(map(one.holds, records)):
            yield one
            break
    for name in ("items within", "member"):
        one = Relation(name, left, right)
        if len(records) >= _FEW_LISTS and all(map(one.holds, records)):
            yield one


def apply_constraints(
    place: Field, constraints: Iterable[Constraint], name: str, *, alone: bool = False
) -> Field:
    """Return the field with the constraints on its name applied.

    alone: apply constraints without a name too. Constraints that seen values contradict are
    ignored.
    """
    for one in constraints:
        is_near = one.concerns(name) or (alone and not one.name)
        if one.trait is not None and is_near:
            place = _add_trait(place, one.trait)
        elif is_near:
            place = _add_bounds(place, one, 0)
    return place


def _add_trait(place: Field, trait: Trait) -> Field:
    tests: dict[Trait, Callable[[Any], bool]] = {}
    if place.shape is Shape.TEXT:
        tests = dict(_TEXT_TRAITS)
    elif place.shape is Shape.LIST:
        tests = dict(LIST_TRAITS)
    elif place.shape is Shape.INTEGER:
        tests = {Trait.EVEN: lambda value: value % 2 == 0, Trait.ODD: lambda value: value % 2 == 1}
    if trait in tests and all(map(tests[trait], place.samples)):
        place = replace(place, traits=place.traits | {trait})
    elif place.shape is Shape.LIST and trait in _TEXT_TRAITS:
        place = replace(place, items=(_add_trait(place.items[0], trait),))
    return place


def _add_bounds(place: Field, one: Constraint, depth: int) -> Field:
    """Apply the bounds to a number, to a length, or to the items of a list at any depth."""
    is_number = place.shape in (Shape.INTEGER, Shape.REAL)
    is_sized = place.shape in (Shape.TEXT, Shape.LIST)
    about_items = one.aspect in (Aspect.ITEM, Aspect.ITEM_LENGTH)
    if is_number and one.aspect is (Aspect.ITEM if depth else Aspect.VALUE):
        return replace(place, span=place.span.restrict(one))
    if is_sized and one.aspect is (Aspect.ITEM_LENGTH if depth else Aspect.LENGTH):
        return replace(place, span=place.span.restrict(one))
    if place.shape in (Shape.LIST, Shape.RECORD) and (about_items or one.name == ""):
        items = tuple(_add_bounds(item, one, depth + 1) for item in place.items)
        return replace(place, items=items)
    return place
