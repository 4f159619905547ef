"""Values that cross between the tests' process and the candidate's, as tagged JSON.

The codec's exact built-in types, and beyond them: deque, range, built-in types, linked-list and
tree nodes by their structure, and whatever one side keeps for itself ($handle, $name), which
the caller's ``special`` translates. Subclasses of built-ins and numpy values become the built-in
they stand for, by the base type's own C methods: no ``__eq__``, ``__hash__`` or ``__iter__`` of a
program is run here.
"""

from __future__ import annotations

import builtins
import sys
from builtins import all, hasattr, id, issubclass, len, repr, sorted, type
from collections import deque

from . import codec
from .nodes import ListNode as ListNode
from .nodes import TreeNode as TreeNode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

MAX_DEPTH = 150  # a tag takes two levels of JSON, and the interpreter allows about a thousand
MAX_ITEMS = 2_000_000  # shared sub-lists unfold: a small object can have a huge plain form
_SCALARS = frozenset({type(None), bool, int, float, str})
_CODEC_SCALARS = _SCALARS | {bytes, complex}
_TAG_OF: dict[type, str] = {tuple: "$tuple", set: "$set", frozenset: "$frozenset", deque: "$deque"}
_KIND_OF: dict[str, Any] = {tag: kind for kind, tag in _TAG_OF.items()}
_HASHED = frozenset({"$set", "$frozenset"})
_SUBCLASSED: tuple[Any, ...] = (list, tuple, dict, set, frozenset, deque)
_BASES: tuple[tuple[type, Any], ...] = (
    (int, int.__index__),
    (float, float.__float__),
    (str, lambda value: str.__getitem__(value, slice(None))),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (complex, complex.__pos__),
)
_TYPES = {
    name: value for name, value in vars(builtins).items() if type(value) is type and name[0] != "_"
}
_type_names = {id(value): name for name, value in _TYPES.items()}
_mro = type.__dict__["__mro__"].__get__
_class_name = type.__dict__["__name__"].__get__
_to_json, _dict_items = codec.to_json, dict.items


class NotPlainError(TypeError):
    """The value cannot cross: too deep, too large, or a cycle. The message says which."""


class Packer:
    """Packs values of one message. ``special`` gives JSON for what has no plain form."""

    __slots__ = ("_items_left", "_special")

    def __init__(self, special: Callable[[Any], Any]) -> None:
        self._special = special
        self._items_left = MAX_ITEMS

    def pack(self, value: Any, depth: int = 0) -> Any:
        """Tagged JSON for a value. Raises NotPlainError, or what ``special`` raises."""
        kind = type(value)
        if kind in _CODEC_SCALARS:
            return _to_json(value)
        if depth > MAX_DEPTH:
            raise NotPlainError(f"a value is nested deeper than {MAX_DEPTH} levels")
        if kind is list:
            return self._list(value, depth)
        if kind in _TAG_OF:
            items = self._list(list(kind.__iter__(value)), depth)
            if kind is set or kind is frozenset:
                items = sorted(items, key=repr)  # so that equal sets give equal JSON
            return {_TAG_OF[kind]: items}
        if kind is dict:
            return self._dict(value, depth)
        return self._rare(value, kind, depth)

    def _spend(self, count: int) -> None:
        self._items_left -= count
        if self._items_left < 0:
            raise NotPlainError(f"a value has more than {MAX_ITEMS} items")

    def _list(self, value: list[Any], depth: int) -> list[Any]:
        self._spend(len(value))
        if _SCALARS.issuperset(map(type, list.__iter__(value))):
            plain: list[Any] = _to_json(value)
            return plain
        return [self.pack(item, depth + 1) for item in list.__iter__(value)]

    def _dict(self, value: dict[Any, Any], depth: int) -> Any:
        pairs = list(_dict_items(value))
        self._spend(len(pairs))
        plain = all(type(key) is str for key, _ in pairs)
        if plain and not (len(pairs) == 1 and pairs[0][0][:1] == "$"):
            return {key: self.pack(item, depth + 1) for key, item in pairs}
        return {"$dict": [[self.pack(k, depth + 1), self.pack(v, depth + 1)] for k, v in pairs]}

    def _rare(self, value: Any, kind: type, depth: int) -> Any:
        if kind is range:
            return {"$range": [_to_json(n) for n in (value.start, value.stop, value.step)]}
        if id(value) in _type_names:
            return {"$type": _type_names[id(value)]}
        name = _class_name(kind)
        if name == "ListNode" and hasattr(value, "val") and hasattr(value, "next"):
            return {"$list_node": self._list_node(value, depth)}
        if name == "TreeNode" and hasattr(value, "val") and hasattr(value, "left"):
            return {"$tree_node": self._tree_node(value, depth)}
        numpy = sys.modules.get("numpy")
        if numpy is not None and issubclass(kind, numpy.generic):
            return self.pack(value.item(), depth + 1)
        parents = _mro(kind)
        for base, exact in _BASES:
            if base in parents:
                return self.pack(exact(value), depth + 1)
        for base in _SUBCLASSED:
            if base in parents:
                plain = _dict_items(value) if base is dict else base.__iter__(value)
                return self.pack(base(plain), depth + 1)
        return self._special(value)

    def _list_node(self, node: Any, depth: int) -> list[Any]:
        values: list[Any] = []
        seen: set[int] = set()
        while node is not None:
            if id(node) in seen:
                raise NotPlainError("a linked list has a cycle")
            seen.add(id(node))
            self._spend(1)
            values.append(self.pack(node.val, depth + 1))
            node = node.next
        return values

    def _tree_node(self, root: Any, depth: int) -> list[Any]:
        # By level, each node as [value], so that a node holding None is not a missing node.
        values: list[Any] = []
        seen: set[int] = set()
        level = [root]
        while level:
            following = []
            for node in level:
                if node is None:
                    values.append(None)
                    continue
                if id(node) in seen:
                    raise NotPlainError("a tree has a cycle or a shared node")
                seen.add(id(node))
                self._spend(1)
                values.append([self.pack(node.val, depth + 1)])
                following += [node.left, node.right]
            level = following
        while values and values[-1] is None:
            values.pop()
        return values


class Unpacker:
    """Builds fresh values. ``special`` translates $handle and $name, or raises ValueError."""

    __slots__ = ("_classes", "_special")

    def __init__(self, special: Callable[[str, Any], Any], classes: Mapping[str, Any]) -> None:
        self._special = special
        self._classes = classes

    def unpack(self, value: Any, depth: int = 0) -> Any:
        """The value of tagged JSON. Raises ValueError on anything malformed."""
        if depth > 2 * MAX_DEPTH + 10:
            raise ValueError("a value is nested too deeply")
        kind = type(value)
        if kind is list:
            if _SCALARS.issuperset(map(type, value)):
                return value
            return [self.unpack(item, depth + 1) for item in value]
        if kind is not dict:
            return value
        if len(value) == 1:
            (tag,) = value
            if tag[:1] == "$":
                return self._untag(tag, value[tag], depth)
        return {key: self.unpack(item, depth + 1) for key, item in value.items()}

    def _untag(self, tag: str, body: Any, depth: int) -> Any:
        try:
            if tag in _KIND_OF:
                items = self._items(body, depth)
                if tag in _HASHED:
                    codec.refuse_one_hash(items)
                return _KIND_OF[tag](items)
            if tag == "$dict":
                pairs = self._items(body, depth)
                codec.refuse_one_hash([key for key, _ in pairs])
                return {key: item for key, item in pairs}  # noqa: C416 - dict() would take "ab"
            if tag == "$range":
                return range(*self._items(body, depth))
            if tag == "$type":
                return _TYPES[body]
            if tag == "$list_node":
                return make_list(self._items(body, depth), self._classes["ListNode"])
            if tag == "$tree_node":
                return make_tree(self._items(body, depth), self._classes["TreeNode"])
            if tag in codec.TAGS:
                return codec.from_json({tag: body})
        except (TypeError, KeyError, OverflowError) as error:
            raise ValueError(f"{tag} is malformed") from error
        return self._special(tag, body)

    def _items(self, body: Any, depth: int) -> list[Any]:
        if type(body) is not list:
            raise ValueError("a tag must hold a list")
        return [self.unpack(item, depth + 1) for item in body]


def make_list(values: list[Any], node_class: Any = ListNode) -> Any:
    """A linked list of the values; None when there are none."""
    head = None
    for value in reversed(values):
        node = node_class(value)
        node.next = head
        head = node
    return head


def make_tree(levels: list[Any], node_class: Any = TreeNode) -> Any:
    """A binary tree from its levels: [value] for a node, None for a missing one."""
    if not levels or levels[0] is None:
        return None
    nodes = [_node(entry, node_class) for entry in levels]
    places = iter(nodes[1:])
    for parent in nodes:
        if parent is not None:
            parent.left = next(places, None)
            parent.right = next(places, None)
    return nodes[0]


def _node(entry: Any, node_class: Any) -> Any:
    if entry is None:
        return None
    (value,) = entry
    return node_class(value)
