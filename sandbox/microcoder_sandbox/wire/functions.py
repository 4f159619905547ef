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
    from collections.abc import Iterable, Iterator
    from typing import Any

CLASS_NAME = "$function"
_ASSIGNMENTS = frozenset({"STORE_GLOBAL", "DELETE_GLOBAL"})
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
_known_names: dict[CodeType, list[str] | None] = {}


def list_names(function: FunctionType, refused: frozenset[str]) -> list[str] | None:
    """Return the names that a function reads from the module of the tests, which may define them
    later; None if it cannot cross.

    refused: names that it may not use.
    """
    code = function.__code__
    if code not in _known_names:
        _known_names[code] = _find_names(code, refused)
    return _known_names[code]


def _find_names(code: CodeType, refused: frozenset[str]) -> list[str] | None:
    import dis

    names: set[str] = set()
    for part in _walk(code):
        if refused.intersection(part.co_names):
            return None
        for instruction in dis.get_instructions(part):
            name, operation = instruction.argval, instruction.opname
            is_outer = operation == "STORE_DEREF" and name in code.co_freevars
            if is_outer or operation in _ASSIGNMENTS:
                return None
            if operation in ("LOAD_GLOBAL", "LOAD_NAME"):
                names.add(name)
    return sorted(names - REPLACED.keys())


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


def _list_cells(function: FunctionType) -> list[tuple[str, CellType]]:
    return [*zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)]


def list_state(function: FunctionType, names: Iterable[str] | None) -> dict[str, Any]:
    """Return what may change of a function: what it reads and its attributes, each under a key of
    its own. Those that say how pytest or unittest run a test are the test's alone.

    names: see ``list_names``; None for a function of the other process, of which the attributes
    cross only.
    """
    state: dict[str, Any] = {
        f".{name}": value
        for name, value in vars(function).items()
        if name[:1] != "_" and name != "pytestmark"
    }
    if names is None:
        return state
    values = function.__globals__
    state |= {f"global {name}": values[name] for name in names if name in values}
    for name, cell in _list_cells(function):
        if cell != CellType():
            state[f"cell {name}"] = cell.cell_contents
    return {**state, "defaults": function.__defaults__, "keywords": function.__kwdefaults__}


def make_function(code: bytes) -> FunctionType:
    """Return a function that has its code only."""
    loaded: CodeType = marshal.loads(code)
    cells = tuple([CellType() for _ in loaded.co_freevars])
    return FunctionType(loaded, {"__name__": "tests", **REPLACED}, None, None, cells)


def set_state(function: FunctionType, state: dict[str, Any], has_parts: bool) -> None:
    """Give a function what ``list_state`` lists in the other process; without ``has_parts``, its
    attributes only."""
    cells = dict(_list_cells(function))
    for key, value in state.items():
        kind, _, name = key.partition(" ")
        if key[:1] == ".":
            if key[1:2] != "_" and key != ".pytestmark":
                vars(function)[key[1:]] = value
        elif not has_parts:
            continue
        elif kind == "global":
            function.__globals__[name] = value
        elif kind == "cell":
            cells[name].cell_contents = value
        elif key == "defaults":
            function.__defaults__ = value
        elif key == "keywords":
            function.__kwdefaults__ = value


def wrap(callable_: Any, maker: Any, arguments: Any, keywords: Any) -> FunctionType:
    """Return a function that does as a callable does, by what ``find_maker`` returns for it."""
    code = _call_made.__code__.replace(co_name=getattr(callable_, "__name__", "wrapped"))
    return FunctionType(code, {"maker": maker, "arguments": arguments, "keywords": keywords})


def _call_made(*args: Any, **kwargs: Any) -> Any:
    return maker(*arguments, **keywords)(*args, **kwargs)  # type: ignore[name-defined] # noqa: F821


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
