"""In guest and test runner: which objects have changed here since a message last carried them."""

from __future__ import annotations

from builtins import all, len, type
from collections.abc import Callable, Iterable
from operator import is_
from sys import getrefcount
from types import FunctionType
from typing import Any

_MODULE_NUMBER = 0  # of the variables of the tests' module, where they are shared
_MAX_COMPARED = 500  # objects that each message compares, in some us each
_SCALARS = frozenset({type(None), bool, int, float, complex, str, bytes})


class ChangeTracker:
    """Finds the objects that have changed here since a message last carried them.

    objects: by number; the table of instances has the same, and keeps most of them alive alone.
    list_state: what crosses of the object of a number.
    may_change_unheld: whether the object of a number can change here while nobody holds it.
    """

    def __init__(
        self,
        objects: dict[int, Any],
        list_state: Callable[[int], dict[str, Any]],
        may_change_unheld: Callable[[int], bool],
    ) -> None:
        self._objects = objects
        self._list_state = list_state
        self._may_change_unheld = may_change_unheld
        self._agreed: dict[int, dict[str, Any]] = {}  # what an object last had on both sides
        self._released: list[int] = []  # numbers of objects that nobody here holds any more

    def agree(self, numbers: Iterable[int]) -> None:
        """Note what objects have now that a message has carried them."""
        for number in numbers:
            self._agreed[number] = {**self._list_state(number)}

    def find_changes(self, of_all: bool = False) -> list[int]:
        """Return the numbers of objects that have changed since a message carried them, of those
        that came first in one lately. A call of the program's may use any that it keeps.

        of_all: compare all objects, and count as changed those that may hold a list that is too
            long to be compared.
        """
        compared = [*self._agreed]
        if not of_all:
            earlier, lately = compared[:-_MAX_COMPARED], compared[-_MAX_COMPARED:]
            compared = [*lately, *{_MODULE_NUMBER}.intersection(earlier)]
        changed = []
        for number in compared:
            if not self._release_if_unused(number) and self._has_changed(number, of_all):
                changed.append(number)
        return changed

    def _release_if_unused(self, number: int) -> bool:
        is_unused = _count_references(self._objects, number) <= _COUNT_IF_UNUSED
        if not is_unused or number == _MODULE_NUMBER or self._may_change_unheld(number):
            return False
        del self._agreed[number]
        self._released.append(number)
        return True

    def _has_changed(self, number: int, of_all: bool) -> bool:
        state = self._list_state(number)
        may_hide_changes = of_all and type(self._objects[number]) is not FunctionType
        if may_hide_changes and not _SCALARS.issuperset(map(type, state.values())):
            return True
        return not _is_same(state, self._agreed[number])

    def take_released(self) -> list[int]:
        """Return the numbers that this side has released since it was asked last. Changes of them
        on the other side are of interest only once they are passed again."""
        released, self._released = self._released, []
        return released

    def forget(self, numbers: Any) -> None:
        """Compare objects no longer that the other side has released."""
        for number in numbers:
            self._agreed.pop(number, None)


def _is_same(state: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two states hold the same objects under the same names."""
    same_values = len(state) == len(other) and all(map(is_, state.values(), other.values()))
    return same_values and [*state] == [*other]


def _count_references(objects: dict[int, Any], number: int) -> int:
    return getrefcount(objects[number])


_COUNT_IF_UNUSED = _count_references({0: [None]}, 0)  # of what nothing but a table holds
