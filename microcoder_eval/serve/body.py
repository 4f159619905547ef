"""Reads request bodies within bounds on size, on time, and on the memory of all requests."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from .options import MIB

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Headers = Iterable[tuple[bytes, bytes]]
BODY_SECONDS = 60.0
SLOW_BODY_SECONDS = 2.0  # a body that takes longer is dropped if others need the memory
# Memory of one JSON value in the server and a worker while it is parsed, sent and judged:
# measured 243 bytes for an empty list, less for numbers and strings.
VALUE_BYTES = 256
# An unterminated string matches to the end of the text, so that no text is scanned twice.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.?[^"\\]*+)*+(?:"|\Z)', re.DOTALL)
_DISCARD_SECONDS, _DISCARD_BYTES = 5.0, 64 * MIB


class BodyError(Exception):
    """The body is refused. reason, status: as in RefusedError."""

    def __init__(self, reason: str, status: int, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.status = status


class DisconnectedError(Exception):
    """The client has closed the connection."""


class ByteBudget:
    """The bytes that all requests hold, and their limit. Bytes are charged as they arrive."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.used_bytes = 0
        self._arriving: dict[Body, None] = {}  # oldest first

    def charge(self, body: Body, size: int) -> None:
        """Charge ``body`` with more bytes.

        Beyond the limit, drops slow bodies, oldest first. Raises BodyError (503) if the bytes of
        the others are still too many.
        """
        for arriving_body in list(self._arriving):
            if self.used_bytes + size <= self.limit or not arriving_body.is_slow:
                break
            if arriving_body is not body:
                arriving_body.drop()
        if self.used_bytes + size > self.limit:
            used_mib = self.used_bytes // MIB
            raise BodyError("memory", 503, f"the requests held take {used_mib} MiB: try again")
        self.used_bytes += size

    def add_arriving(self, body: Body) -> None:
        """Add a body that begins to arrive."""
        self._arriving[body] = None

    def remove_arriving(self, body: Body) -> None:
        """Remove a body that has arrived or failed."""
        self._arriving.pop(body, None)


class Body:
    """The body of one request. The caller must call ``release`` at the end, also after errors.

    complete: whether all of it has arrived.
    """

    def __init__(self, budget: ByteBudget, max_bytes: int) -> None:
        self._budget = budget
        self._max_bytes = max_bytes
        self._charged_bytes = 0
        self._start = time.monotonic()
        self._timeout: asyncio.Timeout | None = None
        self._dropped = False
        self.complete = False

    @property
    def is_slow(self) -> bool:
        """Whether it takes longer than SLOW_BODY_SECONDS."""
        return time.monotonic() - self._start > SLOW_BODY_SECONDS

    async def read(self, headers: Headers, receive: Receive) -> bytes:
        """Read the whole body. Raises BodyError (408, 413, 503) and DisconnectedError."""
        if (content_length(headers) or 0) > self._max_bytes:
            raise self._too_large()
        self._budget.add_arriving(self)
        try:
            async with asyncio.timeout(BODY_SECONDS) as self._timeout:
                content = await self._read(receive)
            if self._dropped:  # while its last message was received
                raise TimeoutError
            self.complete = True
            return content
        except TimeoutError:
            if self._dropped:
                detail = "the body arrived slowly, and other requests needed the memory: try again"
                raise BodyError("slow_body", 503, detail) from None
            detail = f"the body did not arrive within {BODY_SECONDS:g} s"
            raise BodyError("slow_body", 408, detail) from None
        finally:
            self._budget.remove_arriving(self)

    async def _read(self, receive: Receive) -> bytes:
        parts: list[bytes] = []
        has_more = True
        while has_more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise DisconnectedError
            part = message.get("body", b"")
            if self._charged_bytes + len(part) > self._max_bytes:
                raise self._too_large()
            self._charge(len(part))
            parts.append(part)
            has_more = message.get("more_body", False)
        return b"".join(parts)

    def charge_values(self, count: int) -> None:
        """Charge the memory that parsing ``count`` values takes. Raises BodyError (413, 503)."""
        if self._charged_bytes + count * VALUE_BYTES > self._budget.limit:
            max_values = self._budget.limit // VALUE_BYTES
            detail = f"the body has {count} values, {max_values} are too many"
            raise BodyError("too_large", 413, detail)
        self._charge(count * VALUE_BYTES)

    def _charge(self, size: int) -> None:
        self._budget.charge(self, size)
        self._charged_bytes += size

    def _too_large(self) -> BodyError:
        return BodyError("too_large", 413, f"the body is larger than {self._max_bytes / MIB:g} MiB")

    def drop(self) -> None:
        """Make ``read`` fail with BodyError (503), and free the memory."""
        self._dropped = True
        self._budget.remove_arriving(self)
        self.release()
        if self._timeout is not None:
            self._timeout.reschedule(asyncio.get_running_loop().time())

    def release(self) -> None:
        """Return the charged bytes to the budget."""
        self._budget.used_bytes -= self._charged_bytes
        self._charged_bytes = 0


def count_values(content: bytes) -> int:
    """Count the values and keys of a JSON text; the count may be a little too high."""
    without_strings = _STRING.sub(b"", content)
    return 1 + sum(map(without_strings.count, (b",", b"[", b"{", b":")))


def content_length(headers: Headers) -> int | None:
    """Return the Content-Length, which the HTTP parser has checked to be a number."""
    value = find_header(headers, b"content-length")
    return None if value is None else int(value)


def find_header(headers: Headers, name: bytes) -> bytes | None:
    """Return the first header of that name (lower case)."""
    return next((value for key, value in headers if key == name), None)


async def discard_body(headers: Headers, receive: Receive) -> None:
    """Read the rest of a body that is refused.

    The kernel resets a connection that is closed with unread bytes, and the client may then lose
    the response.
    """
    if find_header(headers, b"expect") is not None:
        return  # the client sends no body before we ask for it
    size, has_more = 0, True
    try:
        async with asyncio.timeout(_DISCARD_SECONDS):
            while has_more and size < _DISCARD_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                has_more = message["type"] == "http.request" and message.get("more_body", False)
    except TimeoutError:
        pass


async def is_disconnected(receive: Receive) -> bool:
    """Whether the client has disconnected, without waiting. Call it after reading the body."""
    try:
        async with asyncio.timeout(0):
            message = await receive()
    except TimeoutError:
        return False
    return bool(message["type"] == "http.disconnect")
