"""Where results go: an append-only journal while judging, one ordered file at the end.

    results.part           the journal: result lines in completion order, one os.write each
    results.jsonl          written at the end, in input order, renamed into place at once
    results.errors.jsonl   the input lines that could not be used, when there are any

Nothing done is ever lost: a run that is killed, interrupted or out of disk space leaves a journal
from which ``--resume`` goes on; a line torn by the end of the world is cut off first. The journal
stays locked for the life of a run, so two runs never write to the same place.

In memory only offsets are kept: two integers for each solution.
"""

from __future__ import annotations

import errno
import fcntl
import io
import os
import stat
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO, cast

from microcoder_eval.errors import DataError, MicrocoderError
from microcoder_eval.records import Judgement, Verdict
from microcoder_eval.results import judgement_from_line, judgement_to_line

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


class Journal:
    """The open journal of one run, locked: append, find, put in order."""

    def __init__(self, paths: Paths, descriptor: int) -> None:
        self.paths = paths
        self._descriptor = descriptor
        self._end = os.fstat(descriptor).st_size

    @classmethod
    def open(cls, paths: Paths, *, resume: bool, force: bool) -> Journal:
        """Lock the journal and settle what earlier runs left. Raises OutputError."""
        journal = cls(paths, _open_locked(paths.journal))
        try:
            journal._settle(resume, force)
        except BaseException:
            journal.close()
            raise
        return journal

    def _settle(self, resume: bool, force: bool) -> None:
        if resume:
            self._drop_torn_line()
            return
        done = [path for path in (self.paths.results, self.paths.journal) if _holds_data(path)]
        if done and not force:
            raise OutputError(
                f"{done[0]} exists already and is kept: add --resume to go on from it, "
                "--force to start anew, or choose another name for -o"
            )
        os.ftruncate(self._descriptor, 0)
        self._end = 0

    def _drop_torn_line(self) -> None:
        end = self._end
        while end:
            start = max(0, end - READ_BYTES)
            newline = os.pread(self._descriptor, end - start, start).rfind(b"\n")
            if newline >= 0:
                end = start + newline + 1
                break
            end = start
        os.ftruncate(self._descriptor, end)
        self._end = end

    def append(self, judgement: Judgement) -> tuple[int, int]:
        """Write one result; returns its (offset, length). Raises OutputError, nothing torn."""
        return self._write(judgement_to_line(judgement))

    def _write(self, line: bytes) -> tuple[int, int]:
        offset, rest = self._end, memoryview(line)
        try:
            while rest:  # one write, but for a disk that takes half of it and then says no
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            os.ftruncate(self._descriptor, offset)
            raise unwritable(self.paths.journal, error) from error
        self._end += len(line)
        return offset, len(line)

    def read(self, offset: int, length: int) -> bytes:
        """The line at that place."""
        return os.pread(self._descriptor, length, offset)

    def index(self) -> Index:
        """Find every result of earlier runs, those of OUT copied into the journal first if new."""
        index = Index(self)
        for offset, line in _lines_of(self._descriptor):
            index.add(offset, line, f"{self.paths.journal}")
        for number, line in enumerate(_stored_lines(self.paths.results), 1):
            where = f"{self.paths.results}:{number}"
            judgement = _read_result(line, where)
            if index.wants(judgement):
                offset, _ = self._write(line)
                index.place(judgement, offset, len(line))
        return index

    def finish(self, places: Places) -> None:
        """Write OUT in input order, rename it into place, remove the journal."""
        # A link named by -o stays a link: its target is replaced.
        target = Path(os.path.realpath(self.paths.results))
        unfinished = target.with_name(target.name + ".tmp")
        try:
            with _compressed(unfinished, target.name) as stream:
                for offset, length in places:
                    stream.write(self.read(offset, length))
            _to_disk(unfinished)
            os.replace(unfinished, target)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            raise unwritable(target, error) from error
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
        os.unlink(self.paths.journal)

    def close(self) -> None:
        """Unlock; an empty journal holds nothing and is removed."""
        if self._descriptor < 0:
            return
        if self._end == 0 and os.fstat(self._descriptor).st_nlink:
            self.paths.journal.unlink(missing_ok=True)
        os.close(self._descriptor)
        self._descriptor = -1

    @property
    def holds_results(self) -> bool:
        """Whether there is anything to resume from."""
        return self._end > 0


class Places:
    """Where the result of each solution lies in the journal, by its place in the input."""

    def __init__(self) -> None:
        self._offsets = array("q")
        self._lengths = array("q")

    def put(self, position: int, place: tuple[int, int]) -> None:
        """Note the (offset, length) of the solution at ``position``."""
        missing = position + 1 - len(self._offsets)
        if missing > 0:
            self._offsets.extend([-1] * missing)
            self._lengths.extend([0] * missing)
        self._offsets[position], self._lengths[position] = place

    def __contains__(self, position: int) -> bool:
        return position < len(self._offsets) and self._offsets[position] >= 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for offset, length in zip(self._offsets, self._lengths, strict=True):
            if offset >= 0:
                yield offset, length


class Index:
    """Results of earlier runs by problem and solution; a later line wins, but JE over nothing."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._found: dict[bytes, tuple[int, int, bool]] = {}

    def add(self, offset: int, line: bytes, name: str) -> None:
        """Take in one line of the journal."""
        judgement = _read_result(line, f"{name}, at byte {offset}")
        if self.wants(judgement):
            self.place(judgement, offset, len(line))

    def wants(self, judgement: Judgement) -> bool:
        """Whether this result is news: nothing is known of the solution, or only a JE."""
        known = self._found.get(_key(judgement.problem_id, judgement.solution_id))
        return known is None or (known[2] and judgement.verdict is not Verdict.JE)

    def place(self, judgement: Judgement, offset: int, length: int) -> None:
        """Remember where this result lies."""
        key = _key(judgement.problem_id, judgement.solution_id)
        self._found[key] = (offset, length, judgement.verdict is Verdict.JE)

    def take(self, problem_id: str, solution_id: str) -> tuple[Judgement, tuple[int, int]] | None:
        """The known result of a solution and its place, once; None when there is none."""
        known = self._found.pop(_key(problem_id, solution_id), None)
        if known is None:
            return None
        offset, length, _ = known
        return judgement_from_line(self._journal.read(offset, length)), (offset, length)

    def left(self) -> Judgement | None:
        """A result that nobody has taken, if any."""
        for offset, length, _ in self._found.values():
            return judgement_from_line(self._journal.read(offset, length))
        return None

    def __len__(self) -> int:
        return len(self._found)


def _key(problem_id: str, solution_id: str) -> bytes:
    # 16 bytes for each solution instead of two texts: a million of them fit in 150 MB.
    both = f"{len(problem_id)}:{problem_id}{solution_id}"
    return blake2b(both.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _read_result(line: bytes, where: str) -> Judgement:
    try:
        return judgement_from_line(line)
    except DataError as error:
        raise OutputError(
            f"{where}: not a result of this program ({error.message}); "
            "--resume needs a file that microcoder-eval wrote; choose another name for -o"
        ) from error


def _open_locked(path: Path) -> int:
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise unwritable(path, error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            raise OutputError(
                f"{path} is in use by another run; wait for it or choose another name for -o"
            ) from error
        if _still_at(path, descriptor):
            return descriptor
        os.close(descriptor)  # its owner finished and removed it between our two calls


def _still_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _holds_data(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _lines_of(descriptor: int) -> Iterator[tuple[int, bytes]]:
    offset = 0
    with open(descriptor, "rb", buffering=READ_BYTES, closefd=False) as stream:
        stream.seek(0)
        for line in stream:
            yield offset, line
            offset += len(line)


def _stored_lines(path: Path) -> Iterator[bytes]:
    """Lines of a finished OUT, decompressed; none when there is no such file."""
    if not path.exists():
        return
    try:
        with _decompressed(path) as stream:
            for line in stream:
                yield line if line.endswith(b"\n") else line + b"\n"
    except (OSError, EOFError) as error:
        raise OutputError(f"{path} cannot be read: {error}; --resume needs it whole") from error


def _decompressed(path: Path) -> IO[bytes]:
    if path.name.endswith(".gz"):
        import gzip

        return cast("IO[bytes]", gzip.open(path, "rb"))
    if path.name.endswith(".zst"):
        import zstandard

        # The reader itself cannot be asked for lines.
        return io.BufferedReader(cast("io.RawIOBase", zstandard.open(path, "rb")))
    return open(path, "rb")


def _compressed(path: Path, name: str) -> IO[bytes]:
    if name.endswith(".gz"):
        import gzip

        return cast("IO[bytes]", gzip.open(path, "wb", compresslevel=6))
    if name.endswith(".zst"):
        import zstandard

        return cast("IO[bytes]", zstandard.open(path, "wb"))
    return open(path, "wb", buffering=READ_BYTES)


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
