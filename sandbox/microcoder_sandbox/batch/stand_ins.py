"""Functions in the place of built-in ones that could lead out of a program's module.

Made before the fork, with all else that a program finds, and touched by no child that does not
use them: copying the names of the built-in functions in every child costs more than a test.
"""

from __future__ import annotations

import builtins
import os
import sys

from . import names as gate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .turns import Turns

_import, _open, _getattr, _vars = builtins.__import__, open, getattr, vars
_fstat = os.fstat
_DYNAMIC = gate.words("globals locals vars dir")
Module = type(sys)


class _Current:
    """The program of this process."""

    turns: Turns
    names: frozenset[str]
    known: set[str]


_here = _Current()


def begin(turns: Turns, names: frozenset[str]) -> None:
    """In the child: whose calls these will be."""
    _here.turns, _here.names, _here.known = turns, names, set()
    if "fstat" in names:
        os.fstat = _size_of  # type: ignore[assignment]


def used_by(names: frozenset[str]) -> list[object]:
    """What of all this the program could write to."""
    used: list[object] = [GIVEN[name] for name in names & GIVEN.keys()]
    return [*used, _Size, _size_of] if "fstat" in names else used


class _Size:
    """What programs want of a descriptor. When it was last read or written, which a file or a
    pipe tells too, would be word from the tests before."""

    __slots__ = ("st_size",)

    def __init__(self, size: int) -> None:
        self.st_size = size

    def __getattr__(self, name: str) -> Any:
        _here.turns.refuse()

    def __getitem__(self, index: Any) -> Any:
        _here.turns.refuse()

    def __iter__(self) -> Any:
        _here.turns.refuse()


def _size_of(descriptor: int) -> _Size:
    return _Size(_fstat(descriptor).st_size)


def _import_module(
    name: str,
    globals: Any = None,
    locals: Any = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> Any:
    if name not in _here.known or fromlist:
        star = fromlist is not None and "*" in fromlist
        if level or (star and _here.names & _DYNAMIC):
            _here.turns.refuse()
        if star and name == "builtins":
            return _builtins_module()
        if name not in _here.known:
            _admit(name)
    return _import(name, globals, locals, fromlist or (), level)


def _admit(name: str) -> None:
    if name not in gate.MODULES:
        _here.turns.refuse()
    _import(name)
    if gate.denied(name, _here.names):
        _here.turns.refuse()
    _here.turns.guard.watch(sys.modules[name])
    _here.known.add(name)


def _builtins_module() -> Any:
    """What ``from builtins import *`` finds: the functions that the program has already."""
    module = Module("builtins")
    real, found = _vars(builtins), _here.turns.FOUND
    _vars(module).update({name: found[name] for name in real if name[0] != "_"})
    return module


def _open_file(file: Any, *rest: Any, **more: Any) -> Any:
    if type(file) is not int or file != 0:
        _here.turns.refuse()
    return _open(file, *rest, **more)


def _attribute(thing: Any, name: Any, *default: Any) -> Any:
    if type(thing) is Module or type(name) is not str or gate.leads_out(name):
        _here.turns.refuse()
    return _getattr(thing, name, *default)


def _variables(*thing: Any) -> Any:
    if not thing or type(thing[0]) is Module:
        _here.turns.refuse()
    return _vars(thing[0])


def _refused(*_arguments: Any, **_more: Any) -> Any:
    _here.turns.refuse()


GIVEN: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(
        ["eval", "exec", "compile", "setattr", "delattr", "help", "breakpoint"], _refused
    ),
    "__import__": _import_module,
    "open": _open_file,
    "getattr": _attribute,
    "vars": _variables,
}
