"""The candidate's side: performs what the tests request, one request at a time.

Imported before the program runs. No reply is evidence: a program that forges one gains no more than
by returning that value, since the tests compare values in their own process.

A request is {"id", "target", "args", "kwargs", "is_apart", ...}, with the "name" of the operation
where it is no call. Its target is {"$name": global name}, {"$handle": number} or
{"$library": [module, name]}.
The reply is {"id", "ok": value} or {"id", "raised": [paths of classes, most specific first],
"message", "args", "attributes", "error", "cause", "context", "hides_context"}, without what is not
plain. Both messages hold "changed", [number, new content] of what is shared (rpc/sharing), and
"dropped", numbers that are shared no longer (None: all); a reply also holds "released", numbers of
the test's objects that the program holds no longer.
"""

from __future__ import annotations

import builtins
from builtins import any, id, len, vars
from collections.abc import Callable
from types import CoroutineType as _CoroutineType
from typing import Any

from microcoder_sandbox.rpc import functions, instances, operations, packing, sharing
from microcoder_sandbox.rpc.classes import ClassTable, run_definitions
from microcoder_sandbox.rpc.sharing import get_class_name, get_mro
from microcoder_sandbox.wire import frames, nodes

from .streams import Streams

# Names that every class or object has, but for those that make text of an object.
_COMMON_NAMES = {*vars(type("", (list,), {})), *vars(object)} - {
    "__str__",
    "__repr__",
    "__format__",
}
MAX_MESSAGE_CHARACTERS = 2000
MAX_ERROR_DEPTH = 5  # of causes of causes, and of groups in groups

_isinstance, _getattr, _type, _str = isinstance, getattr, type, str
_HANDED_OUT = frozenset({"__iter__", "__aiter__", "__reversed__"})  # never plain
_read_frame, _write_frame = frames.read_frame, frames.write_frame
_module_name = type.__dict__["__module__"].__get__
_get_args, _get_dict, _get_cause, _get_context, _hides_context = (
    BaseException.__dict__[name].__get__
    for name in ("args", "__dict__", "__cause__", "__context__", "__suppress_context__")
)
_drop_traceback = BaseException.with_traceback


class _MissingNameError(NameError):
    """The test code uses a global name that the program does not have."""


def serve(namespace: dict[str, Any], read_fd: int, write_fd: int) -> None:
    """Answer requests until the tests close their end. Raises OSError when a pipe breaks.

    namespace: the globals of the program, whose top level has run.
    """
    responder = _Responder(namespace, Streams(read_fd, write_fd))
    while (frame := _read_frame(read_fd)) is not None:
        reply = responder.handle_request(frame[0])  # no frame of ours holds its values then
        if "dropped" not in reply:
            reply["dropped"] = responder.shared.drop_unused()
        try:
            _write_frame(write_fd, reply)
        except (ValueError, RecursionError, MemoryError) as error:
            _write_frame(write_fd, responder.refuse_reply(reply["id"], error))


class _Responder:
    """The candidate's names and the objects handed out so far."""

    def __init__(self, namespace: dict[str, Any], streams: Streams) -> None:
        self._namespace = namespace
        self._streams = streams
        self._objects: list[Any] = []
        self._numbers: dict[int, int] = {}  # id of an object -> its handle; _objects keeps it alive
        self._node_classes = {
            name: cls if isinstance(cls := namespace.get(name), type) else fallback
            for name, fallback in nodes.NODE_CLASSES.items()
        }
        self._leaves_nodes = False  # whether nodes are objects like all others
        self._event_loop: Any = None  # one for all: locks and queues belong to their loop
        self._classes: dict[str, Any] = {}
        self._class_table = ClassTable(self._classes.get)
        self._instances = instances.InstanceTable(self._class_table, first=1, takes_functions=True)
        self.shared = sharing.SharedTable()

    def handle_request(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to one request, with what the program has printed to the tests'
        streams."""
        if "streams" not in request:
            return self._answer_apart(request)
        self._streams.begin(request["streams"])
        try:
            reply = self._answer_apart(request)
        finally:
            printed = self._streams.end()
        return {**reply, "printed": printed}

    def _answer_apart(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply. The tests may send a request while they still read the last reply. What
        answers it shares nothing, since the two sides agree only once that reply is read."""
        if not request["is_apart"]:
            return self._answer(request)
        shared, self.shared = self.shared, sharing.SharedTable()
        try:
            return {**self._answer(request), "dropped": []}
        finally:
            self.shared = shared

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Any exception of the program becomes a reply, SystemExit too."""
        try:
            target, arguments, keywords = self._unpack_request(request)
        except BaseException as error:
            reply = self._stop_sharing({"id": request["id"], **self._describe_error(error)})
            if isinstance(error, _MissingNameError):
                reply["missing"] = True
            return reply
        try:
            result = self._perform(request, target, arguments, keywords)
        except BaseException as error:
            reply = {"id": request["id"], **self._describe_error(error)}
            try:
                return {**reply, **self._pack_reply(request, lambda _: {})}
            except BaseException:
                return self._stop_sharing(reply)  # what it changed cannot cross
        name = request.get("name")
        is_handed_out = name in _HANDED_OUT or (
            request.get("makes_object") and _can_have_state(result)
        )  # a list, for example, of a class with methods of its own
        try:
            if name != "content" and _keeps_container(result):
                container = {"$container": self._make_handle(result)["$handle"]}
                return self._pack_reply(request, lambda _: {"ok": container})
            if is_handed_out:
                return self._pack_reply(request, lambda _: {"ok": self._make_handle(result)})
            return self._pack_reply(request, lambda packer: {"ok": packer.pack(result)})
        except BaseException as error:
            return self.refuse_reply(request["id"], error)

    def _pack_reply(
        self, request: dict[str, Any], pack_answer: Callable[[Any], dict[str, Any]]
    ) -> dict[str, Any]:
        table, shared = self._instances, self.shared
        changed = shared.find_changes()
        numbers = [state[0] for state in request["instances"]]
        fields, new = table.pack_message(
            numbers if request["is_apart"] else [*numbers, *table.changes.find_changes()],
            lambda: packing.Packer(self._refer_to, self._stays, self._refer_to_value, shared),
            lambda packer: {**pack_answer(packer), "changed": packer.pack_changes(changed)},
        )
        shared.agree(new, changed)
        return {"id": request["id"], **fields, "released": table.changes.take_released()}

    def _stays(self, cls: type) -> bool:
        """Whether the objects of a class cross as references."""
        is_node = get_class_name(cls) in nodes.NODE_CLASSES
        return self._class_table.can_send_objects_of(cls) or (self._leaves_nodes and is_node)

    def _stop_sharing(self, reply: dict[str, Any]) -> dict[str, Any]:
        """Return a reply after which nothing is shared: what this side holds may be out of date."""
        self.shared.forget(None)
        return {**reply, "dropped": None}

    def refuse_reply(self, number: Any, error: BaseException) -> dict[str, Any]:
        """Return the reply where a result cannot cross. Nothing was raised: a test that expects an
        exception must not take this one for it."""
        return {"id": number, "unsendable": self._describe_error(error)["message"]}

    def _unpack_request(self, request: dict[str, Any]) -> tuple[Any, list[Any], dict[str, Any]]:
        self._define_classes(request)
        self._leaves_nodes = self._leaves_nodes or "leaves_nodes" in request
        if "seed" in request:
            __import__("random").seed(request["seed"])
        self.shared.first = request["first"]
        unpacker = self._make_unpacker(self.shared)
        unpack = unpacker.unpack
        self._instances.unpack_states(request["instances"], unpack, instances.replace_attributes)
        arguments = [unpack(item) for item in request["args"]]
        keywords = {key: unpack(item) for key, item in request["kwargs"].items()}
        changed = unpacker.apply_changes(request["changed"])
        self.shared.agree(unpacker.new, changed)
        self.shared.forget(request["dropped"])
        return unpack(request["target"]), arguments, keywords

    def _define_classes(self, request: dict[str, Any]) -> None:
        """Run the definitions of the test's own classes, which come with the first request."""
        if not request.get("classes"):
            return
        classes = run_definitions(request["classes"], self._instances.functions.get_module())
        self._classes.update(classes)
        if request["replaces_names"]:
            self._namespace.update(classes)

    def _perform(
        self, request: dict[str, Any], target: Any, arguments: list[Any], keywords: dict[str, Any]
    ) -> Any:
        """Return what a call, a special method or a built-in function gives. The test's process
        decides for which of its values it sends operators."""
        name = request.get("name")
        if name is None:
            return target(*arguments, **keywords)
        if name in ("value", "content"):  # the content of a list is a list, whatever its class
            return target
        if name == "raise":
            raise target
        if name in ("exit", "aexit"):
            (error,) = arguments
            kind = None if error is None else _type(error)
            result = _getattr(_type(target), f"__{name}__")(target, kind, error, None)
            return bool(self._run_awaitable(result) if name == "aexit" else result)
        if name in ("await", "anext"):
            awaitable = target if name == "await" else operations.find(name)(target)
            return self._run_awaitable(awaitable)
        return operations.find(name)(target, *arguments)

    def _make_error(
        self, names: list[str], arguments: list[Any], attributes: dict[str, Any]
    ) -> Any:
        """Return an exception that the test passes, of the first of its classes that is known
        here."""
        for name in names:
            own: Any = self._namespace.get(name, _getattr(builtins, name, None))
            cls = self._classes.get(name, own)
            if _isinstance(cls, _type) and BaseException in get_mro(cls):
                error = cls.__new__(cls, *arguments)
                vars(error).update(attributes)
                return error
        raise ValueError("an unknown exception")

    def _resolve_reference(self, tag: str, body: Any) -> Any:
        if tag == instances.TAG:
            return self._instances.objects[body]
        if tag == "$error":
            names, *parts = body
            return self._make_error(names, *map(self._make_unpacker().unpack, parts))
        if tag == "$handle":
            return self._objects[body]
        if tag == "$value":
            return self._class_table.make_value(*body)
        if tag == "$class":
            return self._class_table.find_class(body)
        if tag == "$library":
            return functions.follow_path(body)
        if body not in self._namespace:
            raise _MissingNameError(f"name {body!r} is not defined")
        return self._namespace[body]

    def _make_unpacker(self, table: sharing.SharedTable | None = None) -> packing.Unpacker:
        return packing.Unpacker(self._resolve_reference, self._node_classes, table)

    def _refer_to_value(self, value: Any, packed: Any) -> Any:
        own = self._instances.refer_to_value(value, packed)
        return own or {"$value": [self._make_handle(value)["$handle"], packed]}

    def _refer_to(self, value: Any) -> dict[str, Any]:
        can_cross = self._class_table.can_send_objects_of(_type(value))
        if can_cross or id(value) in self._instances.numbers:
            return self._instances.refer_to(value)
        pack = packing.Packer(self._refer_to).pack
        if definition := self._instances.refer_to_definition(value, pack):
            return definition
        if BaseException in get_mro(_type(value)) and self._class_table.find_name(_type(value)):
            return {"$error": self._describe_error(value)}
        if _type(value) is _CoroutineType:
            return {"$coroutine": self._make_handle(value)["$handle"]}
        return self._make_handle(value)

    def _run_awaitable(self, awaitable: Any) -> Any:
        if self._event_loop is None:
            self._event_loop = __import__("asyncio").new_event_loop()
        return self._event_loop.run_until_complete(awaitable)

    def _make_handle(self, value: Any) -> dict[str, Any]:
        if _isinstance(value, _type) and self._namespace.get(get_class_name(value)) is value:
            return {"$name": get_class_name(value)}
        number = self._numbers.setdefault(id(value), len(self._objects))
        if number == len(self._objects):
            self._objects.append(value)
        return {"$handle": number}

    def _describe_error(self, error: BaseException, depth: int = 0) -> dict[str, Any]:
        """Return the fields of a reply that say what was raised."""

        def describe_other(value: Any) -> Any:
            if BaseException not in get_mro(_type(value)) or depth == MAX_ERROR_DEPTH:
                raise TypeError(f"an object of type {get_class_name(_type(value))}")
            return {"$error": self._describe_error(value, depth + 1)}

        def pack(get: Callable[..., Any], *args: Any) -> Any:
            try:
                return packing.Packer(describe_other).pack(get(*args))
            except BaseException:
                return None

        bases = get_mro(_type(error))
        classes = [cls for cls in bases if cls is not object and cls is not _MissingNameError]
        try:
            message = str.__getitem__(_str(error), slice(MAX_MESSAGE_CHARACTERS))
        except BaseException:
            message = ""
        is_built_in = id(classes[0]) in packing.TYPE_NAMES
        handle = None if is_built_in else self._make_handle(_drop_traceback(error, None))
        names = [*_get_dict(error), *operations.ERROR_FIELDS]
        attributes = {name: pack(_getattr, error, name) for name in names}
        reply: dict[str, Any] = {
            "raised": [f"{_module_name(cls)}.{get_class_name(cls)}" for cls in classes],
            "message": message,
            "args": pack(_get_args, error),
            "attributes": {k: v for k, v in attributes.items() if v is not None},
            "error": handle,
            "hides_context": _hides_context(error),
        }
        cause, context = _get_cause(error), _get_context(error)
        for name, other in (("cause", cause), ("context", context)):
            if other is not None and depth < MAX_ERROR_DEPTH:
                reply[name] = self._describe_error(other, depth + 1)
        return reply


def _keeps_container(value: Any) -> bool:
    """Whether it is a list, dict, set or deque that would lose something as a plain one in the
    tests' process: its class adds or replaces more than how its objects are made and compared."""
    kind = sharing.find_kind(value)
    if not _isinstance(kind, _type) or _type(value) is kind:
        return False
    classes = get_mro(_type(value))
    own_names = {name for cls in classes[: classes.index(kind)] for name in vars(cls)}
    return bool(own_names - _COMMON_NAMES)


def _can_have_state(value: Any) -> bool:
    """Whether its class is neither built-in nor derived from an immutable built-in type."""
    is_exact = value is None or id(_type(value)) in packing.TYPE_NAMES
    return not is_exact and not any(base in packing.IMMUTABLE for base in get_mro(_type(value)))
