"""Bounds on connections: their number, their heads, and the time without a complete request.

uvicorn waits without limit for the end of a request's head and for a client that does not read,
and accepts connections until descriptors run out. Here each connection has timers, and a
connection beyond the limit closes the one that has been without a complete request for longest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import cache
from typing import Any

import uvicorn

from .body import ByteBudget
from .limiter import RefusedError
from .metrics import Metrics
from .options import KEEP_ALIVE_SECONDS, SEND_SECONDS

HEAD_SECONDS = 10.0
_REASON = b'{"detail": "all connections are in use: try again"}'
_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(_REASON), _REASON)
)
_STATE_KEY = "microcoder_connection"


class Connections:
    """The open connections.

    idle: those without a complete request, oldest first.

    It is what uvicorn calls to make the protocol of a connection.
    """

    def __init__(self, limit: int, budget: ByteBudget, metrics: Metrics) -> None:
        self.limit = limit
        self.budget = budget
        self.metrics = metrics
        self.idle: dict[Connection, None] = {}
        self.count = 0

    def __call__(
        self, config: uvicorn.Config, app_state: Mapping[str, Any], **settings: Any
    ) -> Connection:
        """Make the protocol of a new connection."""
        connection = Connection(self)
        # uvicorn hands a copy of the state to the application with each request.
        state = {**app_state, _STATE_KEY: connection}
        connection.http = _find_http_protocol()(config=config, app_state=state, **settings)
        return connection

    def evict_oldest(self, newest: Connection) -> None:
        """If there are too many connections, close the oldest idle one; ``newest`` if all others
        have a request."""
        if self.count > self.limit:
            self.metrics.refused.labels("connections").inc()
            oldest = next(iter(self.idle))
            if oldest is newest:
                newest.transport.write(_REFUSAL)
                newest.transport.close()
            else:
                # connection_lost is called later, and others may connect before that.
                del self.idle[oldest]
                oldest.transport.abort()


class Connection(asyncio.Protocol):
    """Limits one connection. ``http``, uvicorn's own protocol, gets every event."""

    http: Any
    transport: asyncio.Transport

    def __init__(self, registry: Connections) -> None:
        self._registry = registry
        self._request_count = 0  # briefly 2 if a client does not wait for its answers
        self._head_bytes = 0
        self._request_timer: asyncio.TimerHandle | None = None
        self._send_timer: asyncio.TimerHandle | None = None
        self._expects_head = False
        self._open = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the connection."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._registry.count += 1
        self._registry.idle[self] = None
        self.http.connection_made(transport)
        self._expect_request(HEAD_SECONDS)
        self._registry.evict_oldest(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection."""
        self._open = False
        self._registry.count -= 1
        self._registry.idle.pop(self, None)
        self._release_head()
        for timer in (self._request_timer, self._send_timer):
            if timer is not None:
                timer.cancel()
        self.http.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on. Bytes of a head are charged, and the head must end within a time limit."""
        if not self._request_count:
            try:
                self._registry.budget.charge(None, len(data))
            except RefusedError as error:
                self._registry.metrics.refused.labels(error.reason).inc()
                self.transport.abort()
                return
            self._head_bytes += len(data)
            if not self._expects_head:
                self._expect_request(HEAD_SECONDS)
        self.http.data_received(data)

    def eof_received(self) -> bool | None:
        """Pass the end of the client's bytes on."""
        result: bool | None = self.http.eof_received()
        return result

    def pause_writing(self) -> None:
        """Limit the time for which the client may not read."""
        self.http.pause_writing()
        # close() would wait until the client has read everything.
        self._send_timer = self._start_timer(SEND_SECONDS)

    def resume_writing(self) -> None:
        """End that limit."""
        if self._send_timer is not None:
            self._send_timer.cancel()
        self.http.resume_writing()

    def start_request(self) -> None:
        """Note that a head has arrived. Other timers limit the body and the response."""
        self._request_count += 1
        self._release_head()
        self._stop_request_timer()

    def keep(self) -> None:
        """Note that the request is complete: a new connection no longer displaces this one."""
        self._registry.idle.pop(self, None)

    def end_request(self) -> None:
        """Wait for the next request."""
        self._request_count -= 1
        if self._open and not self._request_count:
            self._registry.idle[self] = None
            self._expect_request(KEEP_ALIVE_SECONDS)

    def _expect_request(self, seconds: float) -> None:
        self._stop_request_timer()
        self._expects_head = seconds == HEAD_SECONDS
        self._request_timer = self._start_timer(seconds)

    def _stop_request_timer(self) -> None:
        self._expects_head = False
        if self._request_timer is not None:
            self._request_timer.cancel()

    def _start_timer(self, seconds: float) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, self.transport.abort)

    def _release_head(self) -> None:
        self._registry.budget.used_bytes -= self._head_bytes
        self._head_bytes = 0


def find_connection(scope: Mapping[str, Any]) -> Connection:
    """Return the connection of a request."""
    connection: Connection = scope["state"][_STATE_KEY]
    return connection


@cache
def _find_http_protocol() -> Any:
    """Return the class of uvicorn that speaks HTTP with h11."""
    config = uvicorn.Config(_answer_nothing, http="h11", ws="none", log_config=None)
    config.load()
    return config.http_protocol_class


async def _answer_nothing(_scope: Any, _receive: Any, _send: Any) -> None:
    """Do nothing. uvicorn's configuration needs some application."""
