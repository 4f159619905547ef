"""The tests' side of the pipes: proxies for the candidate's names and objects.

A ``Remote`` stands for a global name or an object of the candidate. Calls, attributes, len,
indexing, iteration, await, conversions and copies go over the pipes, and so do arithmetic,
``==`` and ordering between two objects of the candidate, and ``*`` with a number. The same object
always comes back as the same Remote, and an argument that a call returns as itself. A global name
is equal to a value where its own plain value is, which is fetched.

No other operator with a value of the test is forwarded: that value may be the expected one, and a
method of the candidate's class would then decide ``abs(f(1) - 3) < 1e-6``. ``in`` goes by
iteration for the same reason, but for what the test makes itself of a class of the candidate, as
in ``Trie()``: no plain value is expected in its place.
"""

from __future__ import annotations

import _thread
import builtins
import sys

from microcoder_sandbox.wire import frames, instances, nodes, packing

from .rewriting import LostValue, merge_values, rewrite_in_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# What the candidate's object performs for its Remote.
_METHODS = (
    "len int float str repr iter next getitem setitem delitem enter copy abs neg pos invert round"
)
_RESULT_TYPES = {"len": int, "int": int, "float": float, "str": str, "repr": str}
_OPERATORS = "add sub truediv floordiv mod pow matmul xor and_ or_ lt le gt ge"
_SENT_DUNDERS = frozenset({"__name__", "__doc__", "__dict__"})
# A candidate that raises StopIteration inside map() would end the test's loop early, unseen.
_ENDS_LOOPS = frozenset({"StopIteration", "StopAsyncIteration", "GeneratorExit"})


class CandidateDiedError(BaseException):
    """The candidate has ended or sends nonsense. A BaseException, so that no test catches it."""


class UnsupportedError(BaseException):
    """The test needs what only works inside the candidate's process."""


class Connection:
    """Sends requests to the candidate.

    death_reason, unsupported: why the test cannot go on; they stay set, whatever the test catches.
    is_answered: whether a reply came from code or a value of the candidate. A reply that a name is
    missing does not count. on_request: called before each request is sent.
    """

    def __init__(
        self, read_fd: int, write_fd: int, on_request: Callable[[], None] = lambda: None
    ) -> None:
        self.death_reason: str | None = None
        self.unsupported: str | None = None
        self.is_answered = False
        self.exceptions: dict[str, type[BaseException]] = {}  # names the test catches
        self.classes: dict[str, Any] = {
            "ListNode": nodes.ListNode,
            "TreeNode": nodes.TreeNode,
        }
        self._read_fd, self._write_fd = read_fd, write_fd
        self._on_request = on_request
        self._request_count = 0
        self._lock = _thread.RLock()  # tests may call from threads of their own
        self._instances = instances.InstanceTable(lambda _name: None, first=0)
        self._class_message: dict[str, Any] = {}
        self._remotes: dict[int, Remote] = {}
        self._made: set[int] = set()
        self.asserting_lines: frozenset[int] = frozenset()  # of ``with`` that hold assertions

    def share_classes(
        self, source: str, get_class: Callable[[str], Any], replaces_names: bool
    ) -> None:
        """Let objects of the test's own classes cross.

        source: the definitions. get_class: the test's class of a name, or None. replaces_names:
        whether they replace the candidate's names, as the tests and it are one module.
        """
        self._instances = instances.InstanceTable(get_class, first=0)
        self._class_message = {"classes": source, "replaces_names": replaces_names}

    def call(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call with copies of the arguments. Changes to the copies are applied to the originals."""
        sent_args = [self._pack(item) for item in args]
        sent_kwargs = {key: self._pack(item) for key, item in kwargs.items()}
        reply = self._send_request("call", target, args=sent_args, kwargs=sent_kwargs)
        value = self._unpack(reply.get("ok"))
        changes = reply.get("changed")
        if type(changes) is dict:
            self._apply_changes(args, changes.get("args"))
            self._apply_changes(kwargs, changes.get("kwargs"))
        place = reply.get("is_argument")
        if place is not None:
            value = args[place] if type(place) is int and place < len(args) else kwargs.get(place)
        if type(value) is Remote and target.get("$name", "")[:1].isupper():
            self._made.add(value._target["$handle"])
        return value

    def is_made_by_test(self, target: dict[str, Any]) -> bool:
        """Whether the test got an object by calling a class, a name in capitals."""
        return target.get("$handle") in self._made

    def call_special(self, target: Any, name: str, *args: Any) -> Any:
        """Have the candidate's object do something by its name there; only ``next`` may end a
        loop."""
        packed = [self._pack(item) for item in args]
        reply = self._send_request("operate", target, name=name, args=packed)
        return self._unpack(reply.get("ok"))

    @property
    def is_used(self) -> bool:
        """Whether a request was sent. Before that, nothing of the candidate is in this process."""
        return self._request_count > 0

    def refuse(self, reason: str) -> UnsupportedError:
        """Record why the test cannot run out of process. Returns the exception to raise."""
        self.unsupported = self.unsupported or reason
        return UnsupportedError(reason)

    def _send_request(self, op: str, target: Any, **fields: Any) -> dict[str, Any]:
        with self._lock:
            return self._send_request_alone(op, target, fields)

    def _send_request_alone(self, op: str, target: Any, fields: dict[str, Any]) -> dict[str, Any]:
        if self.death_reason is not None:
            raise CandidateDiedError(self.death_reason)
        self._request_count += 1
        self._on_request()  # now, because this process may die as it reads the reply
        request = {"id": self._request_count, "op": op, "target": target, **fields}
        if "$handle" in target:
            self._instances.mark_all()  # the candidate's object may hold any of them
        request.update(self._class_message, instances=self._instances.pack_states(self._pack))
        self._class_message = {}
        reply = self._exchange(request)
        if reply.get("id") != self._request_count:
            raise self._mark_dead("it answered a question that was not asked")
        if reply.get("missing") is not True:
            self.is_answered = True
        if "ok" not in reply:
            may_end = fields.get("name") == "next"
            raise self._make_exception(reply, may_end)
        self._receive_instances(reply.get("instances"))
        return reply

    def _receive_instances(self, states: Any) -> None:
        if not states:
            return
        try:
            self._instances.unpack_states(states, self._unpack, _update_attributes)
        except (TypeError, ValueError, AttributeError, KeyError) as error:
            raise self._mark_dead("its objects are malformed") from error
        self._instances.discard_pending()

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            frames.write_frame(self._write_fd, request)
            frame = frames.read_frame(self._read_fd)
        except OSError as error:
            raise self._mark_dead("its pipe broke") from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise self._mark_dead(str(error)) from error
        if frame is None:
            raise self._mark_dead("it ended during a call")
        if type(frame[0]) is not dict:
            raise self._mark_dead("its reply is malformed")
        reply: dict[str, Any] = frame[0]
        return reply

    def _mark_dead(self, reason: str) -> CandidateDiedError:
        self.death_reason = f"the candidate is gone: {reason}"
        return CandidateDiedError(self.death_reason)

    def _make_exception(self, reply: dict[str, Any], may_end: bool) -> BaseException:
        """Return an exception that is of all raised classes that the test or Python knows.

        Where these do not go together, the most special ones are left out.
        """
        names, message = reply.get("raised"), reply.get("message")
        text = message if type(message) is str else ""
        class_names = names if type(names) is list else []
        classes = self._find_exception_classes(class_names, may_end)
        arguments = self._unpack(reply.get("args"))
        if type(arguments) is not tuple:
            arguments = (text,)
        for start in range(len(classes)):
            try:
                error = _build_exception(classes[start:], arguments, text)
            except TypeError:  # UnicodeDecodeError takes five arguments
                continue
            attributes = reply.get("attributes")
            for name, value in attributes.items() if type(attributes) is dict else ():
                vars(error)[name] = self._unpack(value)
            return error
        return RuntimeError(f"{class_names[0] if class_names else 'an exception'}: {text}")

    def _find_exception_classes(self, names: list[Any], may_end: bool) -> list[type[BaseException]]:
        classes: list[type[BaseException]] = []
        for name in names:
            if type(name) is not str or (name in _ENDS_LOOPS and not may_end):
                continue
            cls = self.exceptions.get(name) or getattr(builtins, name, None)
            if cls is BaseException:
                break
            if isinstance(cls, type) and issubclass(cls, BaseException) and cls not in classes:
                classes.append(cls)
        return classes

    def _pack(self, value: Any) -> Any:
        try:
            return packing.Packer(self._pack_special, self._instances.holds).pack(value)
        except packing.NotPlainError as error:
            raise RuntimeError(f"an argument cannot be sent between processes: {error}") from error

    def _pack_special(self, value: Any) -> Any:
        if type(value) is Remote:
            return value._target
        if self._instances.holds(type(value)):
            return self._instances.refer_to(value)
        type_name = type(value).__name__
        if type(value) is LostValue:  # the candidate caused it, so the candidate fails
            raise RuntimeError(
                "an argument was left in a state that cannot be sent between processes"
            )
        raise self.refuse(f"the test passes an object of type {type_name}")

    def _unpack(self, packed: Any) -> Any:
        try:
            return packing.Unpacker(self._get_remote, self.classes).unpack(packed)
        except (ValueError, RecursionError, MemoryError) as error:
            raise self._mark_dead("its value is malformed") from error

    def _get_remote(self, tag: str, body: Any) -> Any:
        if tag == instances.TAG:
            return self._instances.resolve(body)
        if tag not in ("$handle", "$coroutine") or type(body) is not int:
            raise ValueError("an unknown tag")
        if tag == "$coroutine":
            return _await_remote(Remote(self, {"$handle": body}))
        return self._remotes.setdefault(body, Remote(self, {"$handle": body}))

    def _apply_changes(self, values: Any, changes: Any) -> None:
        # Only what the test sent can change, and only into a value of the same type.
        for change in changes if type(changes) is list else ():
            try:
                position, *packed = change
                old = values[position]
            except (TypeError, ValueError, LookupError) as error:
                raise self._mark_dead("it changed an argument that was not sent") from error
            rewrite_in_place(old, self._unpack(packed[0]) if packed else LostValue())


async def _await_remote(remote: Remote) -> Any:
    """Await a coroutine of the candidate's. It runs to its end there, while nothing else runs."""
    return remote._connection.call_special(remote._target, "await")


def _build_exception(
    classes: list[type[BaseException]], arguments: tuple[Any, ...], text: str
) -> BaseException:
    """Return an exception of all these classes (a candidate's ``Odd(ValueError)`` is caught as
    either) whose text is ``text``. Raises TypeError if they do not go together, or with these
    arguments."""
    bases = [c for c in classes if not any(c is not d and issubclass(d, c) for d in classes)]
    cls: Any = bases[0] if len(bases) == 1 else type(bases[0].__name__, tuple(bases), {})
    error: BaseException = cls(*arguments)
    if str(error) != text:
        error = type(cls.__name__, (cls,), {"__str__": lambda _self: text})(*arguments)
    return error


def _update_attributes(value: Any, attributes: dict[str, Any]) -> None:
    """Give an object of the test's the attributes that it has in the candidate's process. Raises
    ValueError where an object of the candidate's would take the place of a method."""
    for name, item in attributes.items():
        if isinstance(item, Remote) and hasattr(type(value), name):
            raise ValueError("a method is replaced")
    old = dict(vars(value))
    vars(value).clear()
    for name, item in attributes.items():
        vars(value)[name] = merge_values(old[name], item) if name in old else item


def _forward(name: str, expected_type: type | None = None) -> Any:
    """Return a method that the candidate's object performs. expected_type: of what it returns."""

    def perform(self: Remote, *args: Any) -> Any:
        value = self._connection.call_special(self._target, name, *args)
        return value if expected_type is None else _require_type(expected_type, value)

    return perform


def _forward_operator(name: str, is_reflected: bool = False, takes_numbers: bool = False) -> Any:
    """Return a binary operator between two objects of the candidate's."""

    def operate(self: Remote, other: Any) -> Any:
        if type(other) is not Remote and not (takes_numbers and type(other) in (int, float)):
            return NotImplemented
        if is_reflected:
            return self._connection.call_special(self._target, "r" + name, other)
        return self._connection.call_special(self._target, name, other)

    return operate


class Remote:
    """Stands for a name or an object of the candidate; the module says what it forwards."""

    __slots__ = ("_connection", "_target")
    _connection: Connection
    _target: dict[str, Any]

    def __init__(self, connection: Connection, target: dict[str, Any]) -> None:
        object.__setattr__(self, "_connection", connection)
        object.__setattr__(self, "_target", target)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._connection.call(self._target, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__" and name not in _SENT_DUNDERS:
            raise AttributeError(name)
        return self._connection.call_special(self._target, "getattr", name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._connection.call_special(self._target, "setattr", name, value)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        raise self._connection.refuse("the test derives a class from the candidate's")

    def __instancecheck__(self, value: Any) -> bool:
        if type(value) is Remote:
            return self._connection.call_special(self._target, "isinstance", value) is True
        return False

    def __eq__(self, other: object) -> bool:
        """Whether the candidate says so; of a global name and a value, whether its plain value is
        equal."""
        if type(other) is Remote:
            return self._connection.call_special(self._target, "eq", other) is True
        if "$name" not in self._target:
            return False
        value = self._connection.call_special(self._target, "value")
        return type(value) is not Remote and bool(value == other)

    def __contains__(self, item: Any) -> bool:
        if self._connection.is_made_by_test(self._target):
            return self._connection.call_special(self._target, "contains", item) is True
        return any(item is value or item == value for value in self)  # type: ignore[attr-defined]

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        return self._connection.call_special(self._target, "bool") is True

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        """Tell the candidate's object by the names of its classes what was raised. It suppresses
        no failed assertion, nor what keeps one from being reached."""
        names = [] if kind is None else [cls.__name__ for cls in kind.__mro__]
        suppresses = self._connection.call_special(self._target, "exit", names) is True
        if kind is None or issubclass(kind, AssertionError):
            return False
        return suppresses and sys._getframe(1).f_lineno not in self._connection.asserting_lines

    def __deepcopy__(self, memo: Any) -> Any:
        return self._connection.call_special(self._target, "deepcopy")

    __mul__ = _forward_operator("mul", takes_numbers=True)
    __rmul__ = _forward_operator("mul", is_reflected=True, takes_numbers=True)


for _name in _METHODS.split():
    setattr(Remote, f"__{_name}__", _forward(_name, _RESULT_TYPES.get(_name)))
for _name in _OPERATORS.split():
    setattr(Remote, f"__{_name.rstrip('_')}__", _forward_operator(_name))


def _require_type(expected_type: Any, value: Any) -> Any:
    if type(value) is not expected_type:
        raise TypeError(
            f"the candidate's object gave a {type(value).__name__} for {expected_type.__name__}"
        )
    return value
