"""In guest and test runner: the lists, dicts, sets and deques that both processes hold.

What crosses gets a number for as long as both sides keep it; where it crosses again, the number
stands for it, so it is one object to all calls. Each side compares what it holds with what the two
last agreed on, and sends what differs with its next message. Numbers follow the order of the
messages: both sides count alike.
"""

from __future__ import annotations

from builtins import all, hasattr, id, len, reversed, setattr, type, vars
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable
from operator import is_
from sys import getrefcount
from typing import Any

from microcoder_sandbox.wire.nodes import flatten_list, flatten_tree

# What both sides may keep: each message compares all of it, in some 20 ns an item.
MAX_KEPT_ITEMS = 20_000
_ITEMS_OF_A_CONTAINER = 40  # an empty one takes as long as so many items
COLLECTIONS: tuple[Any, ...] = (Counter, OrderedDict, defaultdict)
_MUTABLE: tuple[Any, ...] = (list, dict, set, deque, bytearray)
SHARED_TYPES = frozenset({*_MUTABLE, *COLLECTIONS})
NODES: dict[Any, Any] = {"$list_node": flatten_list, "$tree_node": flatten_tree}
NODES_FAULT = "a linked list or tree has a cycle or a shared node"
# C functions: no class can give itself other bases or another name.
get_mro = type.__dict__["__mro__"].__get__
get_class_name = type.__dict__["__name__"].__get__


class UnsendableError(TypeError):
    """The value is too deep, too large or a cycle; the message says which."""


def find_kind(value: Any) -> Any:
    """Return the type or tag that something shared crosses as; None for all that is not shared."""
    value_type = type(value)
    if value_type in SHARED_TYPES:
        return value_type
    name, bases = get_class_name(value_type), get_mro(value_type)
    if name == "ListNode" and hasattr(value, "val") and hasattr(value, "next"):
        return "$list_node"
    if name == "TreeNode" and hasattr(value, "val") and hasattr(value, "left"):
        return "$tree_node"
    return next((kind for kind in _MUTABLE if kind in bases), None)


def _list_content(value: Any) -> list[Any]:
    """Return all that something shared holds. It is unchanged while these are the same objects."""
    kind = find_kind(value)
    if kind in NODES:
        content = NODES[kind](value, lambda node: node, UnsendableError(NODES_FAULT))
        return [*content, *[node.val for node in content if node is not None]]
    if hasattr(kind, "keys"):
        return [*kind.keys(value), *kind.values(value)]
    return list(kind.__iter__(value))


def replace_content(old: Any, new: Any) -> None:
    """Give something shared the content of another. Raises ValueError if they differ in kind."""
    kind = find_kind(old)
    if kind is None or find_kind(new) != kind:
        raise ValueError("it changed an argument into something else")
    if kind in NODES:
        for name, item in vars(new).items():
            setattr(old, name, item)
        return
    if hasattr(kind, "keys") and _list_plain_keys(old) == _list_plain_keys(new) != []:
        for key, item in kind.items(new):
            kind.__setitem__(old, key, item)  # nobody who iterates over it is disturbed
        return
    kind.clear(old)
    (kind.update if hasattr(kind, "update") else kind.extend)(old, new)


def _list_plain_keys(value: Any) -> list[Any]:
    """Return the keys with their types, nothing if one is an object, which would compare itself."""
    keys = [(type(key), key) for key in value]
    return keys if all(kind in (int, str) for kind, _ in keys) else []


class SharedTable:
    """What is shared, by number. numbers: the same by id. first: the number that is given next."""

    def __init__(self) -> None:
        self.values: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}  # values keeps the objects alive
        self.first = 0
        self._dropped: list[int] = []
        self._contents: dict[int, list[Any]] = {}  # what the two sides last agreed on

    def agree(self, new: Iterable[Any], changed: Iterable[int]) -> None:
        """Note what a message shares and changes, after it was packed or unpacked. None in ``new``
        takes a number only."""
        for number in changed:
            self._contents[number] = _list_content(self.values[number])
        for number, value in enumerate(new, self.first):
            self.first = number + 1
            if value is not None:
                self.values[number], self.numbers[id(value)] = value, number
                self._contents[number] = _list_content(value)

    def find_changes(self) -> list[int]:
        """Return the numbers of what differs from what the two sides agreed on. Raises
        UnsendableError."""
        changed = []
        for number, before in self._contents.items():
            content = _list_content(self.values[number])
            if len(content) != len(before) or not all(map(is_, content, before)):
                changed.append(number)
        return changed

    def drop_unused(self) -> list[int]:
        """Drop what nothing else holds here; return what the other side is to forget with this
        message."""
        # In this order, a list is dropped before the lists in it, which only it may hold.
        for number in [*self.values]:
            if getrefcount(self.values[number]) <= _COUNT_IF_UNUSED:
                self.drop(number)
        dropped, self._dropped = self._dropped, []
        return dropped

    def drop_costly(self) -> None:
        """Drop what is too much to compare, and linked lists and trees: their nodes are copies."""
        kept_items = 0
        for number, content in reversed([*self._contents.items()]):
            items = len(content) + _ITEMS_OF_A_CONTAINER
            if kept_items + items > MAX_KEPT_ITEMS or find_kind(self.values[number]) in NODES:
                self.drop(number)
            else:
                kept_items += items

    def drop(self, number: int) -> None:
        """Drop a number here. The other side hears of it with the next message."""
        self._dropped.append(number)
        self.forget([number])

    def forget(self, numbers: Iterable[Any] | None) -> None:
        """Drop what the other side has dropped; None stands for all."""
        for number in [*self.values] if numbers is None else numbers:
            value = self.values.pop(number, None)
            self._contents.pop(number, None)
            self.numbers.pop(id(value), None)


_unused = {0: list[int]()}
_COUNT_IF_UNUSED = getrefcount(_unused[0])  # of what nothing but ``values`` holds
