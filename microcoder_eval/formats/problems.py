"""A file of problems, which is not held in memory.

Opening reads and checks every line once, and stores where it starts; ``get`` decodes a problem.
Lines that cannot be read again in place (compressed files, pipes, arrays) are copied to an
unlinked temporary file.
"""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, BinaryIO

from microcoder_eval.errors import DataError
from microcoder_eval.forksafe import ForkSafeLock
from microcoder_eval.lru import LruCache
from microcoder_eval.misfits import is_escaped_twice
from microcoder_eval.records import Kind, Problem

from . import error_text, jsontext, native, registry
from .datasets import unread
from .misplaced import find_misplaced_keys
from .source import BadLine, Source, SourceRow, make_bad_line, open_file_or_packages

Check = Callable[[Problem], None]
CACHE_BYTES = 128 << 20
DEFAULT_MAX_LINE_MB = 1024
_OBJECT_BYTES = 60  # a small object and the reference to it: a rough mean over int, float, str
_MAX_COMPARED = 20  # missing names for which the closest name in the file is found


def problem_from(obj: Mapping[str, Any], *, where: str = "", format: str | None = None) -> Problem:
    """Read the problem of a decoded object, in any known format. Raises DataError."""
    try:
        if not isinstance(obj, Mapping):
            raise error_text.wrong_value("a problem must be an object", obj)
        return native.parse_problem(registry.rewrite_problem(obj, format)[1])
    except DataError as error:
        raise DataError(error.message, where) from None


def open_problems(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    max_line_mb: float = DEFAULT_MAX_LINE_MB,
    check: Check | None = None,
) -> ProblemSet:
    """Index a file of problems (JSONL or one JSON array, plain, .gz or .zst), or a folder of
    problem packages.

    check: called with each problem; raises DataError for one that the caller cannot use.
    ``bad`` of the result has the lines that cannot be used. Raises DataError if the file cannot
    be read or is empty, or the format does not exist.
    """
    if format is not None:
        registry.get_format(format)
    problems = ProblemSet(os.fspath(path), format, check)
    try:
        with open_file_or_packages(path) as source:
            problems._read_source(source, int(max_line_mb * 2**20))
    except BaseException:
        problems.close()
        raise
    return problems


class ProblemReader:
    """Reads decoded rows as problems, each name once.

    lines: the line of each problem so far, by name; the caller adds those that it can use.
    warnings: what was read and probably meant otherwise, with the first line that has it.
    """

    def __init__(self, format: str | None) -> None:
        self.lines: dict[str, int] = {}
        self.warnings: dict[str, int] = {}
        self._format = format

    def read(self, value: Any, line: int) -> Problem:
        """Return the problem of a row. Raises DataError, also for a name that is known."""
        problem = problem_from(value, format=self._format)
        self.refuse_duplicate(problem.problem_id)
        for warning in (*find_warnings(value, self._format), *_warn_of_texts(problem)):
            self.warnings.setdefault(warning, line)
        return problem

    def refuse_duplicate(self, name: str | None) -> None:
        """Raise DataError for the name of an earlier problem."""
        if name in self.lines:
            raise DataError(
                f'problem "{error_text.shorten(name, 80)}" is here a second time '
                f"(first on line {self.lines[name]}); this line is ignored"
            )


class ProblemSet:
    """Problems by name, in the order of their file, made by open_problems. Threads may share it.

    bad: the lines that could not be used. warnings: what was read and probably meant otherwise,
    with the first line that has it.
    """

    def __init__(self, path: str, format: str | None, check: Check | None = None) -> None:
        self.path = path
        self.bad: list[BadLine] = []
        self._format = format
        self._reader = ProblemReader(format)
        self.warnings = self._reader.warnings
        self._check = check
        self._locations: dict[str, tuple[int, int]] = {}  # offset, length
        self._unusable: dict[str, str] = {}
        self._absence_count = 0
        self._cache: LruCache[str, Problem] = LruCache(max_weight=CACHE_BYTES)
        self._lock = ForkSafeLock()
        self._file: BinaryIO | None = None
        self._file_state: tuple[int, int] | None = None

    @property
    def ids(self) -> list[str]:
        """The names of the usable problems, in file order."""
        return list(self._locations)

    def __len__(self) -> int:
        return len(self._locations)

    def __iter__(self) -> Iterator[str]:
        return iter(self._locations)

    def __contains__(self, problem_id: object) -> bool:
        return problem_id in self._locations

    def get(self, problem_id: str) -> Problem:
        """Return the problem with this name. Raises DataError, which says why there is none."""
        reason = self.explain_absence(problem_id)
        if reason is not None:
            raise DataError(reason)
        with self._lock:
            problem = self._cache.get(problem_id)
            if problem is None:
                problem = self._decode(problem_id)
                self._cache.put(problem.problem_id, problem, estimate_bytes(problem))
            return problem

    def find(self, problem_id: str) -> Problem | None:
        """Return the problem with this name, if there is a usable one."""
        return self.get(problem_id) if problem_id in self else None

    @property
    def only_id(self) -> str | None:
        """The name of the usable problem of a file that has no other, not even a bad one."""
        return next(iter(self._locations)) if len(self) == 1 and not self.bad else None

    def choose(self, names: Sequence[str]) -> str:
        """Return the name of the only problem; else the first of ``names`` that a problem has,
        usable or not, or the first at all."""
        names_here = (name for name in names if name in self._locations or name in self._unusable)
        return self.only_id or next(names_here, names[0])

    def explain_absence(self, problem_id: str) -> str | None:
        """Return why ``get`` would fail for this name, or None."""
        if problem_id in self._locations:
            return None
        name = f'problem "{error_text.shorten(problem_id, 80)}"'
        if problem_id in self._unusable:
            return f"{name} is not usable: {self._unusable[problem_id]}"
        return f"{name} is not in {self.path}{self._name_example(problem_id)}"

    def _name_example(self, problem_id: str) -> str:
        """Return a name that is there, the closest of the first ones, and how many others are."""
        count = len(self._locations)
        names = list(islice(self._locations, 1000))
        if not names:
            return ", which has no usable problem"
        if self._absence_count < _MAX_COMPARED:  # it takes milliseconds
            self._absence_count += 1
            names = difflib.get_close_matches(problem_id[:80], names, 1, 0.0) or names
        others = f" and {count - 1} more" if count > 1 else ""
        return f', which has "{error_text.shorten(names[0], 80)}"{others}'

    def close(self) -> None:
        """Close the file; ``get`` then raises DataError."""
        with self._lock:
            self._cache.clear()
            if self._file is not None:
                with suppress(OSError):  # a full disk, which writing has reported
                    self._file.close()
                self._file = None

    def __enter__(self) -> ProblemSet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read_source(self, source: Source, max_bytes: int) -> None:
        try:
            if source.stable:
                # Keep a descriptor: the name may be given to another file later.
                self._file = open(os.dup(source.fileno()), "rb")
                state = os.fstat(self._file.fileno())
                self._file_state = (state.st_size, state.st_mtime_ns)
            else:
                self._file = tempfile.TemporaryFile()
            for row in source.read_rows(max_bytes):
                self._index_row(row)
            self._file.flush()
        except OSError as error:  # those of the source are DataErrors
            raise DataError(
                f"cannot be unpacked to {tempfile.gettempdir()}: {error.strerror}; "
                "set TMPDIR to a folder with more room",
                self.path,
            ) from error
        if not self._locations and not self.bad:
            raise DataError(f"no problem in {self.path}: the file is empty")

    def _index_row(self, row: SourceRow) -> None:
        name: str | None = None
        try:
            value = row.parse()
            name = self._find_problem_id(value)
            self._reader.refuse_duplicate(name)  # before parsing its tests, which may be large
            problem = self._reader.read(value, row.line)
            name = problem.problem_id
            if self._check is not None:
                self._check(problem)
        except DataError as error:
            self.bad.append(make_bad_line(self.path, row, error.message))
            if row.fault is not None:
                name = _find_faulty_package(row)
            if name is not None and name not in self._locations:
                reason = error.message.removeprefix(f'problem "{error_text.shorten(name, 80)}": ')
                reason = reason.removeprefix(f"{name}: ")
                self._unusable.setdefault(name, f"{reason} (line {row.line})")
            return
        self._unusable.pop(name, None)
        self._locations[name] = self._store_row(row), len(row.raw)
        self._reader.lines[name] = row.line
        self._cache.put(name, problem, estimate_bytes(problem))

    def _find_problem_id(self, value: Any) -> str | None:
        if not isinstance(value, Mapping):
            return None
        return registry.detect_problem_format(value, self._format).find_name(value)

    def _store_row(self, row: SourceRow) -> int:
        if self._file_state is not None:
            return row.offset
        assert self._file is not None
        offset = self._file.tell()
        self._file.write(row.raw)
        return offset

    def _decode(self, problem_id: str) -> Problem:
        offset, length = self._locations[problem_id]
        where = f"{self.path}:{self._reader.lines[problem_id]}"
        if self._file is None:
            raise DataError("the file of problems is closed", where)
        state = os.fstat(self._file.fileno())
        if self._file_state not in (None, (state.st_size, state.st_mtime_ns)):
            raise DataError("the file was changed since it was opened; start again", where)
        raw = _read_at(self._file.fileno(), offset, length)
        problem = problem_from(jsontext.parse(raw), where=where, format=self._format)
        if problem.problem_id != problem_id:
            raise DataError("the file was changed since it was opened; start again", where)
        return problem


def _find_faulty_package(row: SourceRow) -> str | None:
    """Return the name of a folder of tests or a package that cannot be used: its row holds nothing
    else. The row of a line is only its start."""
    try:
        value = jsontext.parse(row.raw)
    except DataError:
        return None
    return value.get("problem_id") if isinstance(value, Mapping) else None


def find_warnings(row: Mapping[str, Any], format: str | None) -> Iterable[str]:
    """Yield warnings about keys of a problem that its format does not read, or reads in part."""
    row_format = registry.detect_problem_format(row, format)
    if row_format is native.FORMAT:
        return find_misplaced_keys(row)
    keys = registry.find_unread_tests(row, row_format)
    unread_keys = [unread.describe_unread(keys, row_format)] if keys else []
    return [*unread_keys, *row_format.warn(row)]


def _warn_of_texts(problem: Problem) -> Iterator[str]:
    if problem.kind is not Kind.STDIN:
        return
    if all(test.input and is_escaped_twice(test.input) for test in problem.tests):
        yield (
            r'the line ends of the inputs are written as "\n", two characters: they were encoded '
            "twice"
        )
    if problem.interactor or "source" in (problem.checker or {}):
        return
    if not any(test.output.strip() for test in problem.tests):
        yield (
            'no test of the problem expects output: each "output" is empty, and a program that '
            "prints anything is wrong"
        )


def _read_at(fd: int, offset: int, length: int) -> bytes:
    # pread has no file position, which threads and forks would share. One call reads at most 2 GiB.
    parts: list[bytes] = []
    while length > 0:
        part = os.pread(fd, length, offset)
        if not part:
            break
        parts.append(part)
        offset, length = offset + len(part), length - len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def estimate_bytes(problem: Problem) -> int:
    """Estimate the memory of a problem in bytes."""
    total = 0
    pending: list[Any] = [[(test.input, test.output) for test in problem.tests], vars(problem)]
    while pending:  # not recursive: tests may be nested as deeply as JSON can be
        value = pending.pop()
        total += _OBJECT_BYTES
        if isinstance(value, str | bytes):
            total += len(value)
        elif isinstance(value, Mapping):
            pending += value.keys()
            pending += value.values()
        elif isinstance(value, list | tuple | set | frozenset):
            if {int, float, bool}.issuperset(map(type, value)):
                total += _OBJECT_BYTES * len(value)
            else:
                pending += value
    return total
