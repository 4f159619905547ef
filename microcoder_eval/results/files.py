"""The files of one run: their names, their compression, and the messages when writing fails.

results.part           the journal: result lines in completion order
results.jsonl          written at the end, in input order
results.errors.jsonl   the input lines that could not be used, if any
"""

from __future__ import annotations

import errno
import io
import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, cast

from microcoder_eval.errors import MicrocoderError
from microcoder_sandbox import record

_SUFFIXES = (".jsonl.gz", ".jsonl.zst", ".jsonl")
_OTHER_SUFFIXES = frozenset({".csv", ".tsv", ".xls", ".xlsx", ".parquet", ".html", ".htm"})
# No space, no quota, file size limit.
_DISK_FULL_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
READ_BYTES = 1 << 20


class Extent(NamedTuple):
    """A place in a file, in bytes."""

    offset: int
    size: int


class OutputError(MicrocoderError):
    """Results cannot be written, or the files already there must not be touched."""


@record
class Paths:
    """The files of one run, all in the folder of ``-o``."""

    results: Path
    journal: Path
    errors: Path

    @classmethod
    def from_output(cls, out: str) -> Paths:
        """Derive the names from the path of ``-o``. Raises OutputError if it names no file."""
        path = Path(out)
        suffix = next((ending for ending in _SUFFIXES if path.name.endswith(ending)), "")
        stem = path.name[: len(path.name) - len(suffix)]
        if not stem:
            raise OutputError(f"-o {out!r} does not name a file; give one, such as results.jsonl")
        if path.suffix.lower() in _OTHER_SUFFIXES:
            raise OutputError(
                f"-o {out}: JSON lines are written; name the file {path.stem}.jsonl (a page of "
                "results, with tables to save as CSV: microcoder-eval report)"
            )
        return cls(path, path.with_name(stem + ".part"), path.with_name(stem + ".errors.jsonl"))

    def refuse_misuse(self, inputs: Sequence[str]) -> None:
        """Raise OutputError if one of the files is an input or not a regular file."""
        for path in (self.results, self.journal, self.errors):
            refuse_output(path, inputs)


def refuse_output(path: Path, inputs: Sequence[str]) -> None:
    """Raise OutputError if ``path`` cannot be written, is an input or not a regular file."""
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise make_write_error(path, FileNotFoundError(errno.ENOENT, ""))
    if not os.access(folder, os.W_OK | os.X_OK):  # files are replaced, not written in place
        raise make_write_error(path, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    try:
        status = path.stat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise make_write_error(path, error) from error
    if stat.S_ISDIR(status.st_mode):
        raise OutputError(f"{path} is a folder; name a file in it")
    if not stat.S_ISREG(status.st_mode):
        raise OutputError(f"{path} is not a regular file; choose another output")
    if any(os.path.exists(name) and path.samefile(name) for name in inputs):
        raise OutputError(f"{path} is an input of this run; choose another output")


def open_decompressed(path: Path) -> IO[bytes]:
    """Open a file for reading; decompress it if its name ends in .gz or .zst."""
    if path.name.endswith(".gz"):
        import gzip

        return cast("IO[bytes]", gzip.open(path, "rb"))
    if path.name.endswith(".zst"):
        from microcoder_eval.zstd import open_zstd

        return open_zstd(path, "rb")
    return open(path, "rb")


def open_compressed(path: Path, name: str) -> IO[bytes]:
    """Open ``path`` for writing, compressed if ``name`` ends in .gz or .zst.

    Equal data gives equal files: gzip headers hold neither a name nor a time.
    """
    if name.endswith(".gz"):
        import gzip

        raw_file = open(path, "wb")
        gzip_file = gzip.GzipFile("", "wb", 6, raw_file, mtime=0)
        gzip_file.myfileobj = cast("io.FileIO", raw_file)  # gzip_file.close() closes it
        return cast("IO[bytes]", gzip_file)
    if name.endswith(".zst"):
        from microcoder_eval.zstd import open_zstd

        return open_zstd(path, "wb")
    return open(path, "wb", buffering=READ_BYTES)


@contextmanager
def replace_file(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path in the same folder; at the end of the block write its data to the
    disk (fsync), and rename it to ``path``.

    After an exception, or if the block removes the temporary file, ``path`` is unchanged. If
    ``path`` is a link, its target is replaced. Raises OSError.
    """
    target = Path(os.path.realpath(path))
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    os.close(descriptor)
    temporary_path = Path(name)
    try:
        yield temporary_path
        if temporary_path.exists():
            mask = os.umask(0)
            os.umask(mask)
            temporary_path.chmod(0o666 & ~mask)
            sync_file(temporary_path)
            temporary_path.replace(target)
    finally:
        temporary_path.unlink(missing_ok=True)


@contextmanager
def write_atomically(path: Path, *, can_resume: bool = False) -> Iterator[IO[bytes]]:
    """Yield a stream whose bytes replace ``path`` at the end of the block, compressed as the name
    of the file says. After an exception ``path`` is unchanged; an OSError becomes an OutputError.

    can_resume: see ``make_write_error``.
    """
    target = os.path.realpath(path)
    try:
        with (
            replace_file(target) as temporary_path,
            open_compressed(temporary_path, target) as file,
        ):
            yield file
    except OSError as error:
        raise make_write_error(path, error, can_resume=can_resume) from error


def sync_file(path: Path) -> None:
    """Write the file's data to the disk (fsync). Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_write_error(path: Path, error: OSError, *, can_resume: bool = False) -> OutputError:
    """Make the error for a failed write; the message says what the user can do.

    can_resume: whether a journal has results from which ``--resume`` can continue.
    """
    if error.errno in _DISK_FULL_ERRNOS:
        is_limit = error.errno == errno.EFBIG
        step = "Raise the limit on the size of files (ulimit -f)" if is_limit else "Free some space"
        advice = (
            f"The results so far are kept. {step}, then run the same command with --resume"
            if can_resume
            else f"{step}, then run the same command again"
        )
        return OutputError(f"{path}: {error.strerror}. {advice}")
    folder = Path(os.path.realpath(path)).parent
    if error.errno == errno.ENOENT and not folder.is_dir():
        return OutputError(f"{path}: there is no folder {folder}; create it first")
    if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
        reason = f"{error.strerror}; choose a folder that you may write to"
        return OutputError(f"{path} cannot be written: {reason}")
    return OutputError(f"{path} cannot be written: {error.strerror}; choose another output")
