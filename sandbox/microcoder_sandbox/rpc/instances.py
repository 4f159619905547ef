"""In guest and test runner: objects of the test's classes, and namespaces, under one number each.

The definitions of the classes run in the candidate's process too. A message carries the attributes
of every object that its values reach, and of those that changed since a message last carried them.
Cycles, shared nodes and identity survive, and the candidate's changes come back. The test's own
objects and classes stay in the test's process, where no candidate can replace a method.
"""

from __future__ import annotations

from builtins import hasattr, id, type, vars
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType, MemberDescriptorType
from typing import Any

from . import functions
from .changes import ChangeTracker
from .classes import ClassTable, SimpleNamespace, is_enumeration
from .sharing import get_class_name, get_mro

TAG = "$instance"
_known_slots: dict[type, dict[str, Any]] = {}
_UNSET = object()


def replace_attributes(value: Any, attributes: dict[str, Any]) -> None:
    """Give an object these attributes, in its slots and its ``__dict__``, in the place of its
    own."""
    slots = _list_slots(type(value))
    for name in _read_slots(value).keys() - attributes.keys():
        slots[name].__delete__(value)
    for name in slots.keys() & attributes.keys():
        slots[name].__set__(value, attributes[name])
    if hasattr(value, "__dict__"):
        vars(value).clear()
        vars(value).update({k: v for k, v in attributes.items() if k not in slots})


def _read_slots(value: Any) -> dict[str, Any]:
    attributes = {name: getattr(value, name, _UNSET) for name in _list_slots(type(value))}
    return {name: item for name, item in attributes.items() if item is not _UNSET}


def _list_slots(cls: type) -> dict[str, Any]:
    if cls not in _known_slots:
        members = [item for base in get_mro(cls) for item in vars(base).items()]
        slots = {n: slot for n, slot in members if type(slot) is MemberDescriptorType}
        _known_slots[cls] = {n: slot for n, slot in slots.items() if n != "__dict__"}
    return _known_slots[cls]


class InstanceTable:
    """Objects under their numbers: references to them, and messages that carry their attributes.

    objects: those that have been sent or received, by number. functions: what crosses of those that
        are functions. classes: the test's.
    first: the number of the first object that this side adds; the two sides use even and odd
        numbers.
    takes_functions: whether functions may be received, which the tests' process never does.
    """

    def __init__(self, classes: ClassTable, first: int, takes_functions: bool = False) -> None:
        self._classes = classes
        self._takes_functions = takes_functions
        self._next_number = first
        self.objects: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}  # by id; objects keeps the objects alive
        self.functions = functions.FunctionTable()
        self._module: FunctionType | None = None  # stands for variables of the tests' module
        self._wrapped: dict[int, Any] = {}  # by the number of the function that stands for it
        self._pending: list[int] = []
        self.changes = ChangeTracker(self.objects, self.list_state, self._may_change_unheld)

    def _may_change_unheld(self, number: int) -> bool:
        # What the variables of a test's function hold can change in the tests' process.
        return not self._takes_functions and self.functions.has_variables(number)

    def refer_to(self, value: Any) -> dict[str, int]:
        """Return the reference to an object, whose attributes ``pack_message`` will add."""
        number = self.numbers.get(id(value))
        if number is None:
            number = self._next_number
            self._next_number += 2
            self._add(number, value)
        self._pending.append(number)
        if type(value) is not FunctionType:
            self.use_variables()
        return {TAG: number}

    def share_variables(
        self, namespace: dict[str, Any], read: Sequence[str], assigned: Sequence[str]
    ) -> None:
        """Let variables of the tests' module cross where what uses them does (``use_variables``).

        read, assigned: see ``functions.find_variables``.
        """
        # Nobody calls it: it crosses as a function does, with the variables of its module.
        self._module = FunctionType((lambda: None).__code__, namespace)
        number = self.refer_to(self._module)[TAG]
        self.functions.note_variables(number, read, assigned)

    def use_variables(self) -> None:
        """Have the message carry what the test's classes read from their module."""
        if self._module is not None:
            self.refer_to(self._module)

    def refer_to_definition(self, value: Any, pack: Callable[[Any], Any]) -> dict[str, Any] | None:
        """Return what a class of the test's, or a member of an enumeration of the test's, crosses
        as; None for other values, and for a class whose objects cannot cross."""
        if isinstance(value, type):
            if not self._classes.can_send(value):
                return None
            self.use_variables()
            return {"$class": get_class_name(value)}
        is_member = is_enumeration(type(value)) and self._classes.find_name(type(value)) is not None
        return self.refer_to_value(value, pack(value.value)) if is_member else None

    def refer_to_value(self, value: Any, packed: Any) -> dict[str, Any] | None:
        """Return what a value of a class of the test's crosses as, with the plain value that it is
        or has; None for other values."""
        name = self._classes.find_name(type(value))
        if name is None:
            return None
        self.use_variables()
        return {"$value": [name, packed]}

    def refer_to_function(self, value: Any, refused: frozenset[str]) -> dict[str, int] | None:
        """Return the reference to a function, or to a callable that a function can stand for; None
        for one that cannot cross, and for other values.

        refused: names that it may not use.
        """
        function = self.functions.find_function(value)
        variables = functions.find_variables(function.__code__, refused) if function else None
        if function is None or variables is None:
            return None
        reference = self.refer_to(function)
        self.functions.note_variables(reference[TAG], *variables)
        if function is not value:
            self._wrapped[reference[TAG]] = value
        return reference

    def find_object(self, number: Any) -> Any:
        """Return the object of a number; where a function stands for it, itself. Raises
        KeyError."""
        return self._wrapped.get(number) or self.objects[number]

    def list_state(self, number: int) -> dict[str, Any]:
        """Return what crosses of an object: its attributes; of a function, what it uses."""
        value = self.objects[number]
        if type(value) is FunctionType:
            return self.functions.list_state(number, value)
        state = getattr(value, "__dict__", {})
        return {**state, **_read_slots(value)} if _list_slots(type(value)) else state

    def pack_message(
        self,
        numbers: Iterable[int],
        make_packer: Callable[[], Any],
        pack_values: Callable[[Any], dict[str, Any]],
    ) -> tuple[dict[str, Any], list[Any]]:
        """Return the fields of a message, and what it shares. "instances" are [number, class,
        attributes] of objects: those of ``numbers``, those that ``pack_values`` refers to, and all
        that these reach."""
        self._pending = [*numbers]
        packer, reached = make_packer(), {}
        fields = pack_values(packer)
        while self._pending:
            number = self._pending.pop()
            if number not in reached:
                reached[number] = self._pack_state(number, packer.pack)
        if not reached:
            return {"instances": [], **fields}, packer.new
        # Again, as the attributes stand first: an object may be hashed where the values hold it.
        # Objects that are reached last have the fewest objects in their attributes.
        packer = make_packer()
        states = [self._pack_state(number, packer.pack) for number in reversed(reached)]
        fields = pack_values(packer)
        self.changes.agree(reached)
        return {"instances": states, **fields}, packer.new

    def _pack_state(self, number: int, pack: Callable[[Any], Any]) -> list[Any]:
        value = self.objects[number]
        state = {name: pack(item) for name, item in self.list_state(number).items()}
        if type(value) is not FunctionType:
            return [number, get_class_name(type(value)), state]
        parts = self.functions.list_parts(number, value)
        state |= {name: pack(part) for name, part in parts.items()}
        return [number, functions.CLASS_NAME, state]

    def unpack_states(
        self,
        states: Any,
        unpack: Callable[[Any], Any],
        update: Callable[[Any, dict[str, Any]], None],
    ) -> None:
        """Give each object the attributes received, by ``update(object, attributes)``; objects
        that are new here are made without their __init__. Raises ValueError."""
        for number, class_name, attributes in states:
            is_function = self._takes_functions and class_name == functions.CLASS_NAME
            if is_function and number not in self.objects:
                parts = [unpack(attributes[name]) for name in functions.PARTS]
                self._add(number, self.functions.make_function(number, *parts))
            elif number not in self.objects:
                self._add_received(number, class_name)
        for number, _class_name, attributes in states:
            value = self.objects[number]
            unpacked = {name: unpack(item) for name, item in attributes.items()}
            if type(value) is FunctionType:
                self.functions.set_state(number, value, unpacked, self._takes_functions)
            else:
                update(value, unpacked)
        self.changes.agree([number for number, _class_name, _attributes in states])

    def _add_received(self, number: Any, class_name: Any) -> None:
        cls = self._classes.get_class(class_name) if isinstance(class_name, str) else None
        is_foreign = type(number) is int and number % 2 != self._next_number % 2
        if cls is None or not is_foreign or not self._classes.can_send_objects_of(cls):
            raise ValueError("an unknown object")
        make: Any = (SimpleNamespace if SimpleNamespace in get_mro(cls) else object).__new__
        self._add(number, make(cls))

    def _add(self, number: int, value: Any) -> None:
        self.objects[number] = value
        self.numbers[id(value)] = number
