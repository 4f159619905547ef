"""What outlives a module: looked at before a program's first test and after each.

Whatever a program that names.py has let through can write to without naming it in its own module
is here: what modules hold, and the classes and functions of theirs that are written in Python.
Things are compared as they are (``is``), never asked whether they are equal.
"""

from __future__ import annotations

import os
import sys

from microcoder_sandbox import nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from types import ModuleType
    from typing import Any

    State = list[int]
    Look = Callable[[], State]

Function = type(lambda: None)
Module = type(sys)
_STREAMS = frozenset(["stdin", "stdout", "stderr"])  # of sys; made anew
_IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE: a class made in C that nobody can write to
_OPENING = frozenset(("open", "os", "io"))
_RECURSION, _DIGITS = 1000, 0


class Guard:
    """Knows how everything was that this program could change."""

    def __init__(self, names: frozenset[str], given: Iterable[object]) -> None:
        """names: the program's. given: functions of ours that it can call."""
        self._names = names
        self._looks: list[Look] = []
        self._before: list[State] = []
        self._seen: set[int] = set()
        self._modules: dict[str, ModuleType] = {}
        self._opens = bool(names & _OPENING)
        self._descriptor = _lowest_free_descriptor()
        for value in given:
            self._add(value)
        if "ListNode" in names or "TreeNode" in names:
            self._add(nodes.ListNode)
            self._add(nodes.TreeNode)

    def watch(self, module: ModuleType) -> None:
        """Look, from now on, at a module that the program has come to and all it names of it."""
        if id(module) in self._seen:
            return
        self._seen.add(id(module))
        held = vars(module)
        self._look(_held_by(held, self._names - _STREAMS if module is sys else self._names))
        self._modules[module.__name__] = module
        for name in self._names & held.keys():
            value = held[name]
            if type(value) is not Module:
                self._add(value)
                if "type" in self._names:
                    self._add(type(value))
            else:
                self.watch(value)

    def unchanged(self) -> bool:
        """After a test: whether the next one finds all as this one has found it."""
        if self._opens and self._descriptor != _lowest_free_descriptor():
            return False
        return [look() for look in self._looks] == self._before

    def restore(self) -> None:
        """Put back what programs change as a matter of course and no look is at."""
        if sys.getrecursionlimit() != _RECURSION:
            sys.setrecursionlimit(_RECURSION)
        if sys.get_int_max_str_digits() != _DIGITS:
            sys.set_int_max_str_digits(_DIGITS)
        for name, put_back in _RESTORED.items():
            module = self._modules.get(name)
            if module is not None:
                put_back(module)

    def _look(self, look: Look) -> None:
        self._looks.append(look)
        self._before.append(look())

    def _add(self, value: object) -> None:
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        if isinstance(value, Function):
            self._look(_state_of_function(value))
        elif isinstance(value, type):
            if not value.__flags__ & _IMMUTABLE:
                self._look(_state_of_class(value, self._names))
                for base in value.__mro__[1:]:
                    self._add(base)
        elif type(getattr(value, "__dict__", None)) is dict:
            self._look(_held_by(vars(value), self._names))


def _held_by(held: Mapping[str, Any], names: frozenset[str]) -> Look:
    # Only by these names could it come to anything, or put anything there.
    used = [*(names & held.keys())]
    return lambda: [len(held), *[id(held.get(name)) for name in used]]


def _state_of_function(function: Any) -> Look:
    def look() -> State:
        return [
            id(function.__code__), id(function.__doc__), id(function.__name__),
            id(function.__qualname__), id(function.__module__), id(function.__defaults__),
            id(function.__kwdefaults__), len(function.__dict__),
            len(function.__annotations__),
        ]  # fmt: skip

    return look


def _state_of_class(cls: type, names: frozenset[str]) -> Look:
    held = vars(cls)
    own = _held_by(held, names)
    used = [held[name] for name in names & held.keys()]
    methods = [_state_of_function(function) for function in _functions(used)]

    def look() -> State:
        state = own()
        for method in methods:
            state += method()
        return state

    return look


def _functions(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if type(value) in (classmethod, staticmethod):
            value = value.__func__
        if type(value) is property:
            yield from _functions([value.fget, value.fset, value.fdel])
        elif type(value) is Function:
            yield value


def _lowest_free_descriptor() -> int:
    descriptor = os.dup(0)
    os.close(descriptor)
    return descriptor


def _anew_decimal(module: Any) -> None:
    module.setcontext(module.Context())


_RESTORED: dict[str, Callable[[Any], None]] = {
    "random": lambda module: module.seed(),
    "decimal": _anew_decimal,
    "gc": lambda module: module.enable(),
}
