"""The tests' side of the wire: stand-ins for what only the candidate's process has.

A ``Remote`` is a global name or an object of the candidate. Calls, attributes, len, indexing,
iteration and str go over the wire; ``==`` does not: it is identity, and the same object always
comes back as the same Remote. Arithmetic, ordering and ``in`` are not forwarded either, so no
method of a candidate's class can decide an assertion.
"""

from __future__ import annotations

import builtins
from collections import deque

from . import rpc_frames, rpc_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SENT_DUNDERS = frozenset({"__name__", "__doc__", "__dict__"})
# A candidate's StopIteration inside map() would end the test's loop early, and quietly.
_ENDS_LOOPS = frozenset({"StopIteration", "StopAsyncIteration", "GeneratorExit"})


class CandidateDiedError(BaseException):
    """The candidate is gone or talks nonsense. A BaseException: no test may swallow it."""


class UnsupportedError(BaseException):
    """The test needs something that only works inside the candidate's process."""


class Lost:
    """Stands in an argument left in a state that cannot cross. Equals nothing."""

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__


class Connection:
    """Asks the candidate. ``died`` and ``unsupported`` stay set, whatever the test then catches."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self.died: str | None = None
        self.unsupported: str | None = None
        self.exceptions: dict[str, type[BaseException]] = {}  # names the test catches
        self.classes: dict[str, Any] = {
            "ListNode": rpc_values.ListNode,
            "TreeNode": rpc_values.TreeNode,
        }
        self._read_fd, self._write_fd = read_fd, write_fd
        self._asked = 0
        self._remotes: dict[int, Remote] = {}

    def call(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call by value; arguments that the candidate changed in place are changed here too."""
        sent_args = [self._pack(item) for item in args]
        sent_kwargs = {key: self._pack(item) for key, item in kwargs.items()}
        reply = self._ask("call", target, args=sent_args, kwargs=sent_kwargs)
        value = self._unpacked(reply.get("ok"))
        changed = reply.get("changed")
        if type(changed) is dict:
            self._take_back(args, changed.get("args"))
            self._take_back(kwargs, changed.get("kwargs"))
        return value

    def get_attribute(self, target: Any, name: str) -> Any:
        """The attribute of a remote object."""
        return self._unpacked(self._ask("getattr", target, name=name).get("ok"))

    def set_attribute(self, target: Any, name: str, value: Any) -> None:
        """Set an attribute of a remote object."""
        self._ask("setattr", target, name=name, value=self._pack(value))

    def special(self, target: Any, name: str, *args: Any) -> Any:
        """len, indexing, iteration, …; only ``next`` may end a loop."""
        packed = [self._pack(item) for item in args]
        reply = self._ask("special", target, name=name, args=packed)
        return self._unpacked(reply.get("ok"))

    def is_instance(self, target: Any, value: Any) -> bool:
        """isinstance by the candidate's own class."""
        reply = self._ask("isinstance", target, value=self._pack(value))
        return reply.get("ok") is True

    def refuse(self, reason: str) -> UnsupportedError:
        """Note that the test cannot be run this way; to be raised."""
        self.unsupported = self.unsupported or reason
        return UnsupportedError(reason)

    def _ask(self, op: str, target: Any, **fields: Any) -> dict[str, Any]:
        if self.died is not None:
            raise CandidateDiedError(self.died)
        self._asked += 1
        request = {"id": self._asked, "op": op, "target": target, **fields}
        reply = self._exchange(request)
        if reply.get("id") != self._asked:
            raise self._gone("it answered a question that was not asked")
        if "ok" not in reply:
            may_end = op == "special" and fields["name"] == "next"
            raise self._exception(reply.get("raised"), reply.get("message"), may_end)
        return reply

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            rpc_frames.write_frame(self._write_fd, request)
            frame = rpc_frames.read_frame(self._read_fd)
        except OSError as error:
            raise self._gone("its pipe broke") from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise self._gone(str(error)) from error
        if frame is None:
            raise self._gone("it ended during a call")
        if type(frame[0]) is not dict:
            raise self._gone("its reply is malformed")
        reply: dict[str, Any] = frame[0]
        return reply

    def _gone(self, how: str) -> CandidateDiedError:
        self.died = f"the candidate is gone: {how}"
        return CandidateDiedError(self.died)

    def _exception(self, names: Any, message: Any, may_end: bool) -> BaseException:
        """The exception a test sees: of the first class that it or Python knows by that name."""
        text = message if type(message) is str else ""
        known = names if type(names) is list else []
        for name in known:
            if type(name) is not str or (name in _ENDS_LOOPS and not may_end):
                continue
            cls = self.exceptions.get(name) or getattr(builtins, name, None)
            if isinstance(cls, type) and issubclass(cls, BaseException):
                if cls is BaseException:
                    break
                try:
                    return cls(text)
                except TypeError:  # UnicodeDecodeError takes five arguments
                    continue
        return RuntimeError(f"{known[0] if known else 'an exception'}: {text}")

    def _pack(self, value: Any) -> Any:
        try:
            return rpc_values.Packer(self._special).pack(value)
        except rpc_values.NotPlainError as error:
            raise RuntimeError(f"an argument cannot cross: {error}") from error

    def _special(self, value: Any) -> Any:
        if type(value) is Remote:
            return value._target
        kind = type(value).__name__
        if type(value) is Lost:  # the candidate's doing: its failure, not the judge's
            raise RuntimeError("an argument was left in a state that cannot cross")
        raise self.refuse(f"the test hands over an object of type {kind}")

    def _unpacked(self, packed: Any) -> Any:
        try:
            return rpc_values.Unpacker(self._remote, self.classes).unpack(packed)
        except (ValueError, RecursionError, MemoryError) as error:
            raise self._gone("its value is malformed") from error

    def _remote(self, tag: str, body: Any) -> Any:
        if tag != "$handle" or type(body) is not int:
            raise ValueError("an unknown tag")
        return self._remotes.setdefault(body, Remote(self, {"$handle": body}))

    def _take_back(self, values: Any, changes: Any) -> None:
        # Only what the test sent can change, and only into a value of the same type.
        for change in changes if type(changes) is list else ():
            try:
                place, *new = change
                old = values[place]
            except (TypeError, ValueError, LookupError) as error:
                raise self._gone("it changed an argument that was not sent") from error
            rewrite(old, self._unpacked(new[0]) if new else Lost())


def rewrite(old: Any, new: Any) -> None:
    """Make a mutable object equal to another of its type in place, inner objects kept if alike."""
    if isinstance(new, Lost):
        _poison(old, new)
    elif type(old) is not type(new):
        return
    elif isinstance(old, (list, tuple)):
        if len(old) == len(new):
            kept = [_merged(before, after) for before, after in zip(old, new, strict=True)]
        else:
            kept = list(new)
        if isinstance(old, list):
            old[:] = kept
    elif isinstance(old, dict):
        kept_items = {k: _merged(old[k], v) if k in old else v for k, v in new.items()}
        old.clear()
        old.update(kept_items)
    elif isinstance(old, set):
        old.clear()
        old.update(new)
    elif isinstance(old, deque):
        old.clear()
        old.extend(new)
    elif hasattr(old, "__dict__"):  # a node
        vars(old).update(vars(new))


def _merged(before: Any, after: Any) -> Any:
    mutable = isinstance(before, (list, dict, set, tuple))
    if not mutable or type(before) is not type(after):
        return after
    if isinstance(before, tuple) and (len(before) != len(after) or before == after):
        return after
    rewrite(before, after)
    return after if isinstance(before, tuple) else before


def _poison(old: Any, lost: Lost) -> None:
    if isinstance(old, (list, deque)):
        old.clear()
        old.append(lost)
    elif isinstance(old, dict):
        old.clear()
        old["lost"] = lost
    elif isinstance(old, set):
        old.clear()
        old.add(lost)
    elif hasattr(old, "val"):
        old.val = lost


class Remote:
    """A name or an object of the candidate. See the module's text for what it does not forward."""

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
        return self._connection.get_attribute(self._target, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._connection.set_attribute(self._target, name, value)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        raise self._connection.refuse("the test derives a class from the candidate's")

    def __instancecheck__(self, value: Any) -> bool:
        if type(value) is Remote:
            return self._connection.is_instance(self._target, value)
        return False

    def __bool__(self) -> bool:
        return self._connection.special(self._target, "bool") is True

    def __len__(self) -> int:
        length: int = _exact(int, self._connection.special(self._target, "len"))
        return length

    def __str__(self) -> str:
        text: str = _exact(str, self._connection.special(self._target, "str"))
        return text

    def __repr__(self) -> str:
        text: str = _exact(str, self._connection.special(self._target, "repr"))
        return text

    def __iter__(self) -> Any:
        return self._connection.special(self._target, "iter")

    def __next__(self) -> Any:
        return self._connection.special(self._target, "next")

    def __getitem__(self, key: Any) -> Any:
        return self._connection.special(self._target, "getitem", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._connection.special(self._target, "setitem", key, value)

    def __delitem__(self, key: Any) -> None:
        self._connection.special(self._target, "delitem", key)

    def __enter__(self) -> Any:
        return self._connection.special(self._target, "enter")

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        self._connection.special(self._target, "exit", None, None, None)


def _exact(kind: Any, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"the candidate's object gave a {type(value).__name__} for {kind.__name__}")
    return value
