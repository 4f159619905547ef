"""Opens a data file, plain or compressed, and hands out its rows as bytes.

A row is a line of JSONL, or one item of a file that holds a single JSON array (dumps of
LiveCodeBench do). Whatever is wrong with one row is told in the row; whatever is wrong with the
file (missing, a folder, corrupt) raises DataError.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from microcoder_eval.errors import DataError
from microcoder_eval.formats import array

BOM = b"\xef\xbb\xbf"
_GZIP_MAGIC = b"\x1f\x8b"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
# Compressed bytes fed at once. A hostile zstd block of 4 bytes stands for 128 KiB, so this bounds
# what one step can swell to at about 128 MiB.
_ZSTD_STEP = 4096
_SKIP_STEP = 1 << 20


@dataclass(frozen=True, slots=True)
class Row:
    """One line or item. ``fault`` says why ``raw`` (then only its start) cannot be used.

    offset: of the line's first byte in the file as decompressed. item: in an array, from 1.
    """

    line: int
    offset: int
    raw: bytes
    item: int | None = None
    fault: str | None = None


class Source:
    """An open data file. ``stable``: its bytes can be read again later at the same offsets."""

    def __init__(self, file: io.BufferedReader, path: str) -> None:
        self._file = file
        self.path = path
        head = file.peek(4)[:4]
        compressed = head.startswith(_GZIP_MAGIC) or head == _ZSTD_MAGIC
        self._stream = _decompressed(file, head, path)
        with reading(path):
            self._is_array = _starts_array(self._stream, path)
        regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
        self.stable = regular and not compressed and not self._is_array

    def fileno(self) -> int:
        """The descriptor of the file as it lies on disk."""
        return self._file.fileno()

    def rows(self, max_bytes: int) -> Iterator[Row]:
        """All rows but blank ones, in order. Raises DataError when the file is corrupt."""
        rows = self._items(max_bytes) if self._is_array else self._lines(max_bytes)
        with reading(self.path):
            yield from rows

    def _lines(self, max_bytes: int) -> Iterator[Row]:
        offset, number = 0, 0
        while raw := self._stream.readline(max_bytes + 2):
            number += 1
            start, fault = offset, None
            offset += len(raw)
            if len(raw.rstrip(b"\r\n")) > max_bytes:
                fault = f"longer than {max_bytes / 2**20:g} MiB; raise the limit with --max-line-mb"
                offset += self._skip_line(raw)
                raw = raw[:400]
            if number == 1 and raw.startswith(BOM):
                raw, start = raw[3:], start + 3
            if raw.strip():
                yield Row(number, start, raw, fault=fault)

    def _skip_line(self, raw: bytes) -> int:
        skipped = 0
        while raw and not raw.endswith(b"\n"):
            raw = self._stream.readline(_SKIP_STEP)
            skipped += len(raw)
        return skipped

    def _items(self, max_bytes: int) -> Iterator[Row]:
        raw = self._stream.read(max_bytes + 1)
        if len(raw) > max_bytes:
            raise DataError(
                f"one JSON array of more than {max_bytes / 2**20:g} MiB; "
                "write it as JSONL, one object a line",
                self.path,
            )
        text = raw.removeprefix(BOM).decode("utf-8", "surrogateescape")
        for index, item in enumerate(array.items(text), start=1):
            # An escaped byte becomes itself again here: it is the reader of JSON who complains.
            body = item.text.encode("utf-8", "surrogateescape")
            yield Row(item.line, 0, body, item=index, fault=item.fault)


@contextmanager
def open_source(path: str | os.PathLike[str]) -> Iterator[Source]:
    """The file at ``path``. Raises DataError when it cannot be opened."""
    name = os.fspath(path)
    with reading(name):
        file = open(name, "rb")
    with file:
        yield Source(file, name)


def check_readable(path: str | os.PathLike[str]) -> None:
    """Raise DataError now for a path that cannot be read, without opening it (it may be a pipe)."""
    name = os.fspath(path)
    with reading(name):
        mode = os.stat(name).st_mode
    if stat.S_ISDIR(mode):
        raise DataError("is a folder; name a file in it", name)
    if not os.access(name, os.R_OK):
        raise DataError("cannot be read: Permission denied", name)


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Turn what the system and the decompressors raise into DataError naming the file."""
    try:
        yield
    except FileNotFoundError as error:
        raise DataError("no such file", path) from error
    except IsADirectoryError as error:
        raise DataError("is a folder; name a file in it", path) from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"the gzip data is corrupt or cut off ({error})", path) from error
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", path) from error
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"cannot be read: {error}", path) from error


def _decompressed(file: io.BufferedReader, head: bytes, path: str) -> io.BufferedReader:
    if head.startswith(_GZIP_MAGIC):
        # GzipFile is a raw stream in all but name; the buffer gives it readline and peek.
        raw = cast(io.RawIOBase, gzip.GzipFile(fileobj=cast(BinaryIO, file)))
        return io.BufferedReader(raw, 1 << 16)
    if head == _ZSTD_MAGIC:
        return io.BufferedReader(_ZstdStream(file, path), 1 << 16)
    if head and path.endswith((".gz", ".zst")):
        raise DataError("is not compressed although its name says so; rename it", path)
    return file


def _starts_array(stream: io.BufferedReader, path: str) -> bool:
    start = stream.peek(1).removeprefix(BOM).lstrip()
    if not start.startswith(b"["):
        return False
    # A first line "[1, 2]" in a file of lines is one bad line, not a file of another kind.
    named = path.removesuffix(".gz").removesuffix(".zst").endswith(".json")
    return named or start[1:].lstrip()[:1] in (b"{", b"]")


class _ZstdStream(io.RawIOBase):
    """Decompressed zstd frames. The library's own reader takes a cut-off file for a whole one."""

    def __init__(self, file: io.BufferedReader, path: str) -> None:
        self._file = file
        self._path = path
        self._ready = memoryview(b"")
        self._waiting = b""
        self._frame: Any = None

    def readable(self) -> bool:
        """True: this is what lets it be buffered."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill ``buffer`` as far as one step goes; 0 at the end. Raises DataError if corrupt."""
        while not self._ready:
            compressed = self._waiting or self._file.read(_ZSTD_STEP)
            if not compressed:
                if self._frame is not None:
                    raise DataError("the zstd data is cut off", self._path)
                return 0
            self._ready = memoryview(self._step(compressed))
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _step(self, compressed: bytes) -> bytes:
        import zstandard  # late: most files are plain, and it takes milliseconds to import

        if self._frame is None:
            self._frame = zstandard.ZstdDecompressor().decompressobj()
        try:
            ready: bytes = self._frame.decompress(compressed)
        except zstandard.ZstdError as error:
            raise DataError(f"the zstd data is corrupt ({error})", self._path) from error
        self._waiting = b""
        if self._frame.eof:
            self._waiting = self._frame.unused_data
            self._frame = None
        return ready
