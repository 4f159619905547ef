"""The candidate's exceptions in the tests' process: classes that can be raised and caught.

An exception of a class of the program's is a ``ProgramError`` here. It holds the program's own
object, which gives its text and attributes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from microcoder_sandbox.rpc import functions
from microcoder_sandbox.rpc.operations import ERROR_FIELDS

_MAX_CLASSES = 50  # of one exception
# Exceptions that end a loop, each with the operation that may raise it. If a candidate could raise
# StopIteration inside map(), the test's loop would end early, and nobody would notice.
LOOP_ENDS = {StopIteration: "__next__", StopAsyncIteration: "anext", GeneratorExit: None}


class ProgramObject:
    """What the tests' process has of an object of the candidate's. Its text and its attributes come
    from the object itself, by ``_mc_proxy``."""

    _mc_proxy: Any

    def __getattr__(self, name: str) -> Any:
        if "_mc_proxy" not in vars(self):
            raise AttributeError(name)
        return getattr(self._mc_proxy, name)

    def __str__(self) -> str:
        return str(self._mc_proxy)

    def __repr__(self) -> str:
        return repr(self._mc_proxy)


class ProgramError(ProgramObject, BaseException):
    """An exception of the candidate's. One that ``except Exception`` catches there is also an
    Exception here."""

    def __eq__(self, other: object) -> bool:
        """Two exceptions of the program's are equal as it says; any other object is unequal."""
        return bool(self._mc_proxy == getattr(other, "_mc_proxy", other))

    def __hash__(self) -> int:
        return hash(self._mc_proxy)


def build_error(
    paths: Any,
    arguments: tuple[Any, ...],
    text: str,
    attributes: dict[str, Any],
    get_error_class: Callable[[str, bool], Any],
    may_end: Callable[[Any], bool],
) -> BaseException:
    """Return an exception of the classes of these paths, the most specific first. Where they cannot
    be combined, the most specific ones are left out.

    attributes: what one of the library's classes has besides its arguments.
    may_end: whether an exception of a class in LOOP_ENDS may be raised here.
    """
    classes: list[Any] = []
    for path in paths[:_MAX_CLASSES] if type(paths) is list else ():
        cls = _find_class(path, get_error_class)
        if cls in LOOP_ENDS and may_end(cls):
            return cls(*arguments)  # type: ignore[no-any-return]
        if cls is not None and cls not in LOOP_ENDS and cls not in classes:
            classes.append(cls)
    for start in range(len(classes)):
        try:
            cls = _join(classes[start:])
            error: BaseException = cls.__new__(cls, *arguments)
            _initialize(error, arguments, attributes)
            if not isinstance(error, ProgramError) and str(error) != text:
                error = type(cls.__name__, (cls,), {"__str__": lambda _: text})(*arguments)
                _initialize(error, arguments, attributes)
        except Exception:  # a class of the tests' may run code of theirs on these arguments
            continue
        return error
    return RuntimeError(f"an exception of the program: {text}")


def _initialize(
    error: BaseException, arguments: tuple[Any, ...], attributes: dict[str, Any]
) -> None:
    """Run the __init__ of its class, which sets SystemExit's code, for one; then set the rest."""
    try:
        type(error).__init__(error, *arguments)
    except Exception:  # the class takes other arguments
        pass
    for name, value in attributes.items():
        if name in ERROR_FIELDS and hasattr(type(error), name):
            setattr(error, name, value)
        elif not isinstance(error, ProgramError):  # its own object has them
            vars(error)[name] = value


def _find_class(path: Any, get_error_class: Callable[[str, bool], Any]) -> Any:
    """Return the class of a path such as "json.decoder.JSONDecodeError"; one of the program's if it
    is not the library's, None if it does not exist here."""
    module, _, name = path.rpartition(".") if type(path) is str else ("", "", "")
    is_ours = module.partition(".")[0] == "unittest"  # a SkipTest is ours to raise
    if is_ours or not functions.is_library(module):
        is_name = name.isidentifier() and name.isascii()
        return get_error_class(name, module == functions.MODULE) if is_name else None
    cls = getattr(sys.modules.get(module), name, None)
    return cls if isinstance(cls, type) and issubclass(cls, BaseException) else None


def _join(classes: list[Any]) -> Any:
    """Return a class that is all of these."""
    joined: list[Any] = []
    for cls in reversed(classes):
        joined.insert(0, _derive(cls, joined))
    return joined[0]


def _derive(first: Any, others: list[Any]) -> Any:
    """Return a class that is ``first`` and all others: the first one itself, if it can be."""
    bases = [c for c in others if not any(c is not d and issubclass(d, c) for d in others)]
    if all(issubclass(first, base) for base in bases):
        return first
    if issubclass(first, ProgramError):
        try:
            is_known = any(issubclass(base, ProgramError) for base in bases)
            first.__bases__ = tuple(bases if is_known else [ProgramError, *bases])
        except TypeError:  # their objects have another layout
            pass
        else:
            return first
    return type(first)(first.__name__, (first, *bases), {})
