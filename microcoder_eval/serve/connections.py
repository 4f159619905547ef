"""Bounds on connections: their number, and the time without a complete request.

uvicorn waits without limit for the end of a request's head and for a client that does not read,
and accepts connections until descriptors run out. Here each connection has a timer, and a
connection beyond the limit closes the one that has been without a complete request for longest.
"""

from __future__ import annotations

import asyncio
import logging
import time

from uvicorn.protocols.http.h11_impl import H11Protocol

from .metrics import Metrics
from .options import KEEP_ALIVE_SECONDS, SEND_SECONDS

HEAD_SECONDS = 10.0
_REASON = b'{"detail": "all connections are in use: try again"}'
_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(_REASON), _REASON)
)


class Connections:
    """The open connections. idle: those without a complete request, oldest first."""

    def __init__(self, limit: int, metrics: Metrics) -> None:
        self.limit = limit
        self.metrics = metrics
        self.idle: dict[Connection, None] = {}
        self.count = 0

    def evict_oldest(self, newest: Connection) -> None:
        """Close a connection if there are too many; ``newest`` if all others have a request."""
        if self.count > self.limit:
            self.metrics.refused.labels("connections").inc()
            oldest = next(iter(self.idle))
            if oldest is newest:
                newest.transport.write(_REFUSAL)
                newest.transport.close()
            else:
                del self.idle[oldest]  # connection_lost comes later, and others may connect before
                oldest.transport.abort()


class Connection(H11Protocol):
    """uvicorn's protocol with timers. registry: set in a subclass for each server."""

    registry: Connections
    _timer: asyncio.TimerHandle | None = None
    _timer_is_for_head = False

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Register the connection."""
        super().connection_made(transport)
        self.registry.count += 1
        self.registry.idle[self] = None
        self._expect_head()
        self.registry.evict_oldest(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection."""
        self.registry.count -= 1
        self.registry.idle.pop(self, None)
        self._set_timeout(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse bytes of a request, and adapt the timer."""
        had_request, had_head_timer = self._has_request(), self._timer_is_for_head
        super().data_received(data)
        if self._has_request():
            if not had_request:
                # Other timers limit the body and the response.
                self._set_timeout(None)
            if not self.cycle.more_body:
                self.registry.idle.pop(self, None)
        elif not had_head_timer:
            self._expect_head()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.registry.idle[self] = None
        self._set_timeout(KEEP_ALIVE_SECONDS)
        super().on_response_complete()  # starts the next request if it is in the buffer
        if self._has_request():
            self._set_timeout(None)

    def pause_writing(self) -> None:
        """Limit the time for which the client may not read."""
        super().pause_writing()
        self._set_timeout(SEND_SECONDS)

    def resume_writing(self) -> None:
        """End that limit."""
        super().resume_writing()
        self._set_timeout(None if self._has_request() else KEEP_ALIVE_SECONDS)

    def _expect_head(self) -> None:
        self._set_timeout(HEAD_SECONDS)
        self._timer_is_for_head = True

    def _has_request(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _set_timeout(self, seconds: float | None) -> None:
        """Abort the connection after ``seconds`` (None: never) unless the timer is set again."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer_is_for_head = False
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._expire)

    def _expire(self) -> None:
        self.transport.abort()  # close() would wait until the client has read everything


class RateLimit(logging.Filter):
    """Passes ``max_records`` records in each ``period`` seconds, and counts the others."""

    def __init__(self, max_records: int, period: float) -> None:
        super().__init__()
        self._max_records = max_records
        self._period = period
        self._start = time.monotonic()
        self._record_count = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record passes; the first of a period has the number dropped before it."""
        now = time.monotonic()
        if now - self._start > self._period:
            dropped_count = self._record_count - self._max_records
            self._start, self._record_count = now, 0
            if dropped_count > 0:
                text = record.getMessage()
                record.msg = f"{text} ({dropped_count} messages before it were dropped)"
                record.args = ()
        self._record_count += 1
        return self._record_count <= self._max_records
