"""One typed codec for values that JSON lacks, used for files and across the cage's border.

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

TYPE_CHECKING = False  # typing and base64 are too heavy for the cage, which imports this module
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

MAX_DEPTH = 400
LONG_INT_BITS = 10_000
TAGS = frozenset({"$tuple", "$set", "$frozenset", "$dict", "$bytes", "$complex", "$float", "$int"})
_PLAIN_SETS = (frozenset({int}), frozenset({str}), frozenset({bool}))

_list_iter = list.__iter__
_dict_items = dict.items


class NotEncodableError(TypeError):
    """The value has no exact built-in form; the message names its type and place."""


def to_json(value: Any, depth: int = 0) -> Any:
    """Translate to plain JSON values. Raises NotEncodableError."""
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if kind is int:
        return value if value.bit_length() <= LONG_INT_BITS else {"$int": hex(value)}
    if kind is float:
        if math.isfinite(value):
            return value
        return {"$float": "nan" if value != value else ("inf" if value > 0 else "-inf")}
    if depth >= MAX_DEPTH:
        raise NotEncodableError(f"nested deeper than {MAX_DEPTH} levels")
    if kind is list:
        if _is_flat(value):
            return value
        return [to_json(item, depth + 1) for item in _list_iter(value)]
    if kind is tuple:
        return {"$tuple": [to_json(item, depth + 1) for item in tuple.__iter__(value)]}
    if kind is dict:
        return _dict_to_json(value, depth)
    return _rare_to_json(value, kind, depth)


def _is_flat(value: list[Any]) -> bool:
    # A list of 200,000 small numbers is common; walking it item by item in Python is not cheap.
    kinds = frozenset(map(type, _list_iter(value)))
    if kinds not in _PLAIN_SETS:
        return False
    return int not in kinds or max(map(int.bit_length, _list_iter(value))) <= LONG_INT_BITS


def _dict_to_json(value: dict[Any, Any], depth: int) -> Any:
    pairs = list(_dict_items(value))
    plain = all(type(key) is str for key, _ in pairs)
    if plain and not (len(pairs) == 1 and pairs[0][0] in TAGS):
        return {key: to_json(item, depth + 1) for key, item in pairs}
    return {"$dict": [[to_json(k, depth + 1), to_json(v, depth + 1)] for k, v in pairs]}


def _rare_to_json(value: Any, kind: type, depth: int) -> Any:
    if kind is set or kind is frozenset:
        items = [to_json(item, depth + 1) for item in kind.__iter__(value)]
        return {f"${kind.__name__}": sorted(items, key=repr)}
    if kind is bytes:
        return {"$bytes": binascii.b2a_base64(value, newline=False).decode("ascii")}
    if kind is complex:
        return {"$complex": [to_json(value.real), to_json(value.imag)]}
    raise NotEncodableError(f"a value of type {kind.__name__} has no plain form")


def from_json(value: Any) -> Any:
    """Translate tagged JSON back to Python values. Raises ValueError on a malformed tag."""
    kind = type(value)
    if kind is list:
        return [from_json(item) for item in value]
    if kind is not dict:
        return value
    if len(value) == 1:
        (tag,) = value
        if tag in TAGS:
            return _untag(tag, value[tag])
    return {key: from_json(item) for key, item in value.items()}


def _untag(tag: str, body: Any) -> Any:
    if tag == "$float":
        if body not in ("nan", "inf", "-inf"):
            raise ValueError(f'$float must be "nan", "inf" or "-inf", not {body!r}')
        return float(body)
    if tag == "$int":
        return int(body, 16)
    if tag == "$bytes":
        return binascii.a2b_base64(body, strict_mode=True)
    items = [from_json(item) for item in _list_of(tag, body)]
    if tag == "$complex":
        real, imag = items
        return complex(real, imag)
    if tag == "$dict":
        return dict(_pairs(items))
    builder: Any = {"$tuple": tuple, "$set": set, "$frozenset": frozenset}[tag]
    try:
        return builder(items)
    except TypeError as error:
        raise ValueError(f"{tag} holds something unhashable") from error


def _list_of(tag: str, body: Any) -> list[Any]:
    if type(body) is not list:
        raise ValueError(f"{tag} must hold a list, not {type(body).__name__}")
    return body


def _pairs(items: list[Any]) -> Iterable[tuple[Any, Any]]:
    for item in items:
        if type(item) is not list or len(item) != 2:
            raise ValueError("$dict must hold [key, value] pairs")
        yield item[0], item[1]
