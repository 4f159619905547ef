"""The test's side of the program's names and objects: proxies.

A ``Proxy`` stands for a global name or an object of the candidate. Every special method goes over
the pipes; the same object always comes back as the same Proxy. A global name that holds a plain
value is that value to all operators. Who performs a binary operator: ``origins``.
"""

from __future__ import annotations

import builtins
import sys
from typing import Any

from microcoder_sandbox.rpc import functions, operations, packing
from microcoder_sandbox.test_code.source_analysis import FILE_NAME

from .program_errors import ProgramObject
from .small_pytest import Failed

_SENT_DUNDERS = frozenset(
    ["__name__", "__qualname__", "__module__", "__dict__", "__bases__", "__base__", "__mro__",
     "__subclasses__", "__members__", "__match_args__", "__dataclass_fields__", "__notes__",
     "__defaults__", "__kwdefaults__", "__wrapped__"]
)  # fmt: skip
# Class attributes of a Proxy itself.
_OWN_DUNDERS = ("__doc__", "__annotations__", "__slots__")


def _forward(name: str) -> Any:
    """Return a special method that the candidate's object performs."""

    def perform(self: Proxy, *args: Any) -> Any:
        return self._mc_connection.operate(self._mc_target, name, *args)

    return perform


def _forward_operator(name: str) -> Any:
    """Return a binary operator; ``origins`` says who performs it."""

    def operate(self: Proxy, other: Any) -> Any:
        connection, target = self._mc_connection, self._mc_target
        if getattr(type(other), "__array_ufunc__", True) is None:  # it compares itself, as approx
            return NotImplemented
        is_compared = name not in operations.ARITHMETIC and connection.has_content(target)
        if not is_compared and connection.origins.runs_in_candidate(target, name, other):
            return connection.operate(target, name, other)
        value = connection.read_plain(self)
        if is_compared and type(other) is Proxy:
            other = connection.read_plain(other)
        if type(value) is not Proxy:
            return operations.find(name)(value, other)
        if name == "__contains__":
            return any(item is other or item == other for item in value)  # type: ignore[attr-defined]
        return NotImplemented

    return operate


class Proxy:
    # Stands for a name or an object of the candidate; the module says what it forwards. Its own
    # names are such that no program has them.
    __slots__ = ("_mc_connection", "_mc_target")
    _mc_connection: Any  # a Connection, whose module makes proxies
    _mc_target: dict[str, Any]

    def __init__(self, connection: Any, target: dict[str, Any]) -> None:
        object.__setattr__(self, "_mc_connection", connection)
        object.__setattr__(self, "_mc_target", target)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._mc_connection.call(self._mc_target, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__" == name[-2:] and name not in _SENT_DUNDERS:
            raise AttributeError(name)
        return self._mc_connection.operate(self._mc_target, "getattr", name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._mc_connection.operate(self._mc_target, "setattr", name, value)

    def __delattr__(self, name: str) -> None:
        self._mc_connection.operate(self._mc_target, "delattr", name)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        raise self._mc_connection.failures.refuse("the test derives a class from the candidate's")

    def __instancecheck__(self, value: Any) -> bool:
        return find_proxy(value) is not None and ask("isinstance", value, self)

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        """Suppress neither a failed assertion nor what keeps one from being reached."""
        suppresses = self._mc_connection.operate(self._mc_target, "exit", error) is True
        return suppresses and self._may_suppress(kind, traceback, sys._getframe(1))

    def __aexit__(self, kind: Any, error: Any, traceback: Any) -> Any:
        return self._exit_later(error, self._may_suppress(kind, traceback, sys._getframe(1)))

    async def _exit_later(self, error: Any, may_suppress: bool) -> bool:
        return self._mc_connection.operate(self._mc_target, "aexit", error) is True and may_suppress

    def _may_suppress(self, kind: Any, traceback: Any, frame: Any) -> bool:
        if kind is None or issubclass(kind, (AssertionError, Failed)):
            return False
        asserting_lines = self._mc_connection.asserting_lines
        while traceback := traceback.tb_next:  # what the block called, and what called it
            is_in_test = traceback.tb_frame.f_code.co_filename == FILE_NAME
            if is_in_test and traceback.tb_lineno in asserting_lines.all:
                return False
        is_in_test = frame.f_code.co_filename == FILE_NAME
        return is_in_test and frame.f_lineno not in asserting_lines.starts

    def __await__(self) -> Any:
        return await_proxy(self).__await__()

    def __anext__(self) -> Any:
        return await_proxy(self, "anext")

    def __deepcopy__(self, memo: Any) -> Any:
        return self._mc_connection.operate(self._mc_target, "deepcopy")


def _forward_attribute(name: str) -> Any:
    return property(lambda self: self._mc_connection.operate(self._mc_target, "getattr", name))


for _name in _OWN_DUNDERS:
    setattr(Proxy, _name, _forward_attribute(_name))
for _name in operations.OTHERS - vars(Proxy).keys():
    setattr(Proxy, _name, _forward(_name))
for _name in operations.BINARY:
    setattr(Proxy, _name, _forward_operator(_name))


async def await_proxy(proxy: Proxy, name: str = "await") -> Any:
    """Await what the candidate has. It runs to its end there, while nothing else runs."""
    return proxy._mc_connection.operate(proxy._mc_target, name)


def find_proxy(value: Any) -> Proxy | None:
    """Return the proxy of what a value stands for in the candidate's process."""
    if type(value) is Proxy:
        return value
    proxy = vars(value).get("_mc_proxy") if isinstance(value, ProgramObject) else None
    return proxy if type(proxy) is Proxy else None


def is_instance(value: Any, kinds: Any) -> bool:
    """``isinstance`` of test code."""
    return ask("isinstance", value, kinds) if type(value) is Proxy else isinstance(value, kinds)


def ask(name: str, value: Any, kinds: Any) -> bool:
    """Ask the candidate, unless its process does not know one of the classes."""
    proxy: Any = find_proxy(value)
    listed = [
        kind if find_proxy(kind) is not None else getattr(kind, "__origin__", kind)  # of typing's
        for kind in (kinds if isinstance(kinds, tuple) else (kinds,))
    ]
    if any(find_proxy(kind) is None and functions.find_path(kind) is None for kind in listed):
        return bool(getattr(builtins, name)(value, kinds))
    return proxy._mc_connection.operate(proxy._mc_target, name, tuple(listed)) is True


class ProgramValue(ProgramObject):
    """A plain value whose class the program derives from a built-in type."""


def _forward_arithmetic(name: str, base: Any) -> Any:
    """Return an operator of a ProgramValue, which ``Origins.runs_in_candidate`` sends or not."""
    perform_plain = getattr(base, name, None)

    def operate(self: ProgramValue, *others: Any) -> Any:
        connection, target = self._mc_proxy._mc_connection, self._mc_proxy._mc_target
        if name == "__getitem__":
            is_sent = connection.origins.is_given_by_class(target)
        else:
            is_sent = name not in operations.BINARY or connection.origins.runs_in_candidate(
                target, name, others[0], is_value=True
            )
        if name == "__contains__" and perform_plain is None and not is_sent:
            # Python would take NotImplemented for a yes. Flags of an IntFlag hold one another.
            if not isinstance(others[0], ProgramValue):
                raise TypeError(f"argument of type '{base.__name__}' is not iterable")
            is_sent = True
        if is_sent:
            return connection.operate(target, name, *others)
        return NotImplemented if perform_plain is None else perform_plain(self, *others)

    return operate


# Not ``==`` and ``hash``: they would let a class say that it equals whatever is expected.
_VALUE_OPERATORS = operations.ARITHMETIC | frozenset(
    ["__lt__", "__le__", "__ge__", "__gt__", "__bool__", "__contains__", "__format__", "__round__"]
)
VALUE_CLASSES = {
    base: type(
        base.__name__,
        (ProgramValue, base),
        {
            name: _forward_arithmetic(name, base)
            for name in _VALUE_OPERATORS | ({"__getitem__"} & vars(base).keys())
        },
    )
    for base in packing.IMMUTABLE
    if base is not bool
}
