"""In guest and test runner: functions that test code passes. One of the standard library crosses as
its name, one of the test's as its code and what it uses.

A function runs in the candidate's process, which gets it as an argument. What it reads from outside
of itself crosses as other values do, so a list to which it appends is the test's own, and the
variables that it assigns to have one value on both sides after each message. A function that holds
an assertion stays with the tests. Only the candidate's process makes functions of what it receives.
"""

from __future__ import annotations

import builtins
import marshal
import sys
from builtins import any, id, len, type  # bound now: a program may assign others later
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

CLASS_NAME = "$function"
MODULE = "tests"  # the name of the tests' module
PARTS = ("code", "module", "cells", "assigned")  # what a function is made of in the other process
# What test code has in the place of Python's own, for objects of the candidate and for the dry run.
REPLACED: dict[str, Any] = {
    "__is_tolerant__": lambda: False,
    "__get_class__": type,
    "__get_caught__": lambda classes: classes,
    "__get_raised__": lambda error: error,
    **{name: vars(builtins)[name] for name in ("isinstance", "issubclass", "hasattr", "callable")},
}
_MADE = frozenset(
    [
        ("functools", "partial"),
        *[("operator", n) for n in ("itemgetter", "attrgetter", "methodcaller")],
    ]
)


def make_module() -> dict[str, Any]:
    """Return the globals of a new module of tests, where dataclasses look for it."""
    module = sys.modules[MODULE] = type(sys)(MODULE)
    return module.__dict__


@lru_cache(None)
def find_variables(
    code: CodeType, refused: frozenset[str] = frozenset()
) -> tuple[list[str], list[str]] | None:
    """Return the keys, in its state (``list_state``), of all that a function or a module reads from
    outside of itself, which the tests may define later, and of what it assigns to; None if it
    cannot cross.

    refused: names that it may not use.
    """
    import dis

    read, assigned = {"defaults", "keywords", *[f"cell {name}" for name in code.co_freevars]}, set()
    for part in _walk(code):
        if refused.intersection(part.co_names):
            return None
        for instruction in dis.get_instructions(part):
            name, operation = instruction.argval, instruction.opname
            is_outer = operation[-6:] == "_DEREF" and name in code.co_freevars
            key = f"cell {name}" if is_outer else f"global {name}"
            if operation[:6] == "DELETE" and (is_outer or operation == "DELETE_GLOBAL"):
                return None
            if operation[:5] == "STORE" and (is_outer or operation == "STORE_GLOBAL"):
                assigned.add(key)
            if operation in ("LOAD_GLOBAL", "LOAD_NAME") and name not in REPLACED:
                read.add(key)
    return sorted(read | assigned), sorted(assigned)


def list_names_of_bodies(code: CodeType) -> set[str]:
    """Return the names that the body of a module and of its classes reads."""
    import dis

    parts = [dis.get_instructions(part) for part in _walk(code)]
    return {one.argval for part in parts for one in part if one.opname == "LOAD_NAME"}


def find_maker(value: Any) -> tuple[Any, tuple[Any, ...], dict[str, Any]] | None:
    """Return what makes a callable that is no function, with its arguments: a bound method, or one
    that the library makes (``partial``, ``itemgetter``). None for other values."""
    if type(value) is MethodType or type(value) is BuiltinFunctionType:
        owner = value.__self__
        return None if isinstance(owner, ModuleType) else (getattr, (owner, value.__name__), {})
    if (type(value).__module__, type(value).__name__) not in _MADE:
        return None
    maker, arguments, *state = value.__reduce__()
    if state:  # of a partial
        function, arguments, keywords, _attributes = state[0]
        return maker, (function, *arguments), keywords
    return maker, arguments, {}


def _walk(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _walk(constant)


def list_cells(function: FunctionType) -> dict[str, CellType]:
    """Return the cells of the variables that a function has from functions around it, by name."""
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


def wrap(callable_: Any, maker: Any, arguments: Any, keywords: Any) -> FunctionType:
    """Return a function that does as a callable does, by what ``find_maker`` returns for it."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return maker(*arguments, **keywords)(*args, **kwargs)

    function: Any = call
    function.__code__ = call.__code__.replace(co_name=getattr(callable_, "__name__", "wrapped"))
    made: FunctionType = function
    return made


class FunctionTable:
    """What crosses of functions, by the number of each: its variables, its cells, its module."""

    def __init__(self) -> None:
        # Keys of the variables of functions; of own functions also of what they assign to.
        self._variables: dict[int, Sequence[str]] = {}
        self._assigned: dict[int, Sequence[str]] = {}
        self._cells: dict[int, CellType] = {}  # of received functions, by number
        self._cell_numbers: dict[int, int] = {}  # of own ones, by id; they keep them alive
        self._modules: dict[str, dict[str, Any]] = {}  # of received functions
        self._wrappers: dict[tuple[int, str], FunctionType] = {}  # each keeps its object alive

    def note_variables(self, number: int, read: Sequence[str], assigned: Sequence[str]) -> None:
        """Note which variables cross with an own function (``find_variables``)."""
        self._variables[number], self._assigned[number] = read, assigned

    def has_variables(self, number: int) -> bool:
        """Whether a variable crosses with the object of a number."""
        return any(" " in key for key in self._variables.get(number, ()))

    def get_module(self, name: str = MODULE) -> dict[str, Any]:
        """Return the globals of a module of received functions."""
        if name not in self._modules:
            self._modules[name] = make_module() if name == MODULE else {"__name__": name}
            self._modules[name].update(REPLACED)
        return self._modules[name]

    def find_function(self, value: Any) -> FunctionType | None:
        """Return a function, or the one that can stand for a callable; None for other values."""
        if (parts := find_maker(value)) is not None:
            # Each access makes a new bound method.
            key = (id(value.__self__), value.__name__) if parts[0] is getattr else (id(value), "")
            value = self._wrappers[key] = self._wrappers.get(key) or wrap(value, *parts)
        return value if type(value) is FunctionType else None

    def list_state(self, number: int, function: FunctionType) -> dict[str, Any]:
        """Return what may change of a function, as far as both sides know of it: its attributes,
        and those of its variables that exist. Attributes that say how pytest or unittest run a test
        are the test's alone."""
        state: dict[str, Any] = {
            f".{name}": value
            for name, value in vars(function).items()
            if name[:1] != "_" and name != "pytestmark"
        }
        values, cells = function.__globals__, list_cells(function)
        for key in self._variables.get(number, ()):
            kind, _, name = key.partition(" ")
            if kind == "global" and name in values:
                state[key] = values[name]
            elif kind == "cell" and cells[name] != CellType():
                state[key] = cells[name].cell_contents
            elif not name:
                state[key] = function.__defaults__ if key == "defaults" else function.__kwdefaults__
        return state

    def set_state(
        self, number: int, function: FunctionType, state: dict[str, Any], is_received: bool
    ) -> None:
        """Give a function its state in the other process; of the variables of an own one, only
        those that it assigns to."""
        assigned = self._assigned.get(number, ())
        for key, value in state.items():
            kind, _, name = key.partition(" ")
            if key[:1] == ".":
                if key[1:2] != "_" and key != ".pytestmark":
                    vars(function)[key[1:]] = value
            elif not is_received and key not in assigned:
                continue
            elif kind == "global":
                function.__globals__[name] = value
            elif kind == "cell":
                list_cells(function)[name].cell_contents = value
            elif key == "defaults":
                function.__defaults__ = value
            elif key == "keywords":
                function.__kwdefaults__ = value

    def list_parts(self, number: int, function: FunctionType) -> dict[str, Any]:
        """Return what the other process makes an own function of; nothing for a received one."""
        if number not in self._assigned:
            return {}
        cells = list_cells(function).values()
        numbers = [self._cell_numbers.setdefault(id(c), len(self._cell_numbers)) for c in cells]
        code, module = marshal.dumps(function.__code__), function.__globals__["__name__"]
        parts = (code, module, tuple(numbers), tuple(self._assigned[number]))
        return dict(zip(PARTS, parts, strict=True))

    def make_function(
        self, number: int, code: bytes, module: str, cells: Iterable[int], assigned: Sequence[str]
    ) -> FunctionType:
        """Return a received function, which has no values of its variables yet."""
        self._variables[number] = assigned
        closure = tuple(self._cells.setdefault(cell, CellType()) for cell in cells)
        return FunctionType(marshal.loads(code), self.get_module(module), None, None, closure)


def is_library(module: str) -> bool:
    """Whether a module is of Python's library or of numpy, which both processes have."""
    root = module.partition(".")[0]
    return root in sys.stdlib_module_names or root == "numpy"


def find_path(value: Any) -> list[str] | None:
    """Return the module of a class or a function of the library's and its name there ("" for the
    module itself), else None."""
    if isinstance(value, ModuleType):
        return [value.__name__, ""] if is_library(value.__name__) else None
    if not isinstance(value, (type, FunctionType, BuiltinFunctionType, MethodDescriptorType)):
        return None
    module = str(getattr(value, "__objclass__", value).__module__)
    if not is_library(module) or module not in sys.modules:
        return None
    path = [module, value.__qualname__]
    return path if follow_path(path) is value else None


def follow_path(path: list[str]) -> Any:
    """Return what a path leads to; None if it leads nowhere."""
    module, names = path
    value: Any = __import__(module) and sys.modules[module]
    for name in filter(None, names.split(".")):
        value = getattr(value, name, None)
    return value
