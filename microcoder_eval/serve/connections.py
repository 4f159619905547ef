"""Bounds on the connections of clients: their number, and the time for each step of a client.

A connection waits for its client, or its request is being answered. Each wait has a time limit.
When connections or memory run short, those that have waited longest are closed. uvicorn alone waits
without limit for a head and for a client that does not read, and accepts connections until
descriptors run out.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from enum import Enum
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from .metrics import Metrics
from .options import KEEP_ALIVE_SECONDS
from .request_bounds import MemoryLimit, RequestMemory

_SLOW_SECONDS = 2.0  # who has waited longer is closed if others need the memory
_STATE_KEY = "microcoder_connection"


class ClientStep(Enum):
    """What the client has to do next, and the seconds that it has."""

    SEND_HEAD = 10.0
    SEND_BODY = 60.0
    READ = 30.0  # one part of a response
    SEND_NEXT = float(KEEP_ALIVE_SECONDS)  # begin its next request


class Connections:
    """The open connections.

    waiting: those that wait for their clients, the longest wait first. memory: what the requests
    of all may hold.
    """

    def __init__(self, limit: int, max_bytes: int, metrics: Metrics) -> None:
        self.limit = limit
        self.memory = MemoryLimit(max_bytes, self._close_slow)
        self.metrics = metrics
        self.waiting: dict[Connection, None] = {}
        self.count = 0

    def enforce_limit(self, newest: Connection) -> None:
        """If there are too many connections, close the one that has waited longest."""
        if self.count > self.limit:
            oldest = next(iter(self.waiting))
            if oldest is newest:  # all others are being answered
                newest.refuse("connections", 503, "all connections are in use: try again")
            else:
                self.metrics.refused.labels("connections").inc()
                oldest.abort()

    def _close_slow(self, asking: RequestMemory, size: int) -> None:
        """Close slow connections that hold memory, until another request may take ``size``."""
        latest = time.monotonic() - _SLOW_SECONDS
        for connection in list(self.waiting):
            if self.memory.has_room(size) or connection.waits_since > latest:
                break
            if connection.memory is not asking and connection.memory.held_bytes:
                connection.memory.release()
                connection.give_up(503, "slow, and others needed the memory: try again")


class Connection(H11Protocol):
    """uvicorn's protocol of one connection, with limits. registry: all connections. memory: what
    its request holds."""

    def __init__(self, registry: Connections, app_state: dict[str, Any], **settings: Any) -> None:
        # uvicorn hands a copy of the state to the application with each request.
        super().__init__(app_state={**app_state, _STATE_KEY: self}, **settings)
        self._registry = registry
        self._turn = asyncio.Lock()  # for a client that sends requests before it has its answers
        self._can_write = asyncio.Event()
        self._can_write.set()
        self._is_lost = False
        self._wait: ClientStep | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.waits_since = 0.0
        self.memory = RequestMemory(registry.memory)

    @property
    def awaits_body(self) -> bool:
        """Whether the body of the request has not arrived."""
        return self._wait is ClientStep.SEND_BODY

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Register the connection."""
        self._registry.count += 1
        super().connection_made(transport)
        self._wait_for(ClientStep.SEND_HEAD)
        self._registry.enforce_limit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection."""
        self._registry.count -= 1
        self.stop_waiting()
        self._is_lost = True
        self._can_write.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Note that a request begins."""
        if self._wait is ClientStep.SEND_NEXT:
            self._wait_for(ClientStep.SEND_HEAD)
        super().data_received(data)

    def pause_writing(self) -> None:
        """Limit the time for which the client may not read."""
        self._can_write.clear()
        self._wait_for(ClientStep.READ)
        super().pause_writing()

    def resume_writing(self) -> None:
        """End that limit."""
        self._can_write.set()
        self.stop_waiting()
        super().resume_writing()

    @asynccontextmanager
    async def hold_request(self) -> AsyncIterator[None]:
        """Hold what a request, whose head has arrived, takes until the client has the response.

        The response is in the transport's memory until the client has read it.
        """
        async with self._turn:
            self.memory.begin_request()
            self._wait_for(ClientStep.SEND_BODY)
            try:
                yield
                await self._can_write.wait()
            finally:
                self.memory.release()
                self._wait_for(ClientStep.SEND_NEXT)

    def stop_waiting(self) -> None:
        """Note that the client has done its part."""
        self._wait = None
        self._registry.waiting.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()

    def _wait_for(self, step: ClientStep) -> None:
        self.stop_waiting()
        if not self._is_lost:  # one that is being closed still waits for its client to read
            self._wait, self.waits_since = step, time.monotonic()
            self._registry.waiting[self] = None
            late = f"the request did not arrive within {step.value:g} s"
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(step.value, self.give_up, 408, late)

    def give_up(self, status: int, detail: str) -> None:
        """Close the connection of a slow client; tell it why if a body was awaited."""
        if self.awaits_body:
            self.refuse("slow_body", status, detail)
        else:
            self.abort()

    def refuse(self, reason: str, status: int, detail: str) -> None:
        """Close the connection after a response that uvicorn knows nothing of."""
        self._registry.metrics.refused.labels(reason).inc()
        self._wait_for(ClientStep.READ)  # close() alone would wait without limit
        self.transport.write(_format_refusal(status, detail))
        self.transport.close()

    def abort(self) -> None:
        """Close the connection without a response."""
        self.stop_waiting()  # connection_lost comes later, and others may connect before that
        self.transport.abort()


def find_connection(scope: Mapping[str, Any]) -> Connection:
    """Return the connection of a request."""
    connection: Connection = scope["state"][_STATE_KEY]
    return connection


def _format_refusal(status: int, detail: str) -> bytes:
    """Format a whole response for a client whose request uvicorn does not answer."""
    body = json.dumps({"detail": detail})
    return (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: application/json\r\n"
        f"Retry-After: 1\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()
