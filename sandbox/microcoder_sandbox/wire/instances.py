"""In guest and test runner: objects of the test's classes, copied under one number.

The definitions of the classes run in the candidate's process too. A request carries the attributes
of every object that its arguments reach; a reply carries their attributes after the call. Cycles,
shared nodes and identity survive, and the candidate's changes come back. The test's own objects and
classes stay in the test's process, where no candidate can replace a method.
"""

from __future__ import annotations

import sys
from builtins import all, compile, exec, id, type, vars

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

TAG = "$instance"
_MODULE = "tests"
_class_name = type.__dict__["__name__"].__get__
_mro = type.__dict__["__mro__"].__get__


def run_definitions(source: str) -> dict[str, type]:
    """Run definitions in a new module; its classes by name. Raises what the definitions raise."""
    namespace = make_module()
    exec(compile(source, "<tests>", "exec", dont_inherit=True), namespace)
    return {
        name: value
        for name, value in namespace.items()
        if isinstance(value, type) and value.__module__ == _MODULE
    }


def make_module() -> dict[str, Any]:
    """Return the globals of a new module of tests, where dataclasses look for it."""
    module = sys.modules[_MODULE] = type(sys)(_MODULE)
    return module.__dict__


class InstanceTable:
    """The objects that have been sent or received, by number.

    get_class: the class of a name in this process, or None. first: the number of the first object
    that this side adds; the two sides use even and odd numbers.
    """

    def __init__(self, get_class: Callable[[str], Any], first: int) -> None:
        self._get_class = get_class
        self._next_number = first
        self._objects: dict[int, Any] = {}
        self._numbers: dict[int, int] = {}  # by id; _objects keeps the objects alive
        self._pending: list[int] = []

    def holds(self, cls: type) -> bool:
        """Whether objects of a class can cross: it and its bases are plain classes of the test."""
        bases = [base for base in _mro(cls) if base is not object]
        return bool(bases) and all(
            self._get_class(_class_name(base)) is base and "__slots__" not in vars(base)
            for base in bases
        )

    def refer_to(self, value: Any) -> dict[str, int]:
        """Return the reference to an object, whose attributes ``pack_states`` will add."""
        number = self._numbers.get(id(value))
        if number is None:
            number = self._next_number
            self._next_number += 2
            self._add(number, value)
        self._pending.append(number)
        return {TAG: number}

    def mark_all(self) -> None:
        """Send the attributes of every object with the next message."""
        self._pending += self._objects

    def pack_message(
        self, make_packer: Callable[[], Any], pack_values: Callable[[Any], dict[str, Any]]
    ) -> tuple[dict[str, Any], list[Any]]:
        """Return the fields of a message, and what is shared in it. "instances" are [number, class,
        attributes] of each object that the message refers to, and of all that these reach."""
        packer = make_packer()
        fields = pack_values(packer)
        if not self._pending:
            return {"instances": [], **fields}, packer.shared
        # Again, as the attributes stand first: an object may be hashed where the values hold it.
        # Objects that are reached last have the fewest objects in their attributes.
        numbers = reversed(self._find_reached(packer.pack))
        packer = make_packer()
        states = [self._pack_state(number, packer.pack) for number in numbers]
        fields = pack_values(packer)
        self._pending = []
        return {"instances": states, **fields}, packer.shared

    def _find_reached(self, pack: Callable[[Any], Any]) -> list[int]:
        found: dict[int, None] = {}
        while self._pending:
            number = self._pending.pop()
            if number not in found:
                found[number] = None
                self._pack_state(number, pack)
        return list(found)

    def _pack_state(self, number: int, pack: Callable[[Any], Any]) -> list[Any]:
        value = self._objects[number]
        attributes = {name: pack(item) for name, item in vars(value).items()}
        return [number, _class_name(type(value)), attributes]

    def unpack_states(
        self,
        states: Any,
        unpack: Callable[[Any], Any],
        update: Callable[[Any, dict[str, Any]], None],
    ) -> None:
        """Give each object the attributes received, by ``update(object, attributes)``; objects
        that are new here are made without their __init__. Raises ValueError."""
        for number, class_name, _attributes in states:
            if number not in self._objects:
                self._add_received(number, class_name)
        for number, _class_name, attributes in states:
            value = self._objects[number]
            update(value, {name: unpack(item) for name, item in attributes.items()})
        self._pending = [number for number, _class_name, _attributes in states]

    def discard_pending(self) -> None:
        """Forget which objects the last message referred to."""
        self._pending = []

    def resolve(self, number: Any) -> Any:
        """Return the object of a number. Raises KeyError."""
        return self._objects[number]

    def _add_received(self, number: Any, class_name: Any) -> None:
        cls = self._get_class(class_name) if isinstance(class_name, str) else None
        is_foreign = type(number) is int and number % 2 != self._next_number % 2
        if cls is None or not is_foreign or not self.holds(cls):
            raise ValueError("an unknown object")
        self._add(number, object.__new__(cls))

    def _add(self, number: int, value: Any) -> None:
        self._objects[number] = value
        self._numbers[id(value)] = number
