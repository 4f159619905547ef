"""Frames over a pipe: four bytes of length, then JSON; the same code on both sides.

Everything needed later is bound here, at import, before any judged program runs: patching json,
os or builtins changes nothing in what is sent. The reader trusts nothing: a length above the cap
or bytes that are not JSON are a ``FrameError``, the end of the stream is ``None``.
"""

from __future__ import annotations

import os
from builtins import len, memoryview  # as they are now, whatever a program assigns later

from . import plainjson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_FRAME_BYTES = 64 << 20  # two million numbers fit; a flood does not
HEADER_BYTES = 4
_CHUNK_BYTES = 1 << 20  # never allocate what a length merely promises

_read, _write = os.read, os.write
_from_bytes, _to_bytes = int.from_bytes, int.to_bytes
_scan, _encode = plainjson.scan, plainjson.encode


class FrameError(ValueError):
    """The other side sent, or is about to be sent, something that is no frame."""


def write_frame(descriptor: int, value: Any) -> None:
    """Send a JSON value. Raises FrameError above the cap, OSError when nobody reads."""
    body = "".join(_encode(value, 0)).encode()
    if len(body) > MAX_FRAME_BYTES:
        raise FrameError(f"a value of {len(body)} bytes is too large to cross")
    view = memoryview(_to_bytes(len(body), HEADER_BYTES, "big") + body)
    while view:
        view = view[_write(descriptor, view) :]


def read_frame(descriptor: int) -> Any:
    """The next JSON value wrapped in a 1-tuple, or None at the end of the stream.

    A stream that ends inside a frame has ended too. Raises FrameError on anything malformed.
    """
    header = _read_exactly(descriptor, HEADER_BYTES)
    if header is None:
        return None
    length = _from_bytes(header, "big")
    if length > MAX_FRAME_BYTES:
        raise FrameError(f"a frame claims {length} bytes")
    body = _read_exactly(descriptor, length)
    if body is None:
        return None
    try:
        text = body.decode()
        value, end = _scan(text, 0)
    except (ValueError, RecursionError, StopIteration) as error:
        raise FrameError("a frame is not JSON") from error
    if end != len(text):
        raise FrameError("a frame holds more than one value")
    return (value,)


def _read_exactly(descriptor: int, size: int) -> bytes | None:
    parts = []
    while size:
        part = _read(descriptor, min(size, _CHUNK_BYTES))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
