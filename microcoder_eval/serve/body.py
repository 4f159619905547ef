"""Reads request bodies within bounds on size and on the memory of all requests.

Memory is charged before it is used. Bytes are charged as they arrive. Before a body is decoded, all
copies that decoding, judging and answering make of it are charged. Nothing here makes an object per
value or string.
"""

from __future__ import annotations

import asyncio
import io

from starlette.datastructures import Headers
from starlette.types import Receive

from .options import MAX_INLINE_BYTES, MIB
from .request_bounds import RefusedError, RequestMemory, charge_memory

# Memory of one JSON value while it is parsed, judged and sent to a worker: measured 243 bytes for
# an empty list, less for numbers and strings.
_VALUE_BYTES = 256
# Peak memory of a body of one long string, besides the body itself, in multiples of its bytes.
# Measured: 8 for ASCII; 14 if one character needs four bytes, since Python then stores every
# character in four bytes.
_PLAIN_COPIES, _WIDE_COPIES = 8, 14
LINE_BYTES = 80  # a short line as an item of a list: measured 70
_WINDOW_BYTES = 1 << 16  # values are counted in one such part of a body at a time
# Counting skips everything except the marks of values and the quotes of strings.
_OTHER_BYTES = bytes(set(range(256)) - set(b'",[{:'))
ANSWER_COPIES = 4  # copies of an answer: JSON as text and as bytes, in h11, and waiting to be sent
_UNESCAPED = bytes(set(range(32, 127)) - set(b'"\\'))
_DISCARD_SECONDS, _DISCARD_BYTES = 5.0, 64 * MIB


class DisconnectedError(Exception):
    """The client has closed the connection."""


async def read_body(
    headers: Headers, receive: Receive, max_bytes: int, memory: RequestMemory
) -> bytes:
    """Read a body. Raises RefusedError (413, 503) and DisconnectedError."""
    size = int(headers.get("content-length", 0))  # h11 has checked that it is a number
    content = io.BytesIO()  # one buffer for messages of any sizes, which is not copied at the end
    has_more = True
    while size <= max_bytes:
        if not has_more:
            return content.getvalue()
        message = await receive()
        if message["type"] == "http.disconnect":
            raise DisconnectedError
        part = message.get("body", b"")
        memory.charge(len(part))
        content.write(part)
        size = max(size, content.tell())
        has_more = message.get("more_body", False)
    raise RefusedError("too_large", 413, f"the body is larger than {max_bytes / MIB:g} MiB")


async def charge_parsing(content: bytes, memory: RequestMemory) -> None:
    """Charge what parsing and judging ``content`` takes. Raises RefusedError (413, 503)."""
    limit = memory.limit.max_bytes // _VALUE_BYTES
    if len(content) <= MAX_INLINE_BYTES:
        count = count_values(content, limit)
    else:
        count = await asyncio.to_thread(count_values, content, limit)
    is_ascii = content.isascii() and b"\\u" not in content  # when decoded: one byte a character
    copies = _PLAIN_COPIES if is_ascii else _WIDE_COPIES
    memory.charge(copies * len(content) + count * _VALUE_BYTES)


def charge_nested_json(text: str) -> None:
    """Charge a JSON text that is inside a body, before it is parsed. Raises RefusedError."""
    charge_memory(count_values(text.encode("utf-8", "surrogatepass")) * _VALUE_BYTES)


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


async def discard_body(headers: Headers, receive: Receive) -> None:
    """Read and discard the rest of a refused body.

    The kernel resets a connection that is closed with unread bytes, and the client may then lose
    the response.
    """
    if "expect" in headers:
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
