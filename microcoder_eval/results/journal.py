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

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from microcoder_eval.journal_index import Index, Places, read_result
from microcoder_eval.outputs import (
    READ_BYTES,
    OutputError,
    Paths,
    compressed,
    decompressed,
    unwritable,
)
from microcoder_eval.records import Judgement
from microcoder_eval.results import judgement_to_line

LINE_START = b'{"problem_id": '  # of every result line, and so of one torn by a crash


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
        torn = os.pread(self._descriptor, len(LINE_START), end)
        if not LINE_START.startswith(torn):
            raise OutputError(
                f"{self.paths.journal} is no journal of this program and is left alone; "
                "choose another name for -o"
            )
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

    def index(self, *, with_results: bool = True) -> Index:
        """Find every result of earlier runs; ``with_results``: copy what only OUT has first."""
        index = Index(self.read)
        for offset, line in _lines_of(self._descriptor):
            index.add(offset, line, f"{self.paths.journal}")
        if not with_results:
            return index
        for number, line in enumerate(_stored_lines(self.paths.results), 1):
            where = f"{self.paths.results}:{number}"
            judgement = read_result(line, where)
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
            with compressed(unfinished, target.name) as stream:
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
        with decompressed(path) as stream:
            for line in stream:
                yield line if line.endswith(b"\n") else line + b"\n"
    except (OSError, EOFError) as error:
        raise OutputError(f"{path} cannot be read: {error}; --resume needs it whole") from error


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
