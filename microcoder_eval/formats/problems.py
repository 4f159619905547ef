"""A file of problems that is never held in memory as a whole.

Opening reads every line once, checks it and notes where it starts. Problems are decoded when asked
for. Lines that cannot be read again in place (compressed files, pipes, arrays) go to an unlinked
temporary file first.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, BinaryIO

from microcoder_eval.errors import DataError
from microcoder_eval.formats import jsontext, native, registry, words
from microcoder_eval.formats.badline import BadLine, bad_line
from microcoder_eval.formats.cache import ProblemCache
from microcoder_eval.formats.source import Row, Source, open_source
from microcoder_eval.records import Problem

Check = Callable[[Problem], None]
CACHE_BYTES = 128 << 20
DEFAULT_MAX_LINE_MB = 1024


def problem_from(obj: Mapping[str, Any], *, where: str = "", format: str | None = None) -> Problem:
    """The problem in one decoded object, in any known format. Raises DataError."""
    try:
        if not isinstance(obj, Mapping):
            raise DataError(f"a problem must be an object, not {words.described(obj)}")
        known = registry.format_of_problem(obj, format)
        return native.problem(known.problem(obj))
    except DataError as error:
        raise DataError(error.message, where) from None


def open_problems(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    max_line_mb: float = DEFAULT_MAX_LINE_MB,
    check: Check | None = None,
) -> ProblemSet:
    """Index a file of problems: JSONL or one JSON array, plain, .gz or .zst.

    check: called with each problem; raises DataError for one that the caller cannot use.
    Lines that cannot be used are in ``bad`` of the result. Raises DataError when the file cannot
    be read or holds nothing, or the format does not exist.
    """
    if format is not None:
        registry.format_named(format)
    problems = ProblemSet(os.fspath(path), format, check)
    try:
        with open_source(path) as source:
            problems._read(source, int(max_line_mb * 2**20))
    except BaseException:
        problems.close()
        raise
    return problems


class ProblemSet:
    """Problems by name, in the order of their file. Safe to share between threads.

    bad: the lines that could not be used. Made by open_problems.
    """

    def __init__(self, path: str, format: str | None, check: Check | None = None) -> None:
        self.path = path
        self.bad: list[BadLine] = []
        self._format = format
        self._check = check
        self._places: dict[str, tuple[int, int, int]] = {}  # offset, length, line
        self._names: list[str | None] = []  # by place in the file; None: of no use
        self._unusable: dict[str, str] = {}
        self._cache = ProblemCache(CACHE_BYTES)
        self._lock = threading.Lock()
        self._file: BinaryIO | None = None
        self._unchanged: tuple[int, int] | None = None

    @property
    def ids(self) -> list[str]:
        """The names of the problems that can be used, in file order."""
        return list(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __contains__(self, problem_id: object) -> bool:
        return problem_id in self._places

    def get(self, problem_id: str) -> Problem:
        """The problem of that name. Raises DataError saying why there is none."""
        reason = self.why_not(problem_id)
        if reason is not None:
            raise DataError(reason)
        with self._lock:
            problem = self._cache.get(problem_id)
            if problem is None:
                problem = self._decode(problem_id)
                self._cache.put(problem)
            return problem

    def at(self, place: int) -> Problem:
        """The problem at that place in the file, from 0. Raises DataError saying why not."""
        if not 0 <= place < len(self._names):
            raise DataError(f"there are {len(self._names)} problems in {self.path}, no {place}")
        name = self._names[place]
        if name is None:
            raise DataError(f"problem {place} of {self.path} is not usable")
        return self.get(name)

    def why_not(self, problem_id: str) -> str | None:
        """Why ``get`` would fail for this name, or None."""
        if problem_id in self._places:
            return None
        name = f'problem "{words.brief(problem_id, 80)}"'
        if problem_id in self._unusable:
            return f"{name} is not usable: {self._unusable[problem_id]}"
        return f"{name} is not in {self.path}"

    def close(self) -> None:
        """Let go of the file; ``get`` works no longer."""
        with self._lock:
            self._cache.clear()
            if self._file is not None:
                try:
                    self._file.close()
                except OSError:
                    pass  # a full disk, told when it was written to
                self._file = None

    def __enter__(self) -> ProblemSet:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _read(self, source: Source, max_bytes: int) -> None:
        if source.stable:
            # A descriptor of our own: the name may be given to another file while we work.
            self._file = open(os.dup(source.fileno()), "rb")
            state = os.fstat(self._file.fileno())
            self._unchanged = (state.st_size, state.st_mtime_ns)
        else:
            with self._unpacking():
                self._file = tempfile.TemporaryFile()
        empty = True
        for row in source.rows(max_bytes):
            empty = False
            self._names.append(self._index(row))
        if empty:
            raise DataError(f"no problem in {self.path}: the file is empty")
        if self._file is not None and self._unchanged is None:
            with self._unpacking():
                self._file.flush()

    def _index(self, row: Row) -> str | None:
        if row.fault is not None:
            self.bad.append(bad_line(self.path, row, row.fault))
            return None
        name: str | None = None
        try:
            value = jsontext.parse(row.raw)
            name = self._name_of(value)
            self._refuse_second(name)  # before it is read: its tests may be large
            problem = problem_from(value, format=self._format)
            name = problem.problem_id
            self._refuse_second(name)
            if self._check is not None:
                self._check(problem)
        except DataError as error:
            self.bad.append(bad_line(self.path, row, error.message))
            if name is not None and name not in self._places:
                reason = error.message.removeprefix(f'problem "{words.brief(name, 80)}": ')
                self._unusable.setdefault(name, f"{reason} (line {row.line})")
            return None
        self._unusable.pop(problem.problem_id, None)
        self._places[problem.problem_id] = (self._place(row), len(row.raw), row.line)
        self._cache.put(problem)
        return problem.problem_id

    def _refuse_second(self, name: str | None) -> None:
        if name is not None and name in self._places:
            raise DataError(
                f'problem "{words.brief(name, 80)}" is here a second time '
                f"(first on line {self._places[name][2]}); this line is ignored"
            )

    def _name_of(self, value: Any) -> str | None:
        if not isinstance(value, Mapping):
            return None
        return registry.format_of_problem(value, self._format).name_in(value)

    def _place(self, row: Row) -> int:
        if self._unchanged is not None:
            return row.offset
        assert self._file is not None
        offset = self._file.tell()
        with self._unpacking():
            self._file.write(row.raw)
        return offset

    @contextmanager
    def _unpacking(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise DataError(
                f"cannot be unpacked to {tempfile.gettempdir()}: {error.strerror}; "
                "set TMPDIR to a folder with more room",
                self.path,
            ) from error

    def _decode(self, problem_id: str) -> Problem:
        offset, length, line = self._places[problem_id]
        where = f"{self.path}:{line}"
        if self._file is None:
            raise DataError("the file of problems is closed", where)
        state = os.fstat(self._file.fileno())
        if self._unchanged not in (None, (state.st_size, state.st_mtime_ns)):
            raise DataError("the file was changed since it was opened; start again", where)
        raw = _read_at(self._file.fileno(), offset, length)
        problem = problem_from(jsontext.parse(raw), where=where, format=self._format)
        if problem.problem_id != problem_id:
            raise DataError("the file was changed since it was opened; start again", where)
        return problem


def _read_at(fd: int, offset: int, length: int) -> bytes:
    # pread keeps no position, so threads and forks that share the descriptor do not disturb it.
    # One call gives at most 2 GiB.
    parts: list[bytes] = []
    while length > 0:
        part = os.pread(fd, length, offset)
        if not part:
            break
        parts.append(part)
        offset, length = offset + len(part), length - len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)
