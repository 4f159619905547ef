"""Pipes of which the host holds one end, or both, and what a child has written through them."""

from __future__ import annotations

import os
from collections.abc import Callable

CHUNK_BYTES = 1 << 16
STDERR_TAIL_BYTES = 64 * 1024


class Pipe:
    """A pipe. reader, writer: the descriptors of its ends; -1 once they are closed here.

    Like a file, it is closed when nobody holds it. So an object of several pipes need not close the
    first ones where it cannot get the next.
    """

    reader = writer = -1

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()

    def let_others_open(self) -> None:
        """Let a child that is another user's open its end by name (/dev/stdout)."""
        os.fchmod(self.writer, 0o666)

    def close_reader(self) -> None:
        """Close the host's reading end, so that only the child reads."""
        if self.reader >= 0:
            os.close(self.reader)
            self.reader = -1

    def close_writer(self) -> None:
        """Close the host's writing end: the reader sees the end once the child has closed its."""
        if self.writer >= 0:
            os.close(self.writer)
            self.writer = -1

    def close(self) -> None:
        """Close what the host still holds."""
        self.close_reader()
        self.close_writer()

    def __del__(self) -> None:
        self.close()


class OutputStream(Pipe):
    """A pipe from a child; its data is kept up to ``max_bytes`` and one chunk more.

    writer: the child's end, to be closed here as soon as the child has it. sink: takes each chunk
    in place of this stream. size: bytes kept, or forwarded to ``sink``.
    """

    def __init__(self, max_bytes: int) -> None:
        super().__init__()
        os.set_blocking(self.reader, False)
        self.max_bytes = max_bytes
        self.size = 0
        self.is_at_end = False
        self.sink: Callable[[bytes], None] | None = None
        self._chunks: list[bytes] = []

    @property
    def is_over_limit(self) -> bool:
        """Whether the child has written more than ``max_bytes``."""
        return self.size > self.max_bytes

    @property
    def data(self) -> bytes:
        """All that was kept."""
        return b"".join(self._chunks)

    def read(self) -> int:
        """Read at most one chunk and return its size.

        0 means that there is nothing to read yet, or the end, which sets ``is_at_end``.
        """
        try:
            chunk = os.read(self.reader, CHUNK_BYTES)
        except BlockingIOError:
            return 0
        if not chunk:
            self.is_at_end = True
        elif self.sink is not None:
            self.size += len(chunk)
            self.sink(chunk)
        else:
            self._keep(chunk)
        return len(chunk)

    def _keep(self, chunk: bytes) -> None:
        self._chunks.append(chunk)
        self.size += len(chunk)

    def clear(self) -> None:
        """Drop the data read so far and set ``size`` to 0."""
        self._chunks.clear()
        self.size = 0


class TailStream(OutputStream):
    """A stream without a limit, of which only the end is kept."""

    def __init__(self) -> None:
        super().__init__(2 * STDERR_TAIL_BYTES)

    def _keep(self, chunk: bytes) -> None:
        super()._keep(chunk)
        if self.is_over_limit:
            tail = self.data[-STDERR_TAIL_BYTES:]
            self._chunks[:] = [tail]
            self.size = len(tail)
