"""In guest and test runner: values that cross between the two, as tagged JSON.

These values are: the codec's exact built-in types; deque, bytearray, range, slice, views of dicts
and built-in types; linked lists and trees by their structure; dates, Decimal and Fraction; and
references to what stays on one side ($handle, $name, $value), which the caller's ``translate``
handles. Instances of subclasses of built-ins, and numpy values, become the built-in value that they
stand for. The base type's own C methods convert them: this module runs no ``__eq__``, ``__hash__``
or ``__iter__`` of a program.

Lists, dicts, sets, deques, byte arrays and heads of linked lists and trees are shared: each has a
number, in the order of the messages, and where it stands again, {"$same": number} does
(``sharing``).
"""

from __future__ import annotations

import builtins
import sys
from builtins import all, getattr, id, issubclass, iter, len, type
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from microcoder_sandbox.wire import codec
from microcoder_sandbox.wire.builtin_values import BASE_CONVERTERS
from microcoder_sandbox.wire.nodes import make_list, make_tree

from . import sharing
from .sharing import get_class_name, get_mro

MAX_ITEMS = 2_000_000  # of one value, where what it shares counts each time
# The value of an enumeration's member is packed from depth 0, however deep the member stands.
_MAX_UNPACKED_DEPTH = 2 * codec.MAX_DEPTH + 10
_SCALARS = frozenset({type(None), bool, int, float, str})
_CODEC_SCALARS = _SCALARS | {bytes, complex}
_TAG_OF_TYPE: dict[type, str] = {
    tuple: "$tuple",
    set: "$set",
    frozenset: "$frozenset",
    deque: "$deque",
    bytearray: "$bytearray",
}
_TYPE_OF_TAG: dict[str, Any] = {tag: kind for kind, tag in _TAG_OF_TYPE.items()}
_SHARED_TAGS = frozenset(
    ["$set", "$deque", "$bytearray", "$dict", "$collection", "$list_node", "$tree_node"]
)
_VIEWS = {"keys": dict.keys, "values": dict.values, "items": dict.items}
_VIEW_NAMES = {type(view({})): name for name, view in _VIEWS.items()}
_HASHED = frozenset({"$set", "$frozenset"})
IMMUTABLE: tuple[Any, ...] = (*(base for base, _ in BASE_CONVERTERS), tuple, frozenset)
_DICTS: dict[str, Any] = {kind.__name__: kind for kind in sharing.COLLECTIONS}
_TYPES = {  # also Ellipsis and NotImplemented, which exist once, as a type does
    name: value
    for name, value in vars(builtins).items()
    if (type(value) is type and name[0] != "_") or value in (Ellipsis, NotImplemented)
}
TYPE_NAMES = {id(value): name for name, value in _TYPES.items()}
_get_maxlen = deque.__dict__["maxlen"].__get__
_to_json = codec.to_json

# Values of the standard library that tests compare: {class: (to JSON, from JSON)}, by module.
STANDARD: dict[str, dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]]] = {
    "datetime": {
        "timedelta": (lambda v: [v.days, v.seconds, v.microseconds], lambda cls, v: cls(*v)),
        "timezone": (
            lambda v: v.utcoffset(None).total_seconds(),
            lambda cls, v: cls(sys.modules["datetime"].timedelta(seconds=v)),
        ),
        "date": (lambda v: v.isoformat(), lambda cls, v: cls.fromisoformat(v)),
        "time": (lambda v: v.isoformat(), lambda cls, v: cls.fromisoformat(v)),
        "datetime": (lambda v: v.isoformat(), lambda cls, v: cls.fromisoformat(v)),
    },
    "decimal": {"Decimal": (str, lambda cls, v: cls(v))},
    "uuid": {"UUID": (str, lambda cls, v: cls(v))},
    "pathlib": {name: (str, lambda cls, v: cls(v)) for name in ("PosixPath", "PurePosixPath")},
    "fractions": {
        "Fraction": (
            lambda v: [_to_json(v.numerator), _to_json(v.denominator)],
            lambda cls, v: cls(*v),
        )
    },
}


class Packer:
    """Packs the values of one message. ``translate`` gives JSON for what has no plain form, and for
    objects of the classes of which ``is_translated`` is true. ``refer_to_value`` gets an instance
    of a subclass of an immutable type, and what it is packed as. table: what is shared already.
    new: what this message shares."""

    __slots__ = ("_is_translated", "_items_left", "_numbers", "_refer_to_value", "_sizes", "_table",
                 "_translate", "new")  # fmt: skip

    def __init__(
        self,
        translate: Callable[[Any], Any],
        is_translated: Callable[[type], bool] = lambda _cls: False,
        refer_to_value: Callable[[Any, Any], Any] = lambda _value, packed: packed,
        table: sharing.SharedTable | None = None,
    ) -> None:
        self._translate = translate
        self._refer_to_value = refer_to_value
        self._is_translated = is_translated
        self._items_left = MAX_ITEMS
        self._table = table or sharing.SharedTable()
        self.new: list[Any] = []
        self._numbers = {**self._table.numbers}
        self._sizes: dict[int, int | None] = {}  # of new, in items; None while it is packed

    def pack(self, value: Any, depth: int = 0) -> Any:
        """Return tagged JSON for a value. Raises UnsendableError, or what ``translate`` raises."""
        value_type = type(value)
        if value_type in _CODEC_SCALARS:
            return _to_json(value)
        if depth > codec.MAX_DEPTH:
            raise sharing.UnsendableError(f"a value is nested deeper than {codec.MAX_DEPTH} levels")
        if depth == 0:
            self._items_left = MAX_ITEMS
        if value_type in sharing.SHARED_TYPES:
            return self._pack_shared(value, depth)
        if value_type is tuple or value_type is frozenset:
            return {_TAG_OF_TYPE[value_type]: self._pack_items(list(value), depth)}
        return self._pack_other(value, value_type, depth)

    def _count_items(self, count: int) -> None:
        self._items_left -= count
        if self._items_left < 0:
            raise sharing.UnsendableError(f"a value has more than {MAX_ITEMS} items")

    def _pack_shared(self, value: Any, depth: int) -> Any:
        number = self._numbers.get(id(value))
        if number is None:
            self._numbers[id(value)] = self._table.first + len(self.new)
            return self._pack_content(value, value, depth)
        size = self._sizes.get(number, 0)  # the tests' side measures what was shared before
        if size is None:
            raise sharing.UnsendableError("a value contains itself")
        self._count_items(size)
        return {"$same": number}

    def pack_changes(self, numbers: Iterable[int]) -> list[Any]:
        """Return [number, new content] of what was shared before. The content itself stays here."""
        values = self._table.values
        return [[number, self._pack_content(values[number], None)] for number in numbers]

    def _pack_content(self, value: Any, new: Any, depth: int = 0) -> Any:
        kind, items_left = sharing.find_kind(value), self._items_left
        number = self._table.first + len(self.new)
        self.new.append(new)
        self._sizes[number] = None
        if kind is list or kind in _TAG_OF_TYPE:
            packed: Any = self._pack_items(list(kind.__iter__(value)), depth)
            packed = [_get_maxlen(value), *packed] if kind is deque else packed
            packed = packed if kind is list else {_TAG_OF_TYPE[kind]: packed}
        elif kind is dict:
            packed = self._pack_dict(value, depth)
        elif kind in sharing.NODES:
            packed = {kind: self._pack_nodes(value, kind, depth)}
        else:
            plain = dict(kind.items(value))  # an OrderedDict has an order of its own
            packed = {"$collection": [get_class_name(kind), self.pack(plain, depth + 1)]}
            if kind is defaultdict:
                packed["$collection"].append(self.pack(value.default_factory, depth + 1))
        self._sizes[number] = items_left - self._items_left
        return packed

    def _pack_items(self, value: list[Any], depth: int) -> list[Any]:
        self._count_items(len(value))
        if _SCALARS.issuperset(map(type, value)):
            plain: list[Any] = _to_json(value)
            return plain
        return [self.pack(item, depth + 1) for item in value]

    def _pack_dict(self, value: dict[Any, Any], depth: int) -> Any:
        pairs = list(dict.items(value))
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
            return {"$slice": self._pack_items(parts, depth)}
        if id(value) in TYPE_NAMES:
            return {"$type": TYPE_NAMES[id(value)]}
        if value_type in _VIEW_NAMES:
            return {"$view": [_VIEW_NAMES[value_type], *self._pack_items(list(value), depth)]}
        if self._is_translated(value_type):
            return self._translate(value)
        if sharing.find_kind(value) is not None:
            return self._pack_shared(value, depth)
        numpy = sys.modules.get("numpy")
        if numpy is not None and issubclass(value_type, numpy.generic):
            return self.pack(value.item(), depth + 1)
        for module_name, classes in STANDARD.items():
            module = sys.modules.get(module_name)
            for class_name, (to_json, _) in classes.items() if module is not None else ():
                if value_type is getattr(module, class_name, None):
                    return {"$standard": [module_name, class_name, to_json(value)]}
        bases = get_mro(value_type)
        for base, convert in BASE_CONVERTERS:
            if base in bases:
                return self._refer_to_value(value, self.pack(convert(value), depth + 1))
        for kind in (tuple, frozenset):
            if kind in bases:
                packed = self.pack(kind(kind.__iter__(value)), depth + 1)
                return self._refer_to_value(value, packed)
        return self._translate(value)

    def _pack_nodes(self, head: Any, kind: str, depth: int) -> list[Any]:
        def pack_node(node: Any) -> Any:
            self._count_items(1)
            packed = self.pack(node.val, depth + 1)
            return packed if kind == "$list_node" else [packed]  # not None, as a missing node is

        nodes: list[Any] = sharing.NODES[kind](
            head, pack_node, sharing.UnsendableError(sharing.NODES_FAULT)
        )
        return nodes


class Unpacker:
    """Builds the values of one message. ``translate`` resolves $handle, $name and the like, or
    raises ValueError. table, new: see Packer. has_references: whether any was found by its
    number."""

    __slots__ = ("_classes", "_table", "_translate", "has_references", "new")

    def __init__(
        self,
        translate: Callable[[str, Any], Any],
        classes: Mapping[str, Any],
        table: sharing.SharedTable | None = None,
    ) -> None:
        self._translate = translate
        self._classes = classes
        self._table = table or sharing.SharedTable()
        self.new: list[Any] = []
        self.has_references = False

    def unpack(self, value: Any, depth: int = 0) -> Any:
        """Return the value of tagged JSON. Raises ValueError on anything malformed."""
        if depth > _MAX_UNPACKED_DEPTH:
            raise ValueError("a value is nested too deeply")
        value_type = type(value)
        if value_type is not list and value_type is not dict:
            return value
        tag = next(iter(value)) if value_type is dict and len(value) == 1 else ""
        if tag[:1] == "$" and tag not in _SHARED_TAGS:
            return self._untag(tag, value[tag], depth)
        number = len(self.new)
        self.new.append(None)
        if value_type is list:
            result: Any = self._unpack_items(value, depth)
        elif tag[:1] == "$":
            result = self._untag(tag, value[tag], depth)
        else:
            result = {key: self.unpack(item, depth + 1) for key, item in value.items()}
        self.new[number] = result
        return result

    def _untag(self, tag: str, body: Any, depth: int) -> Any:
        try:
            if tag in _TYPE_OF_TAG:
                items = self._unpack_items(body, depth)
                if tag in _HASHED:
                    codec.refuse_hash_collisions(items)
                if tag == "$deque":
                    maxlen, *content = items
                    return deque(content, maxlen)
                return _TYPE_OF_TAG[tag](items)
            if tag == "$dict":
                pairs = [self._unpack_items(pair, depth) for pair in body]
                codec.refuse_hash_collisions([key for key, _ in pairs])
                return {key: item for key, item in pairs}  # noqa: C416 - dict() would take "ab"
            if tag == "$same":
                return self._find_shared(body)
            if tag == "$view":
                name, *items = self._unpack_items(body, depth)
                keys = range(len(items)) if name == "values" else items
                entries: Any = items if name == "items" else [*zip(keys, items, strict=True)]
                codec.refuse_hash_collisions([key for key, _ in entries])
                return _VIEWS[name](dict(entries))
            if tag == "$range":
                return range(*self._unpack_items(body, depth))
            if tag == "$slice":
                return slice(*self._unpack_items(body, depth))
            if tag == "$type":
                return _TYPES[body]
            if tag == "$standard":
                module_name, class_name, content = body
                _, from_json = STANDARD[module_name][class_name]
                cls = getattr(__import__(module_name), class_name)
                return from_json(cls, codec.from_json(content))
            if tag == "$collection":
                name, items, *factory = self._unpack_items(body, depth)
                if type(items) is not dict:
                    raise ValueError("a collection must hold a dict")
                return _DICTS[name](*factory, items)
            if tag == "$list_node":
                return make_list(self._classes["ListNode"], self._unpack_items(body, depth))
            if tag == "$tree_node":
                entries = [
                    None if entry is None else self._unpack_items(entry, depth) for entry in body
                ]
                return make_tree(self._classes["TreeNode"], entries)
            if tag in codec.TAGS:
                return codec.from_json({tag: body})
            if tag == "$value":
                body = self._unpack_items(body, depth)
        except (TypeError, KeyError, ArithmeticError) as error:
            raise ValueError(f"{tag} is malformed") from error
        return self._translate(tag, body)

    def apply_changes(self, changes: Any) -> list[int]:
        """Give what was shared its new content; return the numbers. Raises ValueError."""
        for number, packed in changes:
            place = len(self.new)
            sharing.replace_content(self._find_shared(number), self.unpack(packed))
            self.new[place] = None
        return [number for number, _packed in changes]

    def _find_shared(self, number: Any) -> Any:
        value, place = None, -1
        if type(number) is int:
            value, place = self._table.values.get(number), number - self._table.first
        if 0 <= place < len(self.new):
            value = self.new[place]
        if value is None:  # or it would contain itself
            raise ValueError("a reference to nothing")
        self.has_references = True
        return value

    def _unpack_items(self, body: Any, depth: int) -> list[Any]:
        if type(body) is not list:
            raise ValueError("a tag must hold a list")
        if _SCALARS.issuperset(map(type, body)):
            return body
        return [self.unpack(item, depth + 1) for item in body]
