"""Writes results: to an append-only journal while judging (only its last line may be torn), to one
ordered file at the end.

    results.part           the journal: result lines in completion order, one os.write each
    results.jsonl          written at the end, in input order, and renamed into place
    results.errors.jsonl   the input lines that could not be used, if any

No finished result is lost. A run that is killed, interrupted or out of disk space leaves a journal,
from which ``--resume`` continues after removing an incomplete last line. A run locks its journal,
so two runs never write to the same files.

In memory there are two integers for each solution: where its line is. Results of this run are found
by position, those of earlier runs by problem and solution.
"""

from __future__ import annotations

import fcntl
import json
import os
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

from microcoder_eval.errors import DataError
from microcoder_eval.records import Judgement, Verdict, solution_key
from microcoder_sandbox import record

from .files import (
    READ_BYTES,
    Extent,
    OutputError,
    Paths,
    make_write_error,
    open_decompressed,
    write_atomically,
)
from .lines import judgement_from_line

LINE_START = b'{"problem_id": '  # every result line starts like this, even one that a crash cut off


ReadLine = Callable[[Extent], bytes]  # reads a line of the journal


class LineExtents:
    """Where each solution's result is in the journal, by the solution's position in the input."""

    def __init__(self) -> None:
        self._offsets = array("q")
        self._sizes = array("q")

    def record(self, position: int, extent: Extent) -> None:
        """Store where the result of the solution at ``position`` is."""
        missing_count = position + 1 - len(self._offsets)
        if missing_count > 0:
            self._offsets.extend([-1] * missing_count)
            self._sizes.extend([0] * missing_count)
        self._offsets[position], self._sizes[position] = extent

    def __contains__(self, position: int) -> bool:
        return position < len(self._offsets) and self._offsets[position] >= 0

    def __iter__(self) -> Iterator[Extent]:
        for offset, size in zip(self._offsets, self._sizes, strict=True):
            if offset >= 0:
                yield Extent(offset, size)


@record
class StoredResult:
    """A result of an earlier run, and where its line is in the journal."""

    judgement: Judgement
    extent: Extent


class Index:
    """Results of earlier runs by problem and solution. The first result that is not JE counts, else
    a JE."""

    def __init__(self, read: ReadLine) -> None:
        self._read = read
        self._entries: dict[bytes, tuple[Extent, bool]] = {}  # where it is, and whether it is JE

    def add(self, judgement: Judgement, extent: Extent) -> None:
        """Store where the line of this result is, unless an earlier result counts."""
        if self.is_new(judgement):
            key = solution_key(judgement.problem_id, judgement.solution_id)
            self._entries[key] = extent, judgement.verdict is Verdict.JE

    def is_new(self, judgement: Judgement) -> bool:
        """Whether the index has no result of the solution, or a JE that this one replaces."""
        entry = self._entries.get(solution_key(judgement.problem_id, judgement.solution_id))
        return entry is None or (entry[1] and judgement.verdict is not Verdict.JE)

    def pop(self, problem_id: str, solution_id: str) -> StoredResult | None:
        """Remove and return the result of a solution, if there is one."""
        entry = self._entries.pop(solution_key(problem_id, solution_id), None)
        if entry is None:
            return None
        return StoredResult(judgement_from_line(self._read(entry[0])), entry[0])

    def find_remaining(self) -> Judgement | None:
        """Return one of the results that were not popped, if any."""
        for extent, _ in self._entries.values():
            return judgement_from_line(self._read(extent))
        return None


def read_result(line: bytes, where: str) -> Judgement:
    """Read a line that this program wrote. Raises OutputError for any other line."""
    try:
        return judgement_from_line(line)
    except DataError as error:
        raise OutputError(
            f"{where}: not a result of this program ({error.message}); "
            "--resume needs a file that microcoder-eval wrote; choose another output"
        ) from error


class Journal:
    """The open, locked journal of one run."""

    def __init__(self, paths: Paths, descriptor: int) -> None:
        self.paths = paths
        self._descriptor = descriptor
        self._size = os.fstat(descriptor).st_size

    @classmethod
    def open(cls, paths: Paths, *, resume: bool, force: bool) -> Self:
        """Open and lock the journal.

        resume: keep its lines. force: drop them, and allow OUT to exist. Raises OutputError if
        there are results and neither is set, if the journal is in use, or if it belongs to another
        program.
        """
        journal = cls(paths, _open_locked(paths.journal))
        try:
            journal._prepare(resume, force)
        except BaseException:
            journal.close()
            raise
        return journal

    def _prepare(self, resume: bool, force: bool) -> None:
        if resume:
            self._drop_partial_line()
            return
        paths = self.paths.results, self.paths.journal
        existing_paths = [path for path in paths if path.exists() and path.stat().st_size]
        if existing_paths and not force:
            raise OutputError(
                f"{existing_paths[0]} exists already and is kept: add --resume to continue it, "
                "--force to start over, or choose another output"
            )
        os.ftruncate(self._descriptor, 0)
        self._size = 0

    def _drop_partial_line(self) -> None:
        end = self._size
        while end:
            start = max(0, end - READ_BYTES)
            newline = os.pread(self._descriptor, end - start, start).rfind(b"\n")
            if newline >= 0:
                end = start + newline + 1
                break
            end = start
        # After a loss of power, a file system may have zeros in place of what was written last.
        partial_line = os.pread(self._descriptor, len(LINE_START), end).rstrip(b"\0")
        if not LINE_START.startswith(partial_line):
            raise OutputError(
                f"{self.paths.journal} is not a journal of this program and is left unchanged; "
                "choose another output"
            )
        os.ftruncate(self._descriptor, end)
        self._size = end

    def append_line(self, line: bytes) -> Extent:
        """Write one line and return where it is.

        Raises OutputError; the journal then holds no part of the line.
        """
        offset, remaining = self._size, memoryview(line)
        try:
            while remaining:  # a full disk may write a part of the line before it fails
                remaining = remaining[os.write(self._descriptor, remaining) :]
        except OSError as error:
            os.ftruncate(self._descriptor, offset)
            raise make_write_error(
                self.paths.journal, error, can_resume=self.holds_results
            ) from error
        self._size += len(line)
        return Extent(offset, len(line))

    def read(self, extent: Extent) -> bytes:
        """Read a line."""
        return os.pread(self._descriptor, extent.size, extent.offset)

    def read_lines(self) -> Iterator[tuple[Extent, bytes]]:
        """Yield (where it is, line) of every line."""
        with open(self._descriptor, "rb", buffering=READ_BYTES, closefd=False) as stream:
            stream.seek(0)
            offset = 0
            for line in stream:
                yield Extent(offset, len(line)), line
                offset += len(line)

    def index(self, *, with_results: bool = True) -> Index:
        """Index the results of earlier runs.

        with_results: include those of OUT, and copy to the journal what it lacks.
        """
        index = Index(self.read)
        for extent, line in self.read_lines():
            judgement = read_result(line, f"{self.paths.journal}, at byte {extent.offset}")
            index.add(judgement, extent)
        if not with_results:
            return index
        for number, line in enumerate(_read_stored_lines(self.paths.results), 1):
            judgement = read_result(line, f"{self.paths.results}:{number}")
            if index.is_new(judgement):
                index.add(judgement, self.append_line(line))
        return index

    def finish(self, line_extents: LineExtents) -> None:
        """Write OUT in input order, atomically, and remove the journal. Raises OutputError."""
        with write_atomically(self.paths.results, can_resume=self.holds_results) as stream:
            for extent in line_extents:
                stream.write(self.read(extent))
        os.unlink(self.paths.journal)

    def close(self) -> None:
        """Unlock the journal, and remove it if it is empty."""
        if self._descriptor < 0:
            return
        if self._size == 0 and os.fstat(self._descriptor).st_nlink:
            self.paths.journal.unlink(missing_ok=True)
        os.close(self._descriptor)
        self._descriptor = -1

    @property
    def holds_results(self) -> bool:
        """Whether there is anything to resume from."""
        return self._size > 0


def _open_locked(path: Path) -> int:
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise make_write_error(path, error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            raise OutputError(
                f"{path} is in use by another run; wait for it or choose another output"
            ) from error
        if _is_open_file(path, descriptor):
            return descriptor
        os.close(descriptor)  # the run that held it finished and removed it between our two calls


def _is_open_file(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _read_stored_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of OUT, decompressed; none if there is no such file.

    A partial last line, as in a copy that was cut off, is skipped.
    """
    if not path.exists():
        return
    try:
        with open_decompressed(path) as stream:
            previous_line = b""
            for line in stream:
                if previous_line:
                    yield previous_line
                previous_line = line
            if previous_line and not _is_partial(previous_line):
                yield previous_line.removesuffix(b"\n") + b"\n"
    except EOFError:
        pass  # the compressed file is cut off; the lines before are complete
    except OSError as error:
        raise OutputError(f"{path} cannot be read: {error}; --resume needs it whole") from error


def _is_partial(line: bytes) -> bool:
    """Whether ``line`` is the beginning of a result line."""
    if not LINE_START.startswith(line[: len(LINE_START)]):
        return False
    try:
        json.loads(line)
    except ValueError:
        return True
    return False
