"""Reads request bodies within bounds on size, on time, and on the memory of all requests.

Memory is charged before it is used. Bytes are charged as they arrive. Before a body is decoded, all
copies that decoding, judging and answering make of it are charged. Nothing here makes an object per
value or string.
"""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextvars import ContextVar
from typing import Any

from .limiter import RefusedError
from .options import MAX_INLINE_BYTES, MIB

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Headers = Iterable[tuple[bytes, bytes]]
BODY_SECONDS = 60.0
SLOW_BODY_SECONDS = 2.0  # a body that takes longer is dropped if others need the memory
# Memory of one JSON value while it is parsed, judged and sent to a worker: measured 243 bytes for
# an empty list, less for numbers and strings.
VALUE_BYTES = 256
# Peak memory of a body of one long string, besides the body itself, in multiples of its bytes.
# Measured: 8 for ASCII; 14 if one character needs four bytes, since Python then stores every
# character in four bytes.
PLAIN_COPIES, WIDE_COPIES = 8, 14
LINE_BYTES = 80  # a short line as an item of a list: measured 70
_WINDOW_BYTES = 1 << 16  # values are counted in one such part of a body at a time
# Counting skips everything except the marks of values and the quotes of strings.
_OTHER_BYTES = bytes(set(range(256)) - set(b'",[{:'))
ANSWER_COPIES = 4  # copies of an answer: JSON as text and as bytes, in h11, and waiting to be sent
_UNESCAPED = bytes(set(range(32, 127)) - set(b'"\\'))
_current_body: ContextVar[Body] = ContextVar("body")
_DISCARD_SECONDS, _DISCARD_BYTES = 5.0, 64 * MIB


class DisconnectedError(Exception):
    """The client has closed the connection."""


class ByteBudget:
    """The bytes that all requests hold, and their limit. Bytes are charged as they arrive."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.used_bytes = 0
        self._arriving: dict[Body, None] = {}  # oldest first

    def charge(self, body: Body | None, size: int) -> None:
        """Charge more bytes, of ``body`` or of something else.

        Beyond the limit, drops slow bodies, oldest first. Raises RefusedError (503) if the bytes of
        the others are still too many.
        """
        for arriving_body in list(self._arriving):
            if self.used_bytes + size <= self.limit or not arriving_body.is_slow:
                break
            if arriving_body is not body:
                arriving_body.drop()
        if self.used_bytes + size > self.limit:
            used_mib = self.used_bytes // MIB
            raise RefusedError("memory", 503, f"the requests held take {used_mib} MiB: try again")
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
        _current_body.set(self)
        self._charged_bytes = 0
        self._start = time.monotonic()
        self._timeout: asyncio.Timeout | None = None
        self._dropped = False
        self.complete = False

    @property
    def is_slow(self) -> bool:
        """Whether it has taken longer than SLOW_BODY_SECONDS to arrive."""
        return time.monotonic() - self._start > SLOW_BODY_SECONDS

    async def read(self, headers: Headers, receive: Receive) -> bytes:
        """Read the whole body. Raises RefusedError (408, 413, 503) and DisconnectedError."""
        if (content_length(headers) or 0) > self._max_bytes:
            raise self._too_large()
        self._budget.add_arriving(self)
        try:
            async with asyncio.timeout(BODY_SECONDS) as self._timeout:
                content = await self._read(receive)
            if self._dropped:  # dropped while its last message was being received
                raise TimeoutError
            self.complete = True
            return content
        except TimeoutError:
            if self._dropped:
                detail = "the body arrived slowly, and other requests needed the memory: try again"
                raise RefusedError("slow_body", 503, detail) from None
            detail = f"the body did not arrive within {BODY_SECONDS:g} s"
            raise RefusedError("slow_body", 408, detail) from None
        finally:
            self._budget.remove_arriving(self)

    async def _read(self, receive: Receive) -> bytes:
        content = (
            io.BytesIO()
        )  # one buffer for messages of any sizes, which is not copied at the end
        has_more = True
        while has_more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise DisconnectedError
            part = message.get("body", b"")
            if self._charged_bytes + len(part) > self._max_bytes:
                raise self._too_large()
            self._charge(len(part))
            content.write(part)
            has_more = message.get("more_body", False)
        return content.getvalue()

    async def charge_parsing(self, content: bytes) -> None:
        """Charge what parsing and judging ``content`` takes. Raises RefusedError (413, 503)."""
        max_values = self._budget.limit // VALUE_BYTES
        if len(content) <= MAX_INLINE_BYTES:
            count = count_values(content, max_values)
        else:
            count = await asyncio.to_thread(count_values, content, max_values)
        if count > max_values:
            detail = f"the body has more values than the {max_values} that may be held"
            raise RefusedError("too_large", 413, detail)
        copies = PLAIN_COPIES if is_plain(content) else WIDE_COPIES
        self.charge_more(copies * len(content) + count * VALUE_BYTES)

    def charge_more(self, size: int) -> None:
        """Charge memory besides the bytes that arrived. Raises RefusedError (413, 503)."""
        needed = self._charged_bytes + size
        if needed > self._budget.limit:
            detail = f"reading the body takes {needed // MIB} MiB, more than may be held"
            raise RefusedError("too_large", 413, detail)
        self._charge(size)

    def _charge(self, size: int) -> None:
        self._budget.charge(self, size)
        self._charged_bytes += size

    def _too_large(self) -> RefusedError:
        return RefusedError(
            "too_large", 413, f"the body is larger than {self._max_bytes / MIB:g} MiB"
        )

    def drop(self) -> None:
        """Make ``read`` fail with RefusedError (503), and free the memory."""
        self._dropped = True
        self._budget.remove_arriving(self)
        self.release()
        if self._timeout is not None:
            self._timeout.reschedule(asyncio.get_running_loop().time())

    def release(self) -> None:
        """Return the charged bytes to the budget."""
        self._budget.used_bytes -= self._charged_bytes
        self._charged_bytes = 0


def charge_memory(size: int) -> None:
    """Charge the request being answered, before it takes more memory. Raises RefusedError."""
    _current_body.get().charge_more(size)


def charge_nested_json(text: str) -> None:
    """Charge a JSON text that is inside a body, before it is parsed. Raises RefusedError."""
    charge_memory(count_values(text.encode("utf-8", "surrogatepass")) * VALUE_BYTES)


def count_values(content: bytes, limit: int | None = None) -> int:
    """Count the values and keys of a JSON text; the count may be a little too high.

    Takes the memory of one window, linear time, and stops soon after ``limit``.
    """
    count, start, opening_quote = 1, 0, b""
    while start < len(content) and (limit is None or count <= limit):
        window = content[start : start + _WINDOW_BYTES]
        backslash_count = len(window) - len(window.rstrip(b"\\"))
        if backslash_count % 2:  # the escape ends in the next byte
            window = content[start : start + len(window) + 1]
        start += len(window)
        # Without these two escapes, each quote begins or ends a string.
        window = window.replace(b"\\\\", b"").replace(b'\\"', b"")
        marks = opening_quote + window.translate(None, _OTHER_BYTES)
        opening_quote = b'"' if marks.count(b'"') % 2 else b""
        # Two quotes in a row change nothing, inside or outside of a string. Removing them keeps a
        # window full of quotes from making an object for each.
        count += sum(map(len, marks.replace(b'""', b"").split(b'"')[::2]))
    return count


def measure_json(text: str) -> int:
    """Return the largest number of bytes that a text can take as a string of ASCII JSON."""
    if not text.isascii():
        return 12 * len(text)  # two escapes of six bytes
    return len(text) + 5 * len(text.encode().translate(None, _UNESCAPED))


def is_plain(content: bytes) -> bool:
    """Whether all characters are ASCII when decoded, so that each takes one byte."""
    return content.isascii() and b"\\u" not in content


def content_length(headers: Headers) -> int | None:
    """Return the Content-Length, which the HTTP parser has checked to be a number."""
    value = find_header(headers, b"content-length")
    return None if value is None else int(value)


def find_header(headers: Headers, name: bytes) -> bytes | None:
    """Return the first header of that name (lower case)."""
    return next((value for key, value in headers if key == name), None)


async def discard_body(headers: Headers, receive: Receive) -> None:
    """Read and discard the rest of a refused body.

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
