"""In guest and test runner: frames over a pipe, of four bytes of length, then JSON. The host reads
the test runner's report, which is one.

All functions are bound at import, before any judged program runs: patching json, os or builtins
changes nothing in what is sent. The reader trusts nothing: for a length above the limit, or bytes
that are not JSON, it raises ValueError.
"""

from __future__ import annotations

import os
from builtins import len, memoryview  # bound now: a program may assign others later
from typing import Any

from . import light_json

MAX_FRAME_BYTES = 64 << 20  # two million numbers fit
HEADER_BYTES = 4
_CHUNK_BYTES = 1 << 20  # a length alone does not make the reader allocate memory

_read, _write = os.read, os.write
_from_bytes, _to_bytes = int.from_bytes, int.to_bytes
_loads, _dumps = light_json.loads, light_json.dumps


def write_frame(descriptor: int, value: Any) -> None:
    """Send a JSON value. Raises ValueError above the limit, OSError when nobody reads."""
    body = _dumps(value)
    if len(body) > MAX_FRAME_BYTES:
        raise ValueError(f"a value of {len(body)} bytes is too large to cross")
    view = memoryview(_to_bytes(len(body), HEADER_BYTES, "big") + body)
    while view:
        view = view[_write(descriptor, view) :]


def read_frame(descriptor: int) -> Any:
    """Return the next JSON value in a 1-tuple; None at the end of the stream, also inside a frame.

    Raises ValueError on anything malformed, RecursionError where it is nested too deeply.
    """
    header = _read_exactly(descriptor, HEADER_BYTES)
    if header is None:
        return None
    length = _from_bytes(header, "big")
    if length > MAX_FRAME_BYTES:
        raise ValueError(f"a frame claims {length} bytes")
    body = _read_exactly(descriptor, length)
    if body is None:
        return None
    return (_loads(body.decode()),)


def _read_exactly(descriptor: int, size: int) -> bytes | None:
    chunks = []
    while size:
        chunk = _read(descriptor, min(size, _CHUNK_BYTES))
        if not chunk:
            return None
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)
