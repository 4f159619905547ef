"""In guest and test runner: the classes that test code defines, which both processes have."""

from __future__ import annotations

import sys
from builtins import all, compile, exec, hasattr, issubclass, type, vars
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from . import functions
from .functions import MODULE
from .sharing import get_class_name, get_mro

SimpleNamespace = type(sys.implementation)
_IMMUTABLE = (int, float, complex, str, bytes, tuple, frozenset)


def run_definitions(source: str, namespace: dict[str, Any]) -> dict[str, type]:
    """Run definitions in a module; its classes by name. Raises what the definitions raise."""
    namespace.update(functions.REPLACED)
    exec(compile(source, "<tests>", "exec", dont_inherit=True), namespace)
    return {
        name: value
        for name, value in namespace.items()
        if isinstance(value, type) and value.__module__ == MODULE
    }


def is_enumeration(cls: Any) -> bool:
    """Whether a class is an enumeration, whose members cross by their values."""
    return isinstance(getattr(cls, "__members__", None), MappingProxyType)


class ClassTable:
    """The test's classes: which of them both processes have, so that their objects can cross.

    get_class: the class of a name in this process, or None.
    """

    def __init__(self, get_class: Callable[[str], Any]) -> None:
        # SimpleNamespace is in both processes, and crosses as a class of the test's does.
        self.get_class: Callable[[str], Any] = lambda name: (
            get_class(name) or (SimpleNamespace if name == "SimpleNamespace" else None)
        )

    def can_send_objects_of(self, cls: type) -> bool:
        """Whether objects of a class can cross: it is a plain class of the test, and so are its
        bases, or they hold nothing, as the library's abstract ones."""
        bases = [base for base in get_mro(cls) if base is not object]
        return bool(bases) and all(
            self.get_class(get_class_name(base)) is base or vars(base).get("__slots__") == ()
            for base in bases
        )

    def can_send(self, cls: type) -> bool:
        """Whether a class itself can cross, by its name."""
        return self.find_name(cls) is not None and (
            self.can_send_objects_of(cls)
            or is_enumeration(cls)
            or issubclass(cls, (*_IMMUTABLE, BaseException))
        )

    def loses_methods(self, cls: type) -> bool:
        """Whether a class, derived by the test from an immutable built-in type, is not in both
        processes, as in a function: its values would arrive without their methods."""
        is_of_test = cls.__module__ == MODULE and issubclass(cls, _IMMUTABLE)
        return is_of_test and self.find_name(cls) is None

    def find_name(self, cls: type) -> str | None:
        """Return the name of a class if it is the test's."""
        name = get_class_name(cls)
        return name if self.get_class(name) is cls else None

    def find_class(self, name: str) -> Any:
        """Return the test's class of a name. Raises ValueError."""
        cls = self.get_class(name)
        if cls is None:
            raise ValueError("an unknown class")
        return cls

    def find_exception(self, name: str) -> Any:
        """Return the test's exception class of a name, or None."""
        cls = self.get_class(name)
        return cls if isinstance(cls, type) and issubclass(cls, BaseException) else None

    def make_value(self, class_name: str, plain: Any) -> Any:
        """Return the value of a class that the test derives from an immutable built-in type, such
        as a named tuple. Raises ValueError."""
        cls = self.find_class(class_name)
        return cls(plain) if hasattr(cls, "__members__") else type(plain).__new__(cls, plain)
