"""The candidate's side: performs what the tests request, one request at a time.

Imported before the program runs. No reply is evidence: a program that forges one gains no more than
by returning that value, since the tests compare values in their own process.

A request is {"id", "op", "target", ...}. Its target is {"$name": global name} or
{"$handle": number}. The reply is {"id", "ok": value, "changed": {...}} or {"id", "raised":
[class names, most special first], "message", "args", "attributes"}; args and attributes that are
not plain are left out. Where a call returns one of its arguments, "is_argument" says which.
"""

from __future__ import annotations

import builtins
import copy
import operator
from builtins import any, enumerate, id, iter, len, repr, vars
from collections import deque
from types import CoroutineType as _CoroutineType

from microcoder_sandbox.wire import frames, instances, nodes, packing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SPECIAL_METHODS = frozenset([
    "enter", "getitem", "len", "next", "setitem", "delitem",
    "abs", "neg", "pos", "invert", "int", "float", "round",
])  # fmt: skip
OPERATORS = frozenset([
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor",
    "lt", "le", "gt", "ge", "eq", "contains",
])  # fmt: skip
MAX_MESSAGE_CHARACTERS = 2000
_MUTABLE = (list, dict, set, deque)

_isinstance, _getattr, _type, _str = isinstance, getattr, type, str
_OPERATIONS = {  # what the tests request of an object, by name
    **{name: getattr(operator, name) for name in OPERATORS},
    "bool": bool,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "getattr": getattr,
    "isinstance": lambda cls, value: _isinstance(value, cls) is True,
    "repr": repr,
    "rmul": lambda target, factor: factor * target,
    "setattr": setattr,
    "str": str,
    "value": lambda target: target,
}
_read_frame, _write_frame = frames.read_frame, frames.write_frame
_class_name = type.__dict__["__name__"].__get__
_mro = type.__dict__["__mro__"].__get__
_get_args = BaseException.__dict__["args"].__get__


class _MissingNameError(NameError):
    """The test code uses a global name that the program does not have."""


def serve(namespace: dict[str, Any], read_fd: int, write_fd: int) -> None:
    """Answer requests until the tests close their end. Raises OSError when a pipe breaks.

    namespace: the globals of the program, whose top level has run.
    """
    server = _Server(namespace)
    while (frame := _read_frame(read_fd)) is not None:
        reply = server.handle_request(frame[0])
        try:
            _write_frame(write_fd, reply)
        except (ValueError, RecursionError, MemoryError) as error:
            _write_frame(write_fd, _make_error_reply(reply["id"], error))


class _Server:
    """The candidate's names and the objects handed out so far."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace
        self._objects: list[Any] = []
        self._numbers: dict[int, int] = {}  # id of an object -> its handle; _objects keeps it alive
        classes = {
            name: cls if isinstance(cls := namespace.get(name), type) else fallback
            for name, fallback in (
                ("ListNode", nodes.ListNode),
                ("TreeNode", nodes.TreeNode),
            )
        }
        self._event_loop: Any = None  # one for all: locks and queues belong to their loop
        self._classes: dict[str, Any] = {}
        self._instances = instances.InstanceTable(self._classes.get, first=1)
        self._unpacker = packing.Unpacker(self._resolve_reference, classes)

    def handle_request(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to one request; any exception of the program becomes one, SystemExit
        too."""
        number = request["id"]
        try:
            self._define_classes(request)
            self._instances.unpack_states(
                request["instances"], self._unpacker.unpack, _replace_attributes
            )
            if "$handle" in request["target"]:
                self._instances.mark_all()
            reply = self._call(request) if request["op"] == "call" else self._operate(request)
            states = self._instances.pack_states(self._pack)
            return {"id": number, **reply, "instances": states}
        except _MissingNameError as error:
            return {**_make_error_reply(number, error), "missing": True}
        except BaseException as error:
            return _make_error_reply(number, error)

    def _define_classes(self, request: dict[str, Any]) -> None:
        """Run the definitions of the test's own classes, which come with the first request."""
        if not request.get("classes"):
            return
        classes = instances.run_definitions(request["classes"])
        self._classes.update(classes)
        if request["replaces_names"]:
            self._namespace.update(classes)

    def _call(self, request: dict[str, Any]) -> dict[str, Any]:
        unpack = self._unpacker.unpack
        function = unpack(request["target"])
        arguments = [unpack(item) for item in request["args"]]
        keywords = {key: unpack(item) for key, item in request["kwargs"].items()}
        result = function(*arguments, **keywords)
        values = (*enumerate(arguments), *keywords.items())
        can_be_argument = _is_mutable(result) and not _isinstance(result, tuple)
        places = [place for place, value in values if can_be_argument and value is result]
        answer = {"is_argument": places[0], "ok": None} if places else {"ok": self._pack(result)}
        changes = {
            "args": self._find_changes(enumerate(arguments), request["args"]),
            "kwargs": self._find_changes(keywords.items(), request["kwargs"]),
        }
        return {**answer, "changed": changes}

    def _find_changes(self, values: Any, arguments: Any) -> list[Any]:
        """[place, new value] of each argument that the call changed; [place]: it cannot be sent."""
        changes: list[Any] = []
        for position, value in values:
            if not _is_mutable(value):
                continue
            try:
                packed = self._pack(value)
            except Exception:
                changes.append([position])
                continue
            if packed != arguments[position]:
                changes.append([position, packed])
        return changes

    def _operate(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return what the test requests by syntax, or by a built-in function: len(x), x[i], x.name,
        for … in x. A comparison with a value of the test's is none of these, but for ``in`` of an
        object that the test has made."""
        target = self._unpacker.unpack(request["target"])
        name, arguments = request["name"], [self._unpacker.unpack(a) for a in request["args"]]
        if name == "iter":
            return {"ok": self._make_handle(iter(target))}
        if name == "exit":
            return {"ok": bool(_type(target).__exit__(target, *self._make_error(arguments[0])))}
        if name == "await":
            return {"ok": self._pack(self._run_coroutine(target))}
        if name in _OPERATIONS:
            return {"ok": self._pack(_OPERATIONS[name](target, *arguments))}
        if name not in SPECIAL_METHODS:
            raise TypeError(f"no such operation: {name}")
        method = _getattr(_type(target), f"__{name}__", None)
        if method is None:
            raise TypeError(f"{_class_name(_type(target))} object has no __{name}__")
        return {"ok": self._pack(method(target, *arguments))}

    def _make_error(self, names: list[str]) -> tuple[Any, Any, None]:
        """Return what ``__exit__`` gets: an error of the first class that is known here."""
        for name in names:
            cls: Any = self._namespace.get(name, _getattr(builtins, name, None))
            if _isinstance(cls, _type) and BaseException in _mro(cls):
                return cls, cls.__new__(cls), None
        return None, None, None

    def _resolve_reference(self, tag: str, body: Any) -> Any:
        if tag == instances.TAG:
            return self._instances.resolve(body)
        if tag == "$handle":
            return self._objects[body]
        if body not in self._namespace:
            raise _MissingNameError(f"name {body!r} is not defined")
        return self._namespace[body]

    def _pack(self, value: Any) -> Any:
        return packing.Packer(self._refer_to, self._instances.holds).pack(value)

    def _refer_to(self, value: Any) -> dict[str, int]:
        if self._instances.holds(_type(value)):
            return self._instances.refer_to(value)
        if _type(value) is _CoroutineType:
            return {"$coroutine": self._make_handle(value)["$handle"]}
        return self._make_handle(value)

    def _run_coroutine(self, coroutine: Any) -> Any:
        if self._event_loop is None:
            self._event_loop = __import__("asyncio").new_event_loop()
        return self._event_loop.run_until_complete(coroutine)

    def _make_handle(self, value: Any) -> dict[str, int]:
        number = self._numbers.setdefault(id(value), len(self._objects))
        if number == len(self._objects):
            self._objects.append(value)
        return {"$handle": number}


def _replace_attributes(value: Any, attributes: dict[str, Any]) -> None:
    vars(value).clear()
    vars(value).update(attributes)


def _is_mutable(value: Any) -> bool:
    bases = _mro(_type(value))
    if any(cls in bases for cls in _MUTABLE) or tuple in bases:
        return True
    return _class_name(_type(value)) in ("ListNode", "TreeNode")


def _make_error_reply(number: Any, error: BaseException) -> dict[str, Any]:
    names = [_class_name(cls) for cls in _mro(_type(error)) if cls is not object]
    try:
        message = str.__getitem__(_str(error), slice(MAX_MESSAGE_CHARACTERS))
    except BaseException:
        message = ""
    try:
        attributes = dict(vars(error))
    except BaseException:
        attributes = {}
    return {
        "id": number,
        "raised": names,
        "message": message,
        "attributes": _pack_plain(attributes),
        **_pack_plain({"args": _get_args(error)}),
    }


def _pack_plain(values: dict[Any, Any]) -> dict[str, Any]:
    """Pack the values that are plain; the others are left out."""
    packed: dict[str, Any] = {}
    for name, value in values.items():
        try:
            packed[str.__str__(name)] = packing.Packer(_refuse_object).pack(value)
        except BaseException:
            continue
    return packed


def _refuse_object(value: Any) -> Any:
    raise TypeError(f"an object of type {_class_name(_type(value))}")
