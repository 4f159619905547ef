"""Bounds on the requests of all clients: in progress, waiting, how long one may wait, and memory.

A request charges what memory it takes before it takes it. The bounds of one client's connection:
connections.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar

from .options import MIB

_current: ContextVar[RequestMemory] = ContextVar("request_memory")


class RefusedError(Exception):
    """The request is refused. reason: its name in the metrics. status: the HTTP status."""

    def __init__(self, reason: str, status: int, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.status = status
        self.headers = headers


class RequestSlots:
    """First come, first served. at_once, queue, wait_s: see ``Options``."""

    def __init__(self, at_once: int, queue: int, wait_s: float) -> None:
        self.at_once = at_once
        self.queue = queue
        self.wait_s = wait_s
        self.running = 0
        self.waiting = 0
        self._slots = asyncio.Semaphore(at_once)

    def refuse_if_full(self) -> None:
        """Raise RefusedError (503) if no other request may wait."""
        if self.running >= self.at_once and self.waiting >= self.queue:
            raise RefusedError(
                "queue_full",
                503,
                f"{self.running} requests are being judged and {self.waiting} wait: try again",
            )

    @asynccontextmanager
    async def hold_slot(self) -> AsyncIterator[None]:
        """Wait for a slot and hold it. Raises RefusedError: 503 at once, 504 after wait_s.

        verl's client retries after 504 only; after other errors it counts a reward of zero.
        """
        self.refuse_if_full()
        self.waiting += 1
        try:
            async with asyncio.timeout(self.wait_s):
                await self._slots.acquire()
        except TimeoutError:
            detail = f"no slot became free within {self.wait_s:g} s: try again"
            raise RefusedError("waited_too_long", 504, detail) from None
        finally:
            self.waiting -= 1
        self.running += 1
        try:
            yield
        finally:
            self.running -= 1
            self._slots.release()


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
