"""In guest and test runner: values that cross between the two, as tagged JSON.

These values are: the codec's exact built-in types; deque, range, slice and built-in types; linked
lists and trees by their structure; dates, Decimal and Fraction; and references to what stays on one
side ($handle, $name, $value), which the caller's ``translate`` handles. Instances of subclasses of
built-ins, and numpy values, become the built-in value that they stand for. The base type's own C
methods convert them: this module runs no ``__eq__``, ``__hash__`` or ``__iter__`` of a program.
"""

from __future__ import annotations

import builtins
import sys
from builtins import all, getattr, hasattr, id, issubclass, len, repr, sorted, type
from collections import Counter, OrderedDict, defaultdict, deque

from . import codec
from .nodes import flatten_list, flatten_tree, make_list, make_tree
from .plain_values import BASE_CONVERTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

MAX_DEPTH = 150  # a tag takes two levels of JSON, and the interpreter allows about a thousand
MAX_ITEMS = 2_000_000  # an object that shares sub-lists is small, but each is packed again
_SCALARS = frozenset({type(None), bool, int, float, str})
_CODEC_SCALARS = _SCALARS | {bytes, complex}
_TAG_OF_TYPE: dict[type, str] = {
    tuple: "$tuple",
    set: "$set",
    frozenset: "$frozenset",
    deque: "$deque",
}
_TYPE_OF_TAG: dict[str, Any] = {tag: kind for kind, tag in _TAG_OF_TYPE.items()}
_HASHED = frozenset({"$set", "$frozenset"})
_SUBCLASSED: tuple[Any, ...] = (tuple, frozenset, list, dict, set, deque)
IMMUTABLE: tuple[Any, ...] = (*(base for base, _ in BASE_CONVERTERS), tuple, frozenset)
_DICTS: dict[str, Any] = {kind.__name__: kind for kind in (Counter, OrderedDict, defaultdict)}
_TYPES = {
    name: value for name, value in vars(builtins).items() if type(value) is type and name[0] != "_"
}
TYPE_NAMES = {id(value): name for name, value in _TYPES.items()}
_mro = type.__dict__["__mro__"].__get__
_class_name = type.__dict__["__name__"].__get__
_to_json, _dict_items = codec.to_json, dict.items

# Values of the standard library that tests compare: {class: (to JSON, from JSON)}, by module.
STANDARD: dict[str, dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]]] = {
    "datetime": {
        "timedelta": (lambda v: [v.days, v.seconds, v.microseconds], lambda cls, v: cls(*v)),
        "date": (lambda v: v.isoformat(), lambda cls, v: cls.fromisoformat(v)),
        "time": (lambda v: v.isoformat(), lambda cls, v: cls.fromisoformat(v)),
        "datetime": (lambda v: v.isoformat(), lambda cls, v: cls.fromisoformat(v)),
    },
    "decimal": {"Decimal": (str, lambda cls, v: cls(v))},
    "fractions": {
        "Fraction": (
            lambda v: [_to_json(v.numerator), _to_json(v.denominator)],
            lambda cls, v: cls(*v),
        )
    },
}


class NotPlainError(TypeError):
    """The value is too deep, too large or a cycle; the message says which."""


class Packer:
    """Packs values of one message. ``translate`` gives JSON for what has no plain form, and for
    objects of the classes of which ``is_translated`` is true. ``refer_to_value`` gets an instance
    of a subclass of an immutable type, and what it is packed as."""

    __slots__ = ("_is_translated", "_items_left", "_refer_to_value", "_translate")

    def __init__(
        self,
        translate: Callable[[Any], Any],
        is_translated: Callable[[type], bool] = lambda _cls: False,
        refer_to_value: Callable[[Any, Any], Any] = lambda _value, packed: packed,
    ) -> None:
        self._translate = translate
        self._refer_to_value = refer_to_value
        self._is_translated = is_translated
        self._items_left = MAX_ITEMS

    def pack(self, value: Any, depth: int = 0) -> Any:
        """Return tagged JSON for a value. Raises NotPlainError, or what ``translate`` raises."""
        value_type = type(value)
        if value_type in _CODEC_SCALARS:
            return _to_json(value)
        if depth > MAX_DEPTH:
            raise NotPlainError(f"a value is nested deeper than {MAX_DEPTH} levels")
        if value_type is list:
            return self._pack_list(value, depth)
        if value_type in _TAG_OF_TYPE:
            items = self._pack_list(list(value_type.__iter__(value)), depth)
            if value_type is set or value_type is frozenset:
                items = sorted(items, key=repr)  # so that equal sets give equal JSON
            return {_TAG_OF_TYPE[value_type]: items}
        if value_type is dict:
            return self._pack_dict(value, depth)
        return self._pack_other(value, value_type, depth)

    def _count_items(self, count: int) -> None:
        self._items_left -= count
        if self._items_left < 0:
            raise NotPlainError(f"a value has more than {MAX_ITEMS} items")

    def _pack_list(self, value: list[Any], depth: int) -> list[Any]:
        self._count_items(len(value))
        if _SCALARS.issuperset(map(type, list.__iter__(value))):
            plain: list[Any] = _to_json(value)
            return plain
        return [self.pack(item, depth + 1) for item in list.__iter__(value)]

    def _pack_dict(self, value: dict[Any, Any], depth: int) -> Any:
        pairs = list(_dict_items(value))
        self._count_items(len(pairs))
        has_plain_keys = all(type(key) is str for key, _ in pairs)
        if has_plain_keys and not (len(pairs) == 1 and pairs[0][0][:1] == "$"):
            return {key: self.pack(item, depth + 1) for key, item in pairs}
        return {"$dict": [[self.pack(k, depth + 1), self.pack(v, depth + 1)] for k, v in pairs]}

    def _pack_other(self, value: Any, value_type: type, depth: int) -> Any:
        if value_type is range:
            return {"$range": [_to_json(n) for n in (value.start, value.stop, value.step)]}
        if value_type is slice:
            parts = [value.start, value.stop, value.step]
            return {"$slice": self._pack_list(parts, depth)}
        if id(value) in TYPE_NAMES:
            return {"$type": TYPE_NAMES[id(value)]}
        if self._is_translated(value_type):
            return self._translate(value)
        name = _class_name(value_type)
        if name == "ListNode" and hasattr(value, "val") and hasattr(value, "next"):
            return {"$list_node": self._pack_list_node(value, depth)}
        if name == "TreeNode" and hasattr(value, "val") and hasattr(value, "left"):
            return {"$tree_node": self._pack_tree_node(value, depth)}
        numpy = sys.modules.get("numpy")
        if numpy is not None and issubclass(value_type, numpy.generic):
            return self.pack(value.item(), depth + 1)
        for module_name, classes in STANDARD.items():
            module = sys.modules.get(module_name)
            for class_name, (to_json, _) in classes.items() if module is not None else ():
                if value_type is getattr(module, class_name, None):
                    return {"$standard": [module_name, class_name, to_json(value)]}
        for name, kind in _DICTS.items():
            if value_type is kind:
                plain = dict(_DICTS[name].items(value))  # an OrderedDict has an order of its own
                return {"$collection": [name, self._pack_dict(plain, depth)]}
        bases = _mro(value_type)
        for base, convert in BASE_CONVERTERS:
            if base in bases:
                return self._refer_to_value(value, self.pack(convert(value), depth + 1))
        for base in _SUBCLASSED:
            if base in bases:
                items = _dict_items(value) if base is dict else base.__iter__(value)
                packed = self.pack(base(items), depth + 1)
                return self._refer_to_value(value, packed) if base in IMMUTABLE else packed
        return self._translate(value)

    def _pack_list_node(self, head: Any, depth: int) -> list[Any]:
        def pack_value(node: Any) -> Any:
            self._count_items(1)
            return self.pack(node.val, depth + 1)

        return flatten_list(head, pack_value, NotPlainError("a linked list has a cycle"))

    def _pack_tree_node(self, root: Any, depth: int) -> list[Any]:
        def pack_entry(node: Any) -> list[Any]:
            self._count_items(1)
            return [self.pack(node.val, depth + 1)]  # not None, as a missing node is

        return flatten_tree(root, pack_entry, NotPlainError("a tree has a cycle or a shared node"))


class Unpacker:
    """Builds fresh values. ``translate`` resolves $handle and $name, or raises ValueError."""

    __slots__ = ("_classes", "_translate")

    def __init__(self, translate: Callable[[str, Any], Any], classes: Mapping[str, Any]) -> None:
        self._translate = translate
        self._classes = classes

    def unpack(self, value: Any, depth: int = 0) -> Any:
        """Return the value of tagged JSON. Raises ValueError on anything malformed."""
        if depth > 2 * MAX_DEPTH + 10:
            raise ValueError("a value is nested too deeply")
        value_type = type(value)
        if value_type is list:
            if _SCALARS.issuperset(map(type, value)):
                # A copy: what was received is compared later with what the program made of it.
                return value[:]
            return [self.unpack(item, depth + 1) for item in value]
        if value_type is not dict:
            return value
        if len(value) == 1:
            (tag,) = value
            if tag[:1] == "$":
                return self._untag(tag, value[tag], depth)
        return {key: self.unpack(item, depth + 1) for key, item in value.items()}

    def _untag(self, tag: str, body: Any, depth: int) -> Any:
        try:
            if tag in _TYPE_OF_TAG:
                items = self._unpack_items(body, depth)
                if tag in _HASHED:
                    codec.refuse_hash_collisions(items)
                return _TYPE_OF_TAG[tag](items)
            if tag == "$dict":
                pairs = self._unpack_items(body, depth)
                codec.refuse_hash_collisions([key for key, _ in pairs])
                return {key: item for key, item in pairs}  # noqa: C416 - dict() would take "ab"
            if tag == "$range":
                return range(*self._unpack_items(body, depth))
            if tag == "$slice":
                return slice(*self._unpack_items(body, depth))
            if tag == "$type":
                return _TYPES[body]
            if tag == "$standard":
                module_name, class_name, content = self._unpack_items(body, depth)
                _, from_json = STANDARD[module_name][class_name]
                return from_json(getattr(__import__(module_name), class_name), content)
            if tag == "$collection":
                name, items = self._unpack_items(body, depth)
                if type(items) is not dict:
                    raise ValueError("a collection must hold a dict")
                return _DICTS[name](*([None] if name == "defaultdict" else []), items)
            if tag == "$list_node":
                return make_list(self._classes["ListNode"], self._unpack_items(body, depth))
            if tag == "$tree_node":
                return make_tree(self._classes["TreeNode"], self._unpack_items(body, depth))
            if tag in codec.TAGS:
                return codec.from_json({tag: body})
        except (TypeError, KeyError, ArithmeticError) as error:
            raise ValueError(f"{tag} is malformed") from error
        return self._translate(tag, body)

    def _unpack_items(self, body: Any, depth: int) -> list[Any]:
        if type(body) is not list:
            raise ValueError("a tag must hold a list")
        return [self.unpack(item, depth + 1) for item in body]
