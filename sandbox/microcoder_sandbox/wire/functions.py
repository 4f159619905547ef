"""In guest and test runner: functions that test code passes. One of the standard library crosses as
its name, one of the test's as its code and what it uses.

A function runs in the candidate's process, which gets it as an argument. What it reads from outside
of itself crosses as other values do, so a list to which it appends is the test's own. A function
that assigns to a variable outside of itself, or holds an assertion, stays with the tests. Only the
candidate's process makes functions of what it receives.
"""

from __future__ import annotations

import builtins
import marshal
import sys
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

CLASS_NAME = "$function"
_ASSIGNMENTS = frozenset({"STORE_GLOBAL", "DELETE_GLOBAL"})
# What test code has in the place of Python's own, for objects of the candidate and for the dry run.
_REPLACED: dict[str, Any] = {
    "__is_tolerant__": lambda: False,
    "__get_class__": type,
    "__get_caught__": lambda classes: classes,
    "__get_raised__": lambda error: error,
    **{name: vars(builtins)[name] for name in ("isinstance", "issubclass", "hasattr", "callable")},
}


def list_names(function: FunctionType, refused: frozenset[str]) -> list[str] | None:
    """Return the names that a function reads from the module of the tests, which may define them
    later; None if it cannot cross.

    refused: names that it may not use.
    """
    import dis

    names: set[str] = set()
    for code in _walk(function.__code__):
        if refused.intersection(code.co_names):
            return None
        for instruction in dis.get_instructions(code):
            name, operation = instruction.argval, instruction.opname
            is_outer = operation == "STORE_DEREF" and name in function.__code__.co_freevars
            if is_outer or operation in _ASSIGNMENTS:
                return None
            if operation in ("LOAD_GLOBAL", "LOAD_NAME"):
                names.add(name)
    return sorted(names - _REPLACED.keys())


def is_method(value: Any) -> bool:
    """Whether a value is a method bound to an object."""
    is_bound = type(value) is MethodType or type(value) is BuiltinFunctionType
    return is_bound and not isinstance(value.__self__, ModuleType)


def _walk(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _walk(constant)


def _list_cells(function: FunctionType) -> list[tuple[str, CellType]]:
    return [*zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)]


def pack_parts(function: FunctionType, names: list[str], pack: Callable[[Any], Any]) -> Any:
    """Return what the other process makes the function of."""
    values, cells = function.__globals__, _list_cells(function)
    parts = {
        "code": marshal.dumps(function.__code__),
        "globals": tuple([(n, values[n]) for n in names if n in values]),
        "cells": tuple([(name, cell.cell_contents) for name, cell in cells if cell != CellType()]),
        "defaults": function.__defaults__,
        "keyword_defaults": function.__kwdefaults__,
    }
    return {name: pack(part) for name, part in parts.items()}


def make_function(code: bytes) -> FunctionType:
    """Return a function that has its code only."""
    loaded: CodeType = marshal.loads(code)
    cells = tuple([CellType() for _ in loaded.co_freevars])
    return FunctionType(loaded, {"__name__": "tests", **_REPLACED}, None, None, cells)


def fill_function(function: FunctionType, parts: dict[str, Any]) -> None:
    """Give a function what it uses."""
    function.__globals__.update(parts["globals"])
    cells = dict(_list_cells(function))
    for name, value in parts["cells"]:
        cells[name].cell_contents = value
    function.__defaults__ = parts["defaults"]
    function.__kwdefaults__ = parts["keyword_defaults"]
    set_attributes(function, parts)


def list_attributes(function: FunctionType) -> dict[str, Any]:
    """Return the attributes that cross, with a dot before their names. Those that say how pytest or
    unittest run a test are the test's alone."""
    names = [name for name in vars(function) if name[:1] != "_" and name != "pytestmark"]
    return {f".{name}": vars(function)[name] for name in names}


def set_attributes(function: FunctionType, parts: dict[str, Any]) -> None:
    """Give a function the attributes that ``list_attributes`` lists in the other process."""
    for key, value in parts.items():
        if key[:1] == "." and key[1:2] != "_" and key != ".pytestmark":
            vars(function)[key[1:]] = value


def wrap_method(owner: Any, name: str) -> FunctionType:
    """Return a function that calls a method of an object, which it reads from its module."""
    code = _call_method.__code__.replace(co_name=name)
    return FunctionType(code, {"owner": owner, "name": name})


def _call_method(*args: Any, **kwargs: Any) -> Any:
    return getattr(owner, name)(*args, **kwargs)  # type: ignore[name-defined] # noqa: F821


def find_path(value: Any) -> list[str] | None:
    """Return the module of a class or a function of the library's and its name there ("" for the
    module itself), else None."""
    if isinstance(value, ModuleType):
        return [value.__name__, ""] if value.__name__ in sys.stdlib_module_names else None
    if not isinstance(value, (type, FunctionType, BuiltinFunctionType, MethodDescriptorType)):
        return None
    module = str(getattr(value, "__objclass__", value).__module__)
    if module.partition(".")[0] not in sys.stdlib_module_names or module not in sys.modules:
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
