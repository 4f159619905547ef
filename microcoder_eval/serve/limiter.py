"""Who may be served now, who waits, and who is told to come back later.

Bounded twice: so many requests at once, so many waiting, each for so long. What is refused is
refused at once, with a guess at when it is worth trying again.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_SMOOTHING = 0.1  # weight of the newest request in the mean time that one takes
_LONGEST_RETRY_S = 60


class RefusedError(Exception):
    """No turn now. reason: for the metrics; status: of HTTP; retry_s: whole seconds."""

    def __init__(self, reason: str, status: int, detail: str, retry_s: int) -> None:
        super().__init__(detail)
        self.reason = reason
        self.status = status
        self.retry_s = retry_s


class Turns:
    """First come, first served. at_once, queue, wait_s: as in ``Options``."""

    def __init__(self, at_once: int, queue: int, wait_s: float) -> None:
        self.at_once = at_once
        self.queue = queue
        self.wait_s = wait_s
        self.running = 0
        self.waiting = 0
        self._free = asyncio.Semaphore(at_once)
        self._mean_s = 0.1

    def refuse_if_full(self) -> None:
        """Raises RefusedError (503) when nobody more may wait."""
        if self.running >= self.at_once and self.waiting >= self.queue:
            raise RefusedError(
                "queue_full",
                503,
                f"{self.running} requests are being judged and {self.waiting} wait: try again",
                self.retry_s(),
            )

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn and hold it. Raises RefusedError: 503 at once, 504 after wait_s.

        504 is what verl's client takes as a reason to ask again; any other refusal is a zero there.
        """
        self.refuse_if_full()
        self.waiting += 1
        try:
            async with asyncio.timeout(self.wait_s):
                await self._free.acquire()
        except TimeoutError:
            detail = f"waited {self.wait_s:g} s for a turn: try again"
            raise RefusedError("waited_too_long", 504, detail, self.retry_s()) from None
        finally:
            self.waiting -= 1
        self.running += 1
        started = time.monotonic()
        try:
            yield
        finally:
            self.running -= 1
            self._free.release()
            self._mean_s += _SMOOTHING * (time.monotonic() - started - self._mean_s)

    def retry_s(self) -> int:
        """Seconds until those who wait now will have had their turn, as far as one can tell."""
        guess = math.ceil((self.waiting + 1) * self._mean_s / self.at_once)
        return min(max(guess, 1), _LONGEST_RETRY_S)
