"""In host, server, guest and test runner: records that a child can afford, and the names of typing.

The fork server and each child import no ``dataclasses`` and no ``typing``: both import re, inspect
and more, and a child copies the pages of what its server has loaded. Only the responder, the test
runner and what these alone import may use ``typing``: their servers have it for programs anyway.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn
    from typing import NamedTuple as LightRecord
else:
    Any = NoReturn = object  # for annotations, which nobody evaluates here

    class _LightRecordType(type):
        """Makes a named tuple of a class body that annotates its fields."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            if not bases:
                return type.__new__(cls, name, bases, body)
            fields = body.pop("__annotations__")
            defaults = [body.pop(field) for field in fields if field in body]
            base = namedtuple(name, fields, defaults=defaults)
            reduce = lambda self: (type(self), tuple(self))  # noqa: E731 - pickled in half of the time
            return type(name, (base,), {"__slots__": (), "__reduce__": reduce, **body})

    class LightRecord(metaclass=_LightRecordType):
        """The base of a class of records: immutable, fields in the order of their annotations."""


__all__ = ["Any", "LightRecord", "NoReturn"]
