"""In guest and test runner: objects of the test's classes, and namespaces, under one number each.

The definitions of the classes run in the candidate's process too. A message carries the attributes
of every object that its values reach, and of those that changed since a message last carried them.
Cycles, shared nodes and identity survive, and the candidate's changes come back. The test's own
objects and classes stay in the test's process, where no candidate can replace a method.
"""

from __future__ import annotations

import marshal
import sys
from builtins import all, compile, exec, hasattr, id, issubclass, len, type, vars
from operator import is_
from types import FunctionType

from . import functions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

TAG = "$instance"
_SimpleNamespace = type(sys.implementation)
_IMMUTABLE = (int, float, complex, str, bytes, tuple, frozenset)
_MODULE = "tests"
_MAX_COMPARED = 500  # objects that each message compares, some .5 us each
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
    """Objects of the test's classes. objects: those that have been sent or received, by number.

    get_class: the class of a name in this process, or None. first: the number of the first object
    that this side adds; the two sides use even and odd numbers. takes_functions: whether functions
    may be received, which the tests' process never does.
    """

    def __init__(
        self, get_class: Callable[[str], Any], first: int, takes_functions: bool = False
    ) -> None:
        # SimpleNamespace is in both processes, and crosses as a class of the test's does.
        self._get_class: Callable[[str], Any] = lambda name: (
            get_class(name) or (_SimpleNamespace if name == "SimpleNamespace" else None)
        )
        self._takes_functions = takes_functions
        self._next_number = first
        self.objects: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}  # by id; objects keeps the objects alive
        self._function_names: dict[int, list[str]] = {}  # the global names that own functions read
        self._methods: dict[tuple[int, str], FunctionType] = {}  # each keeps its object alive
        self._passed_methods: dict[int, Any] = {}
        self._pending: list[int] = []
        self._agreed: dict[int, list[Any]] = {}  # what an object last had on both sides

    def holds(self, cls: type) -> bool:
        """Whether objects of a class can cross: it and its bases are plain classes of the test."""
        bases = [base for base in _mro(cls) if base is not object]
        return bool(bases) and all(
            self._get_class(_class_name(base)) is base and "__slots__" not in vars(base)
            for base in bases
        )

    def passes_class(self, cls: Any) -> bool:
        """Whether a class of the test's can be passed, as its objects can."""
        is_class = isinstance(cls, type) and self.find_name(cls) is not None
        return is_class and (self.holds(cls) or issubclass(cls, _IMMUTABLE))

    def find_name(self, cls: type) -> str | None:
        """Return the name of a class if it is the test's."""
        name = _class_name(cls)
        return name if self._get_class(name) is cls else None

    def cannot_cross(self, cls: type) -> bool:
        """Whether a class, derived by the test from an immutable built-in type, is not in both
        processes, as in a function: its values would arrive without their methods."""
        is_of_test = cls.__module__ == _MODULE and issubclass(cls, _IMMUTABLE)
        return is_of_test and self.find_name(cls) is None

    def find_class(self, name: str) -> Any:
        """Return the test's class of a name. Raises ValueError."""
        cls = self._get_class(name)
        if cls is None:
            raise ValueError("an unknown class")
        return cls

    def make_value(self, class_name: str, plain: Any) -> Any:
        """Return the value of a class that the test derives from an immutable built-in type, such
        as a named tuple. Raises ValueError."""
        cls = self.find_class(class_name)
        return cls(plain) if hasattr(cls, "__members__") else type(plain).__new__(cls, plain)

    def refer_to(self, value: Any) -> dict[str, int]:
        """Return the reference to an object, whose attributes ``pack_message`` will add."""
        number = self.numbers.get(id(value))
        if number is None:
            number = self._next_number
            self._next_number += 2
            self._add(number, value)
        self._pending.append(number)
        return {TAG: number}

    def refer_to_function(self, value: Any, refused: frozenset[str]) -> dict[str, int] | None:
        """Return the reference to a function or a bound method; None for one that cannot cross, and
        for other values.

        refused: names that it may not use.
        """
        method = value if functions.is_method(value) else None
        if method is not None:
            owner, name = value.__self__, value.__name__
            made = self._methods.get((id(owner), name)) or functions.wrap_method(owner, name)
            value = self._methods[id(owner), name] = made
        is_function = type(value) is FunctionType
        global_names = functions.list_names(value, refused) if is_function else None
        if global_names is None:
            return None
        reference = self.refer_to(value)
        self._function_names[reference[TAG]] = global_names
        if method is not None:
            self._passed_methods[reference[TAG]] = method
        return reference

    def find_object(self, number: Any) -> Any:
        """Return the object of a number; the bound method itself, where a function stands for it.
        Raises KeyError."""
        return self._passed_methods.get(number) or self.objects[number]

    def find_changes(self) -> list[int]:
        """Return the numbers of objects that have changed since a message carried them, of those
        that came first in one lately. A call of the program's may use any that it keeps."""
        lately = [*self._agreed][-_MAX_COMPARED:]
        return [n for n in lately if not all(map(is_, self._list_content(n), self._agreed[n]))]

    def list_state(self, number: int) -> dict[str, Any]:
        """Return what crosses of an object: its attributes; of a function, what it uses."""
        value = self.objects[number]
        if type(value) is FunctionType:
            return functions.list_state(value, self._function_names.get(number))
        state: dict[str, Any] = vars(value)
        return state

    def _list_content(self, number: int) -> list[Any]:
        state = self.list_state(number)
        return [len(state), *state, *state.values()]

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
        self._agree(reached)
        return {"instances": states, **fields}, packer.new

    def _agree(self, numbers: Iterable[int]) -> None:
        self._agreed |= {number: self._list_content(number) for number in numbers}

    def _pack_state(self, number: int, pack: Callable[[Any], Any]) -> list[Any]:
        value = self.objects[number]
        state = {name: pack(item) for name, item in self.list_state(number).items()}
        if type(value) is not FunctionType:
            return [number, _class_name(type(value)), state]
        if number in self._function_names:
            state["code"] = pack(marshal.dumps(value.__code__))
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
                self._add(number, functions.make_function(unpack(attributes["code"])))
            elif number not in self.objects:
                self._add_received(number, class_name)
        for number, _class_name, attributes in states:
            value = self.objects[number]
            unpacked = {name: unpack(item) for name, item in attributes.items()}
            if type(value) is FunctionType:
                functions.set_state(value, unpacked, self._takes_functions)
            else:
                update(value, unpacked)
        self._agree([number for number, _class_name, _attributes in states])

    def _add_received(self, number: Any, class_name: Any) -> None:
        cls = self._get_class(class_name) if isinstance(class_name, str) else None
        is_foreign = type(number) is int and number % 2 != self._next_number % 2
        if cls is None or not is_foreign or not self.holds(cls):
            raise ValueError("an unknown object")
        make: Any = (_SimpleNamespace if _SimpleNamespace in _mro(cls) else object).__new__
        self._add(number, make(cls))

    def _add(self, number: int, value: Any) -> None:
        self.objects[number] = value
        self.numbers[id(value)] = number
