"""Reads a request's body: bounded in size, in time, and in what all requests hold together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from .options import MIB

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Headers = Iterable[tuple[bytes, bytes]]
BODY_SECONDS = 60.0
_DISCARD_SECONDS, _DISCARD_BYTES = 5.0, 64 * MIB


class BodyError(Exception):
    """The body is refused; status and reason as in RefusedError."""

    def __init__(self, reason: str, status: int, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.status = status


class GoneError(Exception):
    """The client has gone: nobody is left to answer."""


class Store:
    """How many bytes all requests hold, and may hold."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.held = 0

    def take(self, size: int) -> None:
        """Raises BodyError (503) when that would be too much."""
        if self.held + size > self.limit:
            held = self.held // MIB
            raise BodyError("memory", 503, f"{held} MiB of requests are held already: try again")
        self.held += size


class Body:
    """One body on its way in. Give it back with ``release``, whatever came of it."""

    def __init__(self, store: Store, most: int) -> None:
        self._store = store
        self._most = most
        self._taken = 0

    async def read(self, headers: Headers, receive: Receive) -> bytes:
        """All of it. Raises BodyError (408, 413, 503) and GoneError."""
        declared = content_length(headers)
        if declared is not None:
            self._take(
                declared
            )  # before it comes: slow clients must not promise more than there is
        try:
            async with asyncio.timeout(BODY_SECONDS):
                return await self._read(receive)
        except TimeoutError:
            detail = f"the body did not come within {BODY_SECONDS:g} s"
            raise BodyError("slow_body", 408, detail) from None

    async def _read(self, receive: Receive) -> bytes:
        parts: list[bytes] = []
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise GoneError
            part = message.get("body", b"")
            size += len(part)
            if size > self._taken:
                self._take(size - self._taken)
            parts.append(part)
            more = message.get("more_body", False)
        return b"".join(parts)

    def _take(self, size: int) -> None:
        if self._taken + size > self._most:
            detail = f"the body is larger than {self._most / MIB:g} MiB"
            raise BodyError("too_large", 413, detail)
        self._store.take(size)
        self._taken += size

    def release(self) -> None:
        """Its bytes are held no longer."""
        self._store.held -= self._taken
        self._taken = 0


def content_length(headers: Headers) -> int | None:
    """What the client says the body has; the HTTP parser has seen that it is a number."""
    value = header(headers, b"content-length")
    return None if value is None else int(value)


def header(headers: Headers, name: bytes) -> bytes | None:
    """The first header of that name (lower case)."""
    return next((value for key, value in headers if key == name), None)


async def discard(headers: Headers, receive: Receive) -> None:
    """Read what is left of a body that is refused.

    A connection closed over unread bytes is reset, and the reset may overtake the answer.
    """
    if header(headers, b"expect") is not None:
        return  # it waits for our word before it sends anything
    size, more = 0, True
    try:
        async with asyncio.timeout(_DISCARD_SECONDS):
            while more and size < _DISCARD_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                more = message["type"] == "http.request" and message.get("more_body", False)
    except TimeoutError:
        pass


async def is_gone(receive: Receive) -> bool:
    """Whether the client has hung up, asked without waiting; after its body has been read."""
    try:
        async with asyncio.timeout(0):
            message = await receive()
    except TimeoutError:
        return False
    return bool(message["type"] == "http.disconnect")
