"""In host, guest and test runner: one typed codec for values that JSON lacks, also in files.

``to_json`` / ``from_json`` translate between Python values and JSON with tags
({"$tuple": [...]}, $set, $frozenset, $dict (pairs), $bytes (base64), $complex, $float; and $int,
hexadecimal, for integers so long that decimal digits would take quadratic time to read).
Exact built-in types only: a subclass, or anything else, raises ``NotEncodableError``. A dictionary
that JSON would misread (keys that are not strings, or a single key that looks like a tag)
becomes $dict.

Everything here reads with exact type checks and C-level iteration, so that a program's own
``__iter__`` or ``__eq__`` is never run by it.
"""

from __future__ import annotations

import binascii
import math

TYPE_CHECKING = False  # no import of ours: the corpus pipeline runs this text inside a program
if TYPE_CHECKING:
    from typing import Any

# The worst value, $dict in $dict, takes 5 frames a level to read, and Python allows 1,000 in all.
MAX_DEPTH = 150
LONG_INT_BITS = 10_000
MAX_EQUAL_HASHES = 100  # members of a set, or keys, that share a hash; more are no accident
TAGS = frozenset({"$tuple", "$set", "$frozenset", "$dict", "$bytes", "$complex", "$float", "$int"})
_TYPE_OF_TAG: dict[str, Any] = {"$tuple": tuple, "$set": set, "$frozenset": frozenset}
_FLAT_TYPE_SETS = (frozenset({int}), frozenset({str}), frozenset({bool}))

_CONTAINER_TYPES = frozenset({list, dict})

_list_iter = list.__iter__
_dict_items = dict.items


class NotEncodableError(TypeError):
    """The value has no exact built-in form; the message says why."""


def to_json(value: Any) -> Any:
    """Translate to JSON values. Raises NotEncodableError."""
    try:
        return _to_json(value, 0)
    except RecursionError:  # the caller is deep in the stack, or the program lowered the limit
        raise NotEncodableError("nested too deeply for the stack that is left") from None


def _to_json(value: Any, depth: int) -> Any:
    value_type = type(value)
    if value is None or value_type is bool or value_type is str:
        return value
    if value_type is int:
        return value if value.bit_length() <= LONG_INT_BITS else {"$int": hex(value)}
    if value_type is float:
        if math.isfinite(value):
            return value
        return {"$float": "nan" if value != value else ("inf" if value > 0 else "-inf")}
    if depth >= MAX_DEPTH:
        raise NotEncodableError(f"nested deeper than {MAX_DEPTH} levels")
    if value_type is list:
        if _is_flat(value):
            return value
        return [_to_json(item, depth + 1) for item in _list_iter(value)]
    if value_type is tuple:
        return {"$tuple": [_to_json(item, depth + 1) for item in tuple.__iter__(value)]}
    if value_type is dict:
        return _dict_to_json(value, depth)
    return _other_to_json(value, value_type, depth)


def _is_flat(value: list[Any]) -> bool:
    # A list of 200,000 small numbers is common, and converting it item by item is slow.
    item_types = frozenset(map(type, _list_iter(value)))
    if item_types not in _FLAT_TYPE_SETS:
        return False
    return int not in item_types or max(map(int.bit_length, _list_iter(value))) <= LONG_INT_BITS


def _dict_to_json(value: dict[Any, Any], depth: int) -> Any:
    pairs = list(_dict_items(value))
    has_text_keys = all(type(key) is str for key, _ in pairs)
    if has_text_keys and not (len(pairs) == 1 and pairs[0][0] in TAGS):
        return {key: _to_json(item, depth + 1) for key, item in pairs}
    return {"$dict": [[_to_json(k, depth + 1), _to_json(v, depth + 1)] for k, v in pairs]}


def _other_to_json(value: Any, value_type: type, depth: int) -> Any:
    if value_type is set or value_type is frozenset:
        items = [_to_json(item, depth + 1) for item in value_type.__iter__(value)]
        return {f"${value_type.__name__}": sorted(items, key=repr)}
    if value_type is bytes:
        return {"$bytes": binascii.b2a_base64(value, newline=False).decode("ascii")}
    if value_type is complex:
        return {"$complex": [_to_json(value.real, 0), _to_json(value.imag, 0)]}
    raise NotEncodableError(f"a value of type {value_type.__name__} has no plain form")


def from_json(value: Any, levels: int = 0) -> Any:
    """Translate tagged JSON back to Python values.

    levels: how many containers of ``value`` are around what to_json wrote. Raises ValueError for a
    malformed tag, for nesting that to_json does not write, and where many members of a set, or
    keys, share a hash.
    """
    try:
        return _from_json(value, -levels)
    except RecursionError:
        raise ValueError("nested too deeply to be read") from None


def _from_json(value: Any, depth: int) -> Any:
    value_type = type(value)
    if value_type is not list and value_type is not dict:
        return value
    if value_type is dict and len(value) == 1:
        (tag,) = value
        if tag in TAGS:
            return _untag(tag, value[tag], depth)
    _check_depth(depth)
    if value_type is dict:
        return {key: _from_json(item, depth + 1) for key, item in value.items()}
    # A list without containers is copied in C: converting item by item is slow for long lists.
    if _CONTAINER_TYPES.isdisjoint(map(type, value)):
        return value[:]
    return [_from_json(item, depth + 1) for item in value]


def _check_depth(depth: int) -> None:
    if depth >= MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")


def _untag(tag: str, body: Any, depth: int) -> Any:
    if tag == "$float":
        if body not in ("nan", "inf", "-inf"):
            raise ValueError(f'$float must be "nan", "inf" or "-inf", not {type(body).__name__}')
        return float(body)
    if tag == "$int":
        return _decode_int(_require(tag, body, str, "string"))
    _check_depth(depth)
    if tag == "$bytes":
        return _decode_bytes(_require(tag, body, str, "string"))
    item_depth = depth if tag == "$dict" else depth + 1  # a pair is no level of its own
    items = [_from_json(item, item_depth) for item in _require(tag, body, list, "list")]
    if tag == "$complex":
        return _build_complex(items)
    try:
        if tag == "$dict":
            return _build_dict(items)
        if tag != "$tuple":
            items = [_freeze(item) for item in items]
            refuse_hash_collisions(items)
        return _TYPE_OF_TAG[tag](items)
    except TypeError as error:
        raise ValueError(f"{tag} holds something unhashable") from error


def _decode_int(text: str) -> int:
    try:
        return int(text, 16)
    except ValueError:
        raise ValueError("$int must hold a hexadecimal number") from None


def _decode_bytes(text: str) -> bytes:
    try:
        return binascii.a2b_base64(text, strict_mode=True)
    except ValueError as error:
        raise ValueError(f"$bytes must hold base64: {error}") from None


def _build_complex(items: list[Any]) -> complex:
    if len(items) != 2 or not all(type(item) in (int, float) for item in items):
        raise ValueError("$complex must hold two numbers")
    real, imag = items
    try:
        return complex(real, imag)
    except OverflowError:
        raise ValueError("$complex holds an integer too large for a float") from None


def _require(tag: str, body: Any, kind: type, noun: str) -> Any:
    if type(body) is not kind:
        # Not the value itself, which may be huge, or an integer that Python refuses to format.
        raise ValueError(f"{tag} must hold a {noun}, not {type(body).__name__}")
    return body


def _build_dict(items: list[Any]) -> dict[Any, Any]:
    for item in items:
        if type(item) is not list or len(item) != 2:
            raise ValueError("$dict must hold [key, value] pairs")
    keys = [_freeze(key) for key, _ in items]
    refuse_hash_collisions(keys)
    return {key: item for key, (_, item) in zip(keys, items, strict=True)}


def _freeze(value: Any) -> Any:
    """Return a member of a set, or a key. Programs in other languages write a pair as a list."""
    if type(value) is list:
        return tuple(map(_freeze, value))
    return frozenset(value) if type(value) is set else value


def refuse_hash_collisions(keys: list[Any]) -> None:
    """Raise ValueError where many keys share a hash, TypeError where one has none."""
    # An integer is its own hash, so a program can choose hashes, and a set of n members that share
    # one takes n squared steps to build: an hour for the 16 MiB that a program may send.
    if len(keys) > MAX_EQUAL_HASHES:
        hashes = sorted(map(hash, keys))
        if any(map(int.__eq__, hashes, hashes[MAX_EQUAL_HASHES:])):
            raise ValueError(f"more than {MAX_EQUAL_HASHES} members or keys share a hash")
