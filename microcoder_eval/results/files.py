"""The files of one run: what they are called, how they are packed, what is said when one fails.

results.part           the journal: result lines in completion order
results.jsonl          written at the end, in input order
results.errors.jsonl   the input lines that could not be used, when there are any
"""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from microcoder_eval.errors import MicrocoderError

SUFFIXES = (".jsonl.gz", ".jsonl.zst", ".jsonl")
# What the kernel says when no more can be written: no space, no quota, file size limit.
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
READ_BYTES = 1 << 20


class OutputError(MicrocoderError):
    """Results cannot be written, or the files already there must not be touched."""


@dataclass(frozen=True, slots=True)
class Paths:
    """The files of one run, all in the folder of ``-o``."""

    results: Path
    journal: Path
    errors: Path

    @classmethod
    def of(cls, out: str) -> Paths:
        """Names from the ``-o`` path: what it is called without its suffix, and .part, .errors."""
        path = Path(out)
        suffix = next((end for end in SUFFIXES if path.name.endswith(end)), "")
        stem = path.name[: len(path.name) - len(suffix)]
        if not stem:
            raise OutputError(f"-o {out!r} does not name a file; give one, such as results.jsonl")
        return cls(path, path.with_name(stem + ".part"), path.with_name(stem + ".errors.jsonl"))

    def refuse_misuse(self, inputs: Sequence[str]) -> None:
        """Raise OutputError where writing would hit something that is not ours to write."""
        for path in (self.results, self.journal, self.errors):
            try:
                there = path.stat()
            except FileNotFoundError:
                continue
            except OSError as error:
                raise unwritable(path, error) from error
            if not stat.S_ISREG(there.st_mode):
                raise OutputError(f"{path} is not a regular file; choose another name for -o")
            if any(_same_file(there, name) for name in inputs):
                raise OutputError(f"{path} is an input of this run; choose another name for -o")


def _same_file(there: os.stat_result, name: str) -> bool:
    try:
        return os.path.samestat(there, os.stat(name))
    except OSError:
        return False


def decompressed(path: Path) -> IO[bytes]:
    """Open for reading, by the ending of its name."""
    if path.name.endswith(".gz"):
        import gzip

        return cast("IO[bytes]", gzip.open(path, "rb"))
    if path.name.endswith(".zst"):
        import zstandard

        # The reader itself cannot be asked for lines.
        return io.BufferedReader(cast("io.RawIOBase", zstandard.open(path, "rb")))
    return open(path, "rb")


def compressed(path: Path, name: str) -> IO[bytes]:
    """Open ``path`` for writing, packed as the ending of ``name`` says: equal data, equal bytes."""
    if name.endswith(".gz"):
        import gzip

        raw = open(path, "wb")
        packed = gzip.GzipFile("", "wb", 6, raw, mtime=0)  # neither a name nor a time inside
        packed.myfileobj = cast("io.FileIO", raw)  # closed with it, as for files it opens itself
        return cast("IO[bytes]", packed)
    if name.endswith(".zst"):
        import zstandard

        return cast("IO[bytes]", zstandard.open(path, "wb"))
    return open(path, "wb", buffering=READ_BYTES)


def unwritable(path: Path, error: OSError) -> OutputError:
    """The message for a write that failed, by what the user can do about it."""
    if error.errno in FULL:
        return OutputError(
            f"{path}: {error.strerror}. What was judged so far is kept; make room, "
            "then run the same command with --resume"
        )
    if error.errno == errno.ENOENT:
        return OutputError(f"{path}: there is no folder {path.parent}; create it first")
    return OutputError(f"{path} cannot be written: {error.strerror}; choose another name for -o")
