"""Opens a data file, plain or compressed, and reads its rows as bytes.

A row is a line of JSONL, an item of a JSON array (as dumps of LiveCodeBench are), one of several
JSON objects that are written over many lines, or a row of CSV or Parquet. A fault of a row is
reported in the row; a fault of the file (missing, a folder, corrupt) raises DataError.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

from microcoder_eval.errors import DataError
from microcoder_sandbox import record

from . import array, error_text, jsontext, tables
from .plain_files import LFS_ADVICE, LFS_POINTER

STDIN = "-"  # the path of standard input
_BOM = b"\xef\xbb\xbf"
_GZIP_MAGIC = b"\x1f\x8b"
_PARQUET_MAGIC = b"PAR1"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
# What else people give: how its name ends and its bytes begin, and what it is.
_UNREAD_FILES = (
    ((".xlsx", ".xlsm", ".ods"), rb"PK", "a spreadsheet", "save it as CSV (UTF-8)"),
    ("", rb"PK\x03\x04", "a file of ZIP", "unpack it first"),
    ("", rb"\xfd7zX", "a file of xz", "unpack it first"),
    ("", rb"BZh", "a file of bzip2", "unpack it first"),
    ("", rb"7z\xbc\xaf", "a file of 7z", "unpack it first"),
    ("", rb".{257}ustar", "a file of tar", "unpack it first"),
    ("", LFS_POINTER, "a pointer of Git LFS", LFS_ADVICE),
    ("", rb"\x7fELF", "a compiled program", "give its source, such as sum.cpp"),
    ("", rb"\s*(<!doctype|<html)", "a web page", "give the file of data instead"),
    ("", rb'\{\s*"(cells|nbformat)"', "a notebook", "save its program in a file such as sum.py"),
)
# Compressed bytes of one step. A hostile zstd block of 4 bytes decompresses to 128 KiB, so one
# step gives at most about 128 MiB.
_ZSTD_STEP = 4096
_SKIP_STEP = 1 << 20
_ReadTable = Callable[[BinaryIO], Iterator[tuple[int, bytes]]]


@record
class SourceRow:
    """One line or array item. fault: why it cannot be used; ``raw`` then has only its start.

    offset: where the line begins in the decompressed file. item: its number in an array, from 1.
    """

    line: int
    offset: int
    raw: bytes
    item: int | None = None
    fault: str | None = None

    def parse(self) -> Any:
        """Return the value of the row. Raises DataError."""
        if self.fault is not None:
            raise DataError(self.fault)
        return jsontext.parse(self.raw)


@record
class BadLine:
    """A line that cannot be used.

    line: its number, 0 for the whole file.
    reason: what is wrong and what to do.
    text_start: the start of its text.
    """

    file: str
    line: int
    reason: str
    text_start: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


def make_bad_line(path: str, row: SourceRow, reason: str) -> BadLine:
    """Make the report on a row, with the number of an array item, since items may share a line."""
    item = f"item {row.item}: " if row.item is not None else ""
    text_start = error_text.shorten(row.raw[:400].decode("utf-8", "replace").strip(), 80)
    return BadLine(path, row.line, item + reason, text_start)


class Source:
    """An open data file. stable: whether its bytes can be read again at the same offsets."""

    def __init__(self, file: io.BufferedReader, path: str) -> None:
        self._file = file
        self.path = path
        head = file.peek(4)[:4]
        self._stream = _open_decompressed(file, head, path)
        with convert_read_errors(path):
            if self._stream.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
                text = self._stream.read().decode("utf-16", "surrogatepass")
                data = io.BytesIO(text.encode("utf-8", "surrogatepass"))
                self._stream = io.BufferedReader(cast(io.RawIOBase, data))
            _refuse_other_files(self._stream.peek(512), path)
            self._read = self._choose_reader()
        regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
        self.stable = regular and self._stream is file and self._read == self._read_lines

    def fileno(self) -> int:
        """Return the descriptor of the file on disk."""
        return self._file.fileno()

    def read_rows(self, max_bytes: int) -> Iterator[SourceRow]:
        """Yield all rows that are not blank, in order. Raises DataError if the file is corrupt."""
        with convert_read_errors(self.path):
            yield from self._read(max_bytes)

    def _choose_reader(self) -> Callable[[int], Iterator[SourceRow]]:
        """Return what reads the rows: the file's name and its start say how it holds them."""
        start = self._stream.peek(1).removeprefix(_BOM).lstrip()
        if start.startswith(_PARQUET_MAGIC) or self.path.endswith(".parquet"):
            return partial(self._read_table, tables.read_parquet)
        name = self.path.removesuffix(".gz").removesuffix(".zst")
        first_line = start.partition(b"\n")[0].strip()
        if name.endswith(".csv") or tables.looks_like_csv(first_line.decode("utf-8", "replace")):
            return partial(self._read_table, tables.read_csv)
        # In a file of lines, a first line "[1, 2]" is a bad line.
        if start.startswith(b"[") and (
            name.endswith(".json") or start[1:].lstrip()[:1] in (b"{", b"]")
        ):
            return partial(self._read_items, is_array=True)
        # JSON objects over many lines each.
        next_line = start.partition(b"\n")[2].lstrip()
        if first_line == b"{" and next_line.startswith((b'"', b"}")):
            return partial(self._read_items, is_array=False)
        return self._read_lines

    def _read_table(self, read: _ReadTable, _max_bytes: int) -> Iterator[SourceRow]:
        for number, raw in read(self._stream):
            yield SourceRow(number, 0, raw)

    def _read_lines(self, max_bytes: int) -> Iterator[SourceRow]:
        offset, number = 0, 0
        while raw := self._stream.readline(max_bytes + 2):
            number += 1
            start, fault = offset, None
            offset += len(raw)
            if len(raw.rstrip(b"\r\n")) > max_bytes:
                fault = f"longer than {max_bytes / 2**20:g} MiB; raise the limit with --max-line-mb"
                offset += self._skip_line(raw)
                raw = raw[:400]
            if number == 1 and raw.startswith(_BOM):
                raw, start = raw[3:], start + 3
            if raw.strip():
                yield SourceRow(number, start, raw, fault=fault)

    def _skip_line(self, raw: bytes) -> int:
        skipped = 0
        while raw and not raw.endswith(b"\n"):
            raw = self._stream.readline(_SKIP_STEP)
            skipped += len(raw)
        return skipped

    def _read_items(self, max_bytes: int, *, is_array: bool) -> Iterator[SourceRow]:
        raw = self._stream.read(max_bytes + 1)
        if len(raw) > max_bytes:
            raise DataError(
                f"one JSON text of more than {max_bytes / 2**20:g} MiB; "
                "write it as JSONL, one object a line",
                self.path,
            )
        text = raw.removeprefix(_BOM).decode("utf-8", "surrogateescape")
        for index, item in enumerate(array.split_values(text, is_array=is_array), start=1):
            # This restores invalid bytes, which the JSON parser then reports.
            raw_item = item.text.encode("utf-8", "surrogateescape")
            yield SourceRow(item.line, 0, raw_item, item=index, fault=item.fault)


class PackageSource:
    """The packages in a folder, one row each; a row's line is the package's number."""

    stable = False

    def __init__(self, path: str) -> None:
        self.path = path

    def read_rows(self, max_bytes: int) -> Iterator[SourceRow]:
        """Yield a row for each package. Raises DataError where there is none."""
        from microcoder_eval.formats.packages.tree import list_rows

        with convert_read_errors(self.path):
            for number, (raw, fault) in enumerate(list_rows(Path(self.path)), 1):
                if fault is None and len(raw) > max_bytes:
                    fault = f"larger than {max_bytes / 2**20:g} MiB; raise it with --max-line-mb"
                yield SourceRow(number, 0, raw if fault is None else raw[:400], fault=fault)


@contextmanager
def open_file_or_packages(path: str | os.PathLike[str]) -> Iterator[Source | PackageSource]:
    """Open a file, or a folder of problem packages. Raises DataError if it cannot be opened."""
    if os.fspath(path) != STDIN and os.path.isdir(path):
        yield PackageSource(os.fspath(path))
        return
    with open_source(path) as source:
        yield source


@contextmanager
def open_source(path: str | os.PathLike[str]) -> Iterator[Source]:
    """Open a file. Raises DataError if it cannot be opened."""
    name = os.fspath(path)
    with convert_read_errors(name):
        file = open(os.dup(0) if name == STDIN else name, "rb")
    with file:
        yield Source(file, name)


def check_readable(path: str | os.PathLike[str], *, folders: bool = False) -> None:
    """Raise DataError if a path cannot be read, without opening it, as it may be a pipe.

    folders: whether it may be a folder.
    """
    name = os.fspath(path)
    if name == STDIN:
        return
    with convert_read_errors(name):
        mode = os.stat(name).st_mode
    if stat.S_ISDIR(mode) and not folders:
        raise DataError("is a folder; name a file in it", name)
    if not os.access(name, os.R_OK):
        raise DataError("cannot be read: Permission denied", name)


@contextmanager
def convert_read_errors(path: str) -> Iterator[None]:
    """Convert errors of the system and of decompressors to DataError that names the file."""
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
            raise DataError(error.message, error.where or path) from error
        raise DataError(f"cannot be read: {error}", path) from error


def _open_decompressed(file: io.BufferedReader, head: bytes, path: str) -> io.BufferedReader:
    if head.startswith(_GZIP_MAGIC):
        # GzipFile has the methods of a raw stream; the buffer adds a fast readline and peek.
        raw = cast(io.RawIOBase, gzip.GzipFile(fileobj=cast(BinaryIO, file)))
        return io.BufferedReader(raw, 1 << 16)
    if head == _ZSTD_MAGIC:
        return io.BufferedReader(_PartStream(_decompress_zstd(file, path)), 1 << 16)
    if head and path.endswith((".gz", ".zst")):
        raise DataError("is not compressed although its name says so; rename it", path)
    return file


def _refuse_other_files(start: bytes, path: str) -> None:
    for suffixes, pattern, kind, advice in _UNREAD_FILES:
        if path.lower().endswith(suffixes) and re.match(pattern, start, re.DOTALL | re.IGNORECASE):
            raise DataError(f"is {kind}, which is not read; {advice}", path)


def _decompress_zstd(file: io.BufferedReader, path: str) -> Iterator[bytes]:
    """Yield the output of each step. The library's own reader accepts files that are cut off.
    Raises DataError."""
    from microcoder_eval import zstd

    frame: Any = None
    compressed = b""
    while compressed := compressed or file.read(_ZSTD_STEP):
        frame = frame or zstd.make_frame_decompressor()
        try:
            output: bytes = frame.decompress(compressed)
        except zstd.ZstdError as error:
            raise DataError(f"the zstd data is corrupt ({error})", path) from error
        compressed = b""
        if frame.eof:
            compressed, frame = frame.unused_data, None
        yield output
    if frame is not None:
        raise DataError("the zstd data is cut off", path)


class _PartStream(io.RawIOBase):
    """A stream of parts, one after the other."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        """Return True, which BufferedReader requires."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read from the next part that holds anything; return 0 at the end."""
        while not self._rest:
            part = next(self._parts, None)
            if part is None:
                return 0
            self._rest = memoryview(part)
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size
