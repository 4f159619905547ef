"""In guest and test runner: converts what a function returned to built-in values.

Exact built-in types go straight through the codec. Other types that official judges serialise
become the built-in value they stand for: instances of subclasses (by the base type's C methods,
never by overridden ones), byte arrays, deques, arrays, ranges, views, iterators (run in the
program's process, under its limits), numpy scalars and arrays, Decimal and Fraction. Anything else
is refused; the error names its type. For a rewritten assertion, a value is only converted if
Python's own == agrees: a Counter equals a dict, but a generator equals no list.
"""

from __future__ import annotations

import sys
from collections import deque

from . import codec
from .light_record import Any

# (base, function): the value of base that an instance of a subclass stands for.
BASE_CONVERTERS: tuple[tuple[type, Any], ...] = (
    (bool, bool),
    (int, int.__index__),
    (float, float.__float__),
    (str, lambda value: str.__getitem__(value, slice(None))),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (complex, complex.__pos__),
)
_COLLECTIONS: tuple[Any, ...] = (list, tuple, set, frozenset)
_ITERABLES: tuple[type, ...] = (
    deque, range, type({}.keys()), type({}.values()), type({}.items())
)  # fmt: skip
_SETS: tuple[type, ...] = (type({}.keys()), type({}.items()))  # which a set may equal
_ITERATOR_MODULES = ("builtins", "itertools")  # where the types of iterators are, generators too


def encode(value: Any, iterables: bool = True) -> Any:
    """Return JSON with tags. Raises NotEncodableError, which names the type at fault.

    iterables: whether a deque, range, view or iterator stands for a list.
    """
    try:
        return codec.to_json(value)
    except codec.NotEncodableError:
        return codec.to_json(to_builtin(value, 0, iterables))


def to_builtin(value: Any, depth: int, iterables: bool) -> Any:
    """Return the same value in exact built-in types, as far as it has one."""
    if depth > codec.MAX_DEPTH or value is None:
        return value
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.generic, numpy.ndarray)):
        if not iterables and value.size != 1:
            return value  # compared by ``==`` it has no truth value
        return to_builtin(value.tolist(), depth + 1, iterables)
    for base, convert in BASE_CONVERTERS:
        if isinstance(value, base):
            return convert(value)
    if (number := _get_number(value, is_exact=not iterables)) is not None:
        return number
    if isinstance(value, dict):
        pairs = [
            (to_builtin(key, depth + 1, iterables), to_builtin(item, depth + 1, iterables))
            for key, item in dict.items(value)
        ]
        return _collect(dict, pairs, value)
    for base in _COLLECTIONS:
        if isinstance(value, base):
            items = [to_builtin(item, depth + 1, iterables) for item in base.__iter__(value)]
            return _collect(base, items, value)
    if type(value) is bytearray or (type(value) is memoryview and value.format == "B"):
        return bytes(value)
    if not iterables and type(value) in _SETS:
        return _collect(set, [to_builtin(item, depth + 1, iterables) for item in value], value)
    array = getattr(sys.modules.get("array"), "array", deque)
    if iterables and (type(value) in (*_ITERABLES, array) or is_iterator(value)):
        # All items are drawn first: a generator may change what it has yielded.
        return [to_builtin(item, depth + 1, iterables) for item in list(value)]
    return value


def _collect(base: Any, items: list[Any], value: Any) -> Any:
    """Return the collection of these items; ``value``, which is refused, if a key or a member of a
    set is a range, for one: it has a hash, and the list that it stands for has none."""
    try:
        return base(items)
    except TypeError:
        return value


def is_iterator(value: Any) -> bool:
    """Whether it is a generator or another iterator of Python's own."""
    cls = type(value)
    return cls.__module__ in _ITERATOR_MODULES and hasattr(cls, "__next__")


def _get_number(value: Any, is_exact: bool) -> int | float | None:
    """Return the number that a finite Decimal or a Fraction is; None for others.

    is_exact: None, too, for a value between two floats: Decimal("0.1") == 0.1 is false in Python.
    """
    for module_name, class_name in (("decimal", "Decimal"), ("fractions", "Fraction")):
        cls = getattr(sys.modules.get(module_name), class_name, None)
        if cls is None or type(value) is not cls:
            continue
        try:
            numerator, denominator = cls.as_integer_ratio(value)
            number: int | float = numerator if denominator == 1 else numerator / denominator
        except (ValueError, OverflowError):  # nan, inf
            return None
        return number if not is_exact or number == value else None
    return None
