"""Bounds on the memory of requests. A request charges what it takes before it takes it."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from .options import MIB
from .request_slots import RefusedError

_current: ContextVar[RequestMemory] = ContextVar("request_memory")


class MemoryLimit:
    """The memory that all requests may hold together.

    used_bytes: what they hold, of ``max_bytes``. make_room: called with a request that needs more
    than is free, and with the size; it may release what other requests hold.
    """

    def __init__(self, max_bytes: int, make_room: Callable[[RequestMemory, int], None]) -> None:
        self.max_bytes = max_bytes
        self.used_bytes = 0
        self.make_room = make_room

    def has_room(self, size: int) -> bool:
        """Whether a request may be charged that much more."""
        return self.used_bytes + size <= self.max_bytes


class RequestMemory:
    """The memory of the request of one connection. held_bytes: what it was charged."""

    def __init__(self, limit: MemoryLimit) -> None:
        self.limit = limit
        self.held_bytes = 0

    def begin_request(self) -> None:
        """Have ``charge_memory`` charge this request, in the task that answers it."""
        _current.set(self)

    def charge(self, size: int) -> None:
        """Charge more memory. Raises RefusedError (413, 503)."""
        needed_bytes = self.held_bytes + size
        if needed_bytes > self.limit.max_bytes:
            detail = f"the request takes {needed_bytes // MIB} MiB, more than may be held"
            raise RefusedError("too_large", 413, detail)
        if not self.limit.has_room(size):
            self.limit.make_room(self, size)
        if not self.limit.has_room(size):
            detail = f"the requests held take {self.limit.used_bytes // MIB} MiB: try again"
            raise RefusedError("memory", 503, detail)
        self.limit.used_bytes += size
        self.held_bytes += size

    def release(self) -> None:
        """Give back all that the request was charged."""
        self.limit.used_bytes -= self.held_bytes
        self.held_bytes = 0


def charge_memory(size: int) -> None:
    """Charge the request that is being answered. Raises RefusedError (413, 503)."""
    _current.get().charge(size)
