"""Records that the fork server can afford.

``dataclasses`` and ``typing`` import re, inspect and more; each child would copy their pages.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as Record
else:

    class _RecordType(type):
        """Makes a named tuple of a class body that annotates its fields."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            if not bases:
                return type.__new__(cls, name, bases, body)
            fields = body.pop("__annotations__")
            defaults = [body.pop(field) for field in fields if field in body]
            base = namedtuple(name, fields, defaults=defaults)
            return type(name, (base,), {"__slots__": (), **body})

    class Record(metaclass=_RecordType):
        """The base of a class of records: immutable, fields in the order of their annotations."""


__all__ = ["Record"]
