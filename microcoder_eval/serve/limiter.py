"""Bounds on requests in progress, on waiting requests, and on the time they wait.

A request beyond the bounds is refused at once, with an estimate of when to retry.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_SMOOTHING = 0.1  # weight of the newest request in the mean duration
_MAX_RETRY_S = 60


class RefusedError(Exception):
    """The request is refused. reason: for the metrics; status: of HTTP."""

    def __init__(self, reason: str, status: int, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.status = status


class RequestLimiter:
    """First come, first served. at_once, queue, wait_s: as in ``Options``."""

    def __init__(self, at_once: int, queue: int, wait_s: float) -> None:
        self.at_once = at_once
        self.queue = queue
        self.wait_s = wait_s
        self.running = 0
        self.waiting = 0
        self._slots = asyncio.Semaphore(at_once)
        self._mean_s = 0.1

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
        start = time.monotonic()
        try:
            yield
        finally:
            self.running -= 1
            self._slots.release()
            self._mean_s += _SMOOTHING * (time.monotonic() - start - self._mean_s)

    def retry_s(self) -> int:
        """Estimate the seconds until all requests that wait now have been served."""
        seconds = math.ceil((self.waiting + 1) * self._mean_s / self.at_once)
        return min(max(seconds, 1), _MAX_RETRY_S)
