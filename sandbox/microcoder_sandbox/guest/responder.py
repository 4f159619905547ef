"""The candidate's side: performs what the tests request, one request at a time.

Imported before the program runs. No reply is evidence: a program that forges one gains no more than
by returning that value, since the tests compare values in their own process.

A request is {"id", "op", "target", ...}. Its target is {"$name": global name} or
{"$handle": number}. The reply is {"id", "ok": value, "changed": {...}} or {"id", "raised":
[paths of classes, most specific first], "message", "args", "error", "cause"}; args that are not
plain are left out. Where a call returns one of its arguments, "is_argument" says which.
"""

from __future__ import annotations

import builtins
from builtins import any, enumerate, id, len, vars
from collections import deque
from types import CoroutineType as _CoroutineType

from microcoder_sandbox.wire import frames, instances, nodes, operations, packing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_MESSAGE_CHARACTERS = 2000
_MUTABLE = (list, dict, set, deque)

_isinstance, _getattr, _type, _str = isinstance, getattr, type, str
_HANDED_OUT = frozenset({"__iter__", "__aiter__", "__reversed__"})  # never plain
_read_frame, _write_frame = frames.read_frame, frames.write_frame
_class_name = type.__dict__["__name__"].__get__
_mro = type.__dict__["__mro__"].__get__
_module_name = type.__dict__["__module__"].__get__
_get_args, _get_cause = (BaseException.__dict__[name].__get__ for name in ("args", "__cause__"))
_drop_traceback = BaseException.with_traceback


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
            _write_frame(write_fd, server.make_error_reply(reply["id"], error))


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
            return {**self.make_error_reply(number, error), "missing": True}
        except BaseException as error:
            return self.make_error_reply(number, error)

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
        pack = self._pack
        if request["makes_object"] and _can_have_state(result):
            pack = self._make_handle  # a list, for example, of a class with methods of its own
        answer = {"is_argument": places[0], "ok": None} if places else {"ok": pack(result)}
        changes = {
            "args": self._find_changes(enumerate(arguments), request["args"]),
            "kwargs": self._find_changes(keywords.items(), request["kwargs"]),
        }
        return {**answer, "changed": changes}

    def _find_changes(self, values: Any, arguments: Any) -> list[Any]:
        """Return [place, new value] of each changed argument; [place] if the value cannot cross."""
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
        """Return what a special method or a built-in function gives. The test's process decides for
        which of its values it sends operators."""
        target = self._unpacker.unpack(request["target"])
        name, arguments = request["name"], [self._unpacker.unpack(a) for a in request["args"]]
        if name == "value":
            return {"ok": self._pack(target)}
        if name in ("exit", "aexit"):
            (error,) = arguments
            kind = None if error is None else _type(error)
            result = _getattr(_type(target), f"__{name}__")(target, kind, error, None)
            return {"ok": bool(self._run_awaitable(result) if name == "aexit" else result)}
        if name in ("await", "anext"):
            awaitable = target if name == "await" else operations.find(name)(target)
            return {"ok": self._pack(self._run_awaitable(awaitable))}
        result = operations.find(name)(target, *arguments)
        return {"ok": (self._make_handle if name in _HANDED_OUT else self._pack)(result)}

    def _make_error(self, names: list[str], arguments: list[Any]) -> Any:
        """Return an exception that the test passes, of the first of its classes that is known
        here."""
        for name in names:
            cls: Any = self._namespace.get(name, _getattr(builtins, name, None))
            if _isinstance(cls, _type) and BaseException in _mro(cls):
                return cls.__new__(cls, *arguments)
        raise ValueError("an unknown exception")

    def _resolve_reference(self, tag: str, body: Any) -> Any:
        if tag == instances.TAG:
            return self._instances.resolve(body)
        if tag == "$error":
            return self._make_error(body[0], self._unpacker.unpack(body[1]))
        if tag == "$handle":
            return self._objects[body]
        if body not in self._namespace:
            raise _MissingNameError(f"name {body!r} is not defined")
        return self._namespace[body]

    def _pack(self, value: Any) -> Any:
        holds = self._instances.holds
        return packing.Packer(self._refer_to, holds, self._refer_to_value).pack(value)

    def _refer_to_value(self, value: Any, packed: Any) -> Any:
        return {"$value": [self._make_handle(value)["$handle"], packed]}

    def _refer_to(self, value: Any) -> dict[str, int]:
        if self._instances.holds(_type(value)):
            return self._instances.refer_to(value)
        if _type(value) is _CoroutineType:
            return {"$coroutine": self._make_handle(value)["$handle"]}
        return self._make_handle(value)

    def _run_awaitable(self, awaitable: Any) -> Any:
        if self._event_loop is None:
            self._event_loop = __import__("asyncio").new_event_loop()
        return self._event_loop.run_until_complete(awaitable)

    def _make_handle(self, value: Any) -> dict[str, Any]:
        if _isinstance(value, _type) and self._namespace.get(_class_name(value)) is value:
            return {"$name": _class_name(value)}
        number = self._numbers.setdefault(id(value), len(self._objects))
        if number == len(self._objects):
            self._objects.append(value)
        return {"$handle": number}

    def make_error_reply(self, number: Any, error: BaseException) -> dict[str, Any]:
        """Return the reply that says what was raised."""
        reply = {"id": number, **self._describe_error(error)}
        cause = _get_cause(error)
        return reply if cause is None else {**reply, "cause": self._describe_error(cause)}

    def _describe_error(self, error: BaseException) -> dict[str, Any]:
        classes = [cls for cls in _mro(_type(error)) if cls is not object]
        try:
            message = str.__getitem__(_str(error), slice(MAX_MESSAGE_CHARACTERS))
        except BaseException:
            message = ""
        try:
            arguments = packing.Packer(_refuse_object).pack(_get_args(error))
        except BaseException:
            arguments = None
        if id(classes[0]) in packing.TYPE_NAMES:
            handle: Any = None
        else:
            handle = self._make_handle(_drop_traceback(error, None))
        paths = [f"{_module_name(cls)}.{_class_name(cls)}" for cls in classes]
        return {"raised": paths, "message": message, "args": arguments, "error": handle}


def _replace_attributes(value: Any, attributes: dict[str, Any]) -> None:
    vars(value).clear()
    vars(value).update(attributes)


def _can_have_state(value: Any) -> bool:
    """Whether its class is neither built-in nor derived from an immutable built-in type."""
    is_exact = value is None or id(_type(value)) in packing.TYPE_NAMES
    return not is_exact and not any(base in packing.IMMUTABLE for base in _mro(_type(value)))


def _is_mutable(value: Any) -> bool:
    bases = _mro(_type(value))
    if any(cls in bases for cls in _MUTABLE) or tuple in bases:
        return True
    return _class_name(_type(value)) in ("ListNode", "TreeNode")


def _refuse_object(value: Any) -> Any:
    raise TypeError(f"an object of type {_class_name(_type(value))}")
