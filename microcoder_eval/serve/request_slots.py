"""Bounds on the requests of all clients: in progress, waiting, and how long one may wait.

The bounds of one client's connection: connections.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


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
