"""The tests' side of the calls: requests to the candidate, and what its replies become.

What the test passes comes back as itself, changed as the candidate changed its copy; what stays in
the candidate's process is a ``Proxy`` here.
"""

from __future__ import annotations

import _thread
import sys
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from microcoder_sandbox.rpc import functions, instances, operations, packing, sharing
from microcoder_sandbox.rpc.classes import ClassTable
from microcoder_sandbox.test_code.source_analysis import EVALUATORS, FILE_NAME, PASSED
from microcoder_sandbox.wire import builtin_values, nodes

from .failures import CandidateDiedError, Failures, UnsupportedError
from .origins import Origins
from .program_errors import LOOP_ENDS, ProgramError, build_error
from .proxy import VALUE_CLASSES, ProgramValue, Proxy, await_proxy, find_proxy
from .rewriting import AssertingLines
from .test_classes import TestClasses

# A function that uses these stays here: it asserts, or runs text as a program.
_REFUSED_NAMES = EVALUATORS | {PASSED}
# Their result is the object that they work on, as a rule.
_RETURN_SELF = operations.IN_PLACE | {"__enter__"}
# What a forged value raises where it is read: a number out of place, a key without a hash.
_MALFORMED = (ValueError, TypeError, AttributeError, LookupError, RecursionError, MemoryError)


class Responder(Protocol):
    """What answers requests: a candidate, or what stands for it in a dry run."""

    def exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a request. Raises CandidateDiedError, UnsupportedError."""


class Connection:
    """Makes requests of what test code does, and values of the replies.

    is_answered: whether a reply came from code or a value of the candidate. A reply that a name is
        missing does not count.
    on_request: called before each request is sent.
    origins: what made the candidate's objects.
    """

    def __init__(
        self,
        candidate: Responder,
        origins: Origins,
        failures: Failures,
        on_request: Callable[[], None],
    ) -> None:
        self.failures = failures
        self.is_answered = False
        self._handed_out_names: set[str] = set()
        self._error_classes: dict[str, Any] = {}  # for the program's exceptions, by name
        self._candidate = candidate
        self._on_request = on_request
        self._request_count = 0
        self._lock = _thread.RLock()  # tests may call from threads of their own
        self._classes = ClassTable(lambda _name: None)
        self._instances = instances.InstanceTable(self._classes, first=0)
        self._shared = sharing.SharedTable()
        self._is_reading = False  # a reply; what hashes its values may send requests
        self._next_fields: dict[str, Any] = {}  # of the next request
        self._proxies: dict[int | str, Proxy] = {}
        self._containers: set[int] = set()  # proxies that are lists, dicts and the like
        self.origins = origins
        self._values: dict[int, Any] = {}
        self.asserting_lines = AssertingLines()
        self.ending_lines: frozenset[int] = frozenset()  # where the test expects StopIteration

    def share_classes(
        self, classes: TestClasses, namespace: dict[str, Any], replaces_names: bool
    ) -> None:
        """Let objects of the test's own classes cross.

        namespace: of the test code.
        replaces_names: whether they replace the candidate's names, as the tests and it are one
            module.
        """
        self._classes = ClassTable(
            lambda name: namespace.get(name) if name in classes.names else None
        )
        self._instances = instances.InstanceTable(self._classes, first=0)
        if classes.read:
            self._instances.share_variables(namespace, classes.read, classes.assigned)
        self._next_fields |= {"classes": classes.source, "replaces_names": replaces_names}

    def leave_nodes(self) -> None:
        """Let objects of the program's classes ListNode and TreeNode stay in its process, as all
        others do. Else they cross by their structure, as LeetCode's do."""
        self._next_fields["leaves_nodes"] = True

    def share_seeds(self, seed_here: Callable[..., None]) -> Callable[..., None]:
        """Return ``random.seed`` for test code. It seeds the program's random numbers as well, with
        the next request."""

        def seed_both(seed: Any = None, version: int = 2) -> None:
            seed_here(seed, version)
            if type(seed) in (int, float, str):
                self._next_fields["seed"] = seed

        return seed_both

    def call(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call with copies of the arguments. Changes to the copies are applied to the originals."""
        makes_object = target.get("$name") in self.origins.makers
        return self._request(target, args, kwargs, makes_object=makes_object)

    def operate(self, target: Any, name: str, *args: Any) -> Any:
        """Have the candidate perform a special method or a built-in function; only ``next`` may end
        a loop."""
        kept_label = self.origins.get_label(target) if name in _RETURN_SELF else None
        value = self._request(target, args, {}, name=name)
        if kept_label is not None and type(value) is Proxy and value._mc_target == target:
            self.origins.labels[target["$handle"]] = kept_label
        return value

    def get_name(self, name: str) -> Any:
        """Return what stands for a global name of the candidate."""
        return self._proxies.setdefault(name, Proxy(self, {"$name": name}))

    def read_name(self, name: str) -> Any:
        """Return the value of a global name of the candidate. One that it has handed out is a class
        for good: a value that is read later could be another one each time."""
        is_class = name in self._handed_out_names
        return self.get_name(name) if is_class else self.operate({"$name": name}, "value")

    def has_content(self, target: dict[str, Any]) -> bool:
        """Whether it stands for a list, dict or the like that the test did not make: it is compared
        by what is in it."""
        is_container = target.get("$handle") in self._containers
        return is_container and not self.origins.is_made_by_test(target)

    def read_plain(self, proxy: Proxy) -> Any:
        """Return the plain value that a proxy stands for, or a proxy."""
        target = proxy._mc_target
        value = self.read_name(target["$name"]) if "$name" in target else proxy
        is_container = type(value) is Proxy and (
            value._mc_target.get("$handle") in self._containers
        )
        return self.operate(value._mc_target, "content") if is_container else value

    def _get_error_class(self, name: Any, is_of_test: bool = False) -> Any:
        """Return what stands for an exception class of the candidate, by its name; one of the
        test's that the candidate knows, if it is that."""
        if is_of_test and (own := self._classes.find_exception(name)) is not None:
            return own
        if name not in self._error_classes:
            error_class = type(name, (ProgramError,), {"__module__": "solution"})
            self._error_classes[name] = error_class
        return self._error_classes[name]

    def get_caught(self, kinds: Any) -> Any:
        """Return the class, or a tuple of the classes, that ``except`` can take."""
        if isinstance(kinds, tuple):
            return tuple(map(self.get_caught, kinds))
        if type(kinds) is not Proxy:
            return kinds
        cls = self.operate(kinds._mc_target, "value")
        is_class = isinstance(cls, type)  # a second name of a built-in one
        if type(cls) is not Proxy and not (is_class and issubclass(AssertionError, cls)):
            return cls
        name = cls.__name__
        return self._get_error_class(name if type(name) is str else "")

    def get_raised(self, value: Any) -> Any:
        """Return what ``raise`` can take."""
        if type(value) is not Proxy:
            return value
        error = self.operate(value._mc_target, "raise")
        if not isinstance(error, BaseException):  # a dry run knows of no class
            error = type("", (self._get_error_class(""), Exception), {})()
            vars(error)["_mc_proxy"] = value
        return error

    @property
    def is_used(self) -> bool:
        """Whether a request was sent. Before the first, nothing of the candidate is here."""
        return self._request_count > 0

    def _request(
        self, target: dict[str, Any], args: tuple[Any, ...], kwargs: dict[str, Any], **fields: Any
    ) -> Any:
        with self._lock:
            if self.failures.death is not None:
                raise CandidateDiedError(self.failures.death)
            message = self._pack_message(target, args, kwargs)
            self._request_count += 1
            self._on_request()  # now, because this process may die as it reads the reply
            request = {"id": self._request_count, "target": target, **fields, **message}
            reply = self._candidate.exchange({**request, **self._next_fields})
            self._next_fields = {}
            if reply.get("id") != self._request_count:
                raise self.failures.mark_dead("it answered a question that was not asked")
            if "unsendable" in reply:
                raise self.failures.mark_dead(f"its result cannot be sent: {reply['unsendable']}")
            if reply.get("missing") is not True:
                self.is_answered = True
            name = fields.get("name", "")
            value = self._receive(reply, self.origins.make_label(target, name or "call"))
            if "ok" in reply:
                return value
            error = self._make_error(reply, name)
            if name == "raise":
                return error
            raise error

    def _pack_message(
        self, target: dict[str, Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> dict[str, Any]:
        table, shared = self._instances, self._shared
        changes = table.changes
        if self._is_reading:
            numbers: Iterable[int] = ()
        elif "$handle" in target:  # the candidate's object may hold any of the test's
            numbers = changes.find_changes(of_all=True)
        else:
            numbers = [n for n in changes.find_changes() if self._can_cross(table.list_state(n))]
        try:
            shared.drop_costly()
            changed = [*filter(self._keeps_sharing, shared.find_changes())]
            fields, new = table.pack_message(
                numbers,
                lambda: self._make_packer(shared),
                lambda packer: {
                    "args": [packer.pack(item) for item in args],
                    "kwargs": {key: packer.pack(item) for key, item in kwargs.items()},
                    "changed": packer.pack_changes(changed),
                },
            )
        except sharing.UnsendableError as error:
            raise RuntimeError(f"an argument cannot be sent between processes: {error}") from error
        fields |= {"first": shared.first, "is_apart": self._is_reading}
        shared.agree(new, changed)
        fields["dropped"] = shared.drop_unused()
        return fields

    def _keeps_sharing(self, number: int) -> bool:
        """Whether what the test has changed can cross. If not, each side keeps its own: in one
        process, it would not be at fault."""
        if self._can_cross(self._shared.values[number]):
            return True
        self._shared.drop(number)
        return False

    def _can_cross(self, value: Any) -> bool:
        unsupported = self.failures.unsupported
        try:
            self._make_packer().pack(value)
        except (sharing.UnsendableError, UnsupportedError):
            self.failures.unsupported = unsupported
            return False
        return True

    def _receive(self, reply: dict[str, Any], label: str | None) -> Any:
        """Return the value of a reply, and apply its changes to what is shared. An object that was
        seen before has no label then: it may stand where a value is expected."""
        shared, was_reading = self._shared, self._is_reading
        unpacker = packing.Unpacker(self._unpack_special, nodes.NODE_CLASSES, shared)
        self._shared, self._is_reading = sharing.SharedTable(), True
        try:
            self._instances.unpack_states(
                reply.get("instances", ()), unpacker.unpack, _update_attributes
            )
            packed = reply.get("ok")
            tagged: dict[str, Any] = packed if type(packed) is dict else {}
            number = tagged.get("$handle", tagged.get("$container"))
            number = tagged["$value"][0] if "$value" in tagged else number
            is_new = number not in self._proxies and number not in self._values
            value = unpacker.unpack(packed)
            changed = unpacker.apply_changes(reply.get("changed", ()))
            if unpacker.has_references:
                packer = packing.Packer(lambda _: None, self._is_translated)
                # It may be endless now, or as good as that.
                for part in (value, *unpacker.new, *map(shared.values.get, changed)):
                    packer.pack(part)
            shared.agree(unpacker.new, changed)
            shared.forget(reply.get("dropped", ()))
            self._instances.changes.forget(reply.get("released", ()))
        except sharing.UnsendableError as error:
            raise self.failures.mark_dead(str(error)) from error
        except _MALFORMED as error:
            raise self.failures.mark_dead("its reply is malformed") from error
        finally:
            self._shared, self._is_reading = shared, was_reading
        if find_proxy(value) is not None and is_new and label is not None and type(number) is int:
            self.origins.labels[number] = label
        return value

    def _make_error(self, reply: dict[str, Any], operation: str = "") -> BaseException:
        """Return an exception of all the raised classes, as far as they can be combined."""
        message, arguments = reply.get("message"), self._unpack(reply.get("args"))
        attributes = self._unpack(reply.get("attributes"))
        text = message if type(message) is str else ""
        error = build_error(
            reply.get("raised"),
            arguments if type(arguments) is tuple else (text,),
            text,
            attributes if type(attributes) is dict else {},
            self._get_error_class,
            lambda cls: LOOP_ENDS[cls] == operation or self._expects_end(),
        )
        vars(error)["_mc_proxy"] = self._unpack(reply.get("error"))
        if type(reply.get("context")) is dict:
            error.__context__ = self._make_error(reply["context"])
        if type(reply.get("cause")) is dict:
            error.__cause__ = self._make_error(reply["cause"])
        error.__suppress_context__ = reply.get("hides_context") is True
        return error

    def _expects_end(self) -> bool:
        """Whether the test is at a place where it expects StopIteration or its like."""
        frame: Any = sys._getframe()
        while frame is not None:
            if frame.f_code.co_filename == FILE_NAME and frame.f_lineno in self.ending_lines:
                return True
            frame = frame.f_back
        return False

    def _make_packer(self, table: sharing.SharedTable | None = None) -> packing.Packer:
        return packing.Packer(self._pack_special, self._is_translated, self._refer_to_value, table)

    def _is_translated(self, cls: type) -> bool:
        is_known = issubclass(cls, ProgramValue) or self._classes.can_send_objects_of(cls)
        return is_known or self._classes.loses_methods(cls)

    def _refer_to_value(self, value: Any, packed: Any) -> Any:
        return self._instances.refer_to_value(value, packed) or packed

    def _pack_special(self, value: Any) -> Any:
        if (proxy := find_proxy(value)) is not None:
            return proxy._mc_target
        if isinstance(value, BaseException):
            names = [cls.__name__ for cls in type(value).__mro__]
            attributes = {k: v for k, v in vars(value).items() if k != "_mc_proxy"}
            parts = [list(value.args), attributes]
            return {"$error": [names, *map(self._make_packer().pack, parts)]}
        if self._classes.can_send_objects_of(type(value)):
            return self._instances.refer_to(value)
        if (path := functions.find_path(value)) is not None:
            return {"$library": path}
        if definition := self._instances.refer_to_definition(value, self._make_packer().pack):
            return definition
        if (reference := self._instances.refer_to_function(value, _REFUSED_NAMES)) is not None:
            return reference
        if builtin_values.is_iterator(value):
            raise self.failures.refuse(
                f"the test passes an object of type {type(value).__name__}, which one process "
                "alone can draw from; pass a list"
            )
        mock: Any = sys.modules.get("unittest.mock")
        if mock is not None and issubclass(type(value), mock.NonCallableMock):
            raise self.failures.refuse(
                "the test passes a mock, or patches with one, which stays in the test's process: "
                "give a function, or an object of a class of the test's"
            )
        raise self.failures.refuse(f"the test passes an object of type {type(value).__name__}")

    def _unpack(self, packed: Any) -> Any:
        try:
            return packing.Unpacker(self._unpack_special, nodes.NODE_CLASSES).unpack(packed)
        except _MALFORMED as error:
            raise self.failures.mark_dead("its value is malformed") from error

    def _unpack_special(self, tag: str, body: Any) -> Any:
        if tag == instances.TAG:
            return self._instances.find_object(body)
        if tag == "$name" and type(body) is str:
            self._handed_out_names.add(body)
            return self.get_name(body)
        if tag == "$value":
            return self._make_value(*body)
        if tag == "$class":
            return self._classes.find_class(body)
        if tag == "$error" and type(body) is dict:
            return self._make_error(body)
        if tag not in ("$handle", "$container", "$coroutine") or type(body) is not int:
            raise ValueError("an unknown tag")
        if tag == "$coroutine":
            return await_proxy(Proxy(self, {"$handle": body}))
        if tag == "$container":
            self._containers.add(body)
        self.origins.labels.pop(body, None)
        return self._proxies.setdefault(body, Proxy(self, {"$handle": body}))

    def _make_value(self, number: int | str, plain: Any) -> Any:
        """Return a value of a class that is derived from a built-in type: one of the test's, or the
        plain value with the attributes of the program's object."""
        if type(number) is str:
            return self._classes.make_value(number, plain)
        cls: Any = VALUE_CLASSES.get(type(plain))
        if cls is None or type(number) is not int:
            raise ValueError("it is no value")
        self.origins.labels.pop(number, None)
        if number not in self._values:
            self._values[number] = cls(plain)
            vars(self._values[number])["_mc_proxy"] = Proxy(self, {"$handle": number})
        return self._values[number]


def _update_attributes(value: Any, attributes: dict[str, Any]) -> None:
    """Give an object of the test's the attributes that it has in the candidate's process. Raises
    ValueError where one would take the place of a method, which the test calls to judge."""
    for name, item in attributes.items():
        if callable(item) and callable(getattr(type(value), name, None)):
            raise ValueError("a method is replaced")
    instances.replace_attributes(value, attributes)
