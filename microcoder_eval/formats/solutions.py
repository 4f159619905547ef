"""Streams solutions from a file, and reports each line that cannot be used."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.log import get_logger
from microcoder_eval.records import Solution, solution_key

from . import error_text, native, registry
from .datasets import usual_names
from .datasets.format import Problems
from .lines import SOLUTION_KEYS
from .misplaced import find_misspelt_solution_keys
from .plain_files import is_program, list_problem_names, list_programs, make_program_row
from .problems import DEFAULT_MAX_LINE_MB, ProblemSet
from .source import (
    STDIN,
    BadLine,
    SourceRow,
    check_readable,
    convert_read_errors,
    make_bad_line,
    open_source,
)

_log = get_logger("formats")


def solution_from(
    obj: Mapping[str, Any],
    *,
    default_id: str | None = None,
    format: str | None = None,
    language: str = "python",
    problems: Problems | None = None,
) -> Solution:
    """Read the one solution of a decoded object, in any known format. Raises DataError.

    default_id, language: the solution's name and language if the object has none. problems: whose
    prompts a completion continues.
    """
    row_format = registry.detect_solution_format(_check_object(obj), format)
    rows = row_format.rewrite_solutions(obj, problems)
    if len(rows) != 1:
        raise DataError(f"{len(rows)} solutions in one object; read them with read_solutions")
    return native.parse_solution(rows[0], default_id, language)


def _check_object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise error_text.wrong_value("a solution must be an object", value)
    return value


def read_solutions(
    paths: str | os.PathLike[str] | Sequence[str],
    problems: ProblemSet | None,
    *,
    format: str | None = None,
    max_line_mb: float = DEFAULT_MAX_LINE_MB,
    language: str = "python",
) -> Iterator[Solution | BadLine]:
    """Read the solutions of files (JSONL or one JSON array, plain, .gz or .zst) in their order.
    A program is such a file, too; of a folder the programs in it are read.

    problems: those that a solution may name, None for any. language: the language of solutions that
    name none. Raises DataError at once if the file cannot be read or the format does not exist, and
    while iterating if the file is corrupt or empty.
    """
    if format is not None:
        registry.get_format(format)
    folders = [os.fspath(paths)] if isinstance(paths, str | os.PathLike) else paths
    names = [name for folder in folders for name in list_programs(folder)]
    for name in names:
        check_readable(name)
    reader = SolutionReader(names[0], problems, format, language)
    return _stream_solutions(reader, names, int(max_line_mb * 2**20))


def _stream_solutions(
    reader: SolutionReader, paths: Iterable[str], max_bytes: int
) -> Iterator[Solution | BadLine]:
    for path in paths:
        reader.path = path
        empty = True
        for row in _read_rows(path, reader.problems, max_bytes):
            empty = False
            yield from reader.read_row(row)
        if empty:
            place = "standard input" if path == STDIN else path
            raise DataError(f"no solution in {place}: the file is empty")


def _read_rows(path: str, problems: ProblemSet | None, max_bytes: int) -> Iterator[SourceRow]:
    if is_program(path):
        names = list_problem_names(path)
        problem_id = names[0] if problems is None else problems.choose(names)
        with convert_read_errors(path):
            try:
                row = SourceRow(0, 0, make_program_row(path, problem_id))
            except DataError as error:
                row = SourceRow(0, 0, b"", fault=error.message)
        yield row
        return
    with open_source(path) as source:
        yield from source.read_rows(max_bytes)


@dataclass(slots=True)
class SolutionReader:
    """Reads solutions row by row.

    counts: solutions of each problem so far, which number those without a name.
    keys: see ``solution_key``; they show duplicates.
    known_keys: the keys of rows that were looked at so far.
    """

    path: str
    problems: ProblemSet | None
    format: str | None
    language: str = "python"
    counts: Counter[str] = field(default_factory=Counter)
    keys: set[bytes] = field(default_factory=set)
    known_keys: set[str] = field(default_factory=lambda: set(SOLUTION_KEYS))

    def read_row(self, row: SourceRow) -> Iterator[Solution | BadLine]:
        """Read the solutions of one row; a fault becomes a BadLine."""
        try:
            obj = _check_object(row.parse())
            row_format = registry.detect_solution_format(obj, self.format)
        except DataError as error:
            yield make_bad_line(self.path, row, error.message)
            return
        if row_format is native.FORMAT:
            self._warn_of_misspelt_keys(row, obj)
        try:
            rows = row_format.rewrite_solutions(obj, self.problems)
        except DataError as error:
            self._next_id(row_format.find_name(obj))
            yield make_bad_line(self.path, row, error.message)
            return
        for fields in rows:
            yield self._build_solution(row, fields)

    def _warn_of_misspelt_keys(self, row: SourceRow, obj: Mapping[str, Any]) -> None:
        """Log keys that stand for one of ours, or are close to one and not read, once each."""
        if self.known_keys >= obj.keys():
            return
        names = usual_names.find_solution_names(obj)
        renamed = [(name, f'"{name}" is read as "{our}"') for name, our in names.items()]
        for key, sentence in (*renamed, *find_misspelt_solution_keys(obj)):
            if key not in self.known_keys:
                _log.warning("%s:%d: %s", self.path, row.line, sentence)
        self.known_keys.update(obj)

    def _build_solution(self, row: SourceRow, obj: Mapping[str, Any]) -> Solution | BadLine:
        default_id = self._next_id(obj.get("problem_id"))
        try:
            solution = native.parse_solution(obj, default_id, self.language)
            if self.problems is not None:
                absence = self.problems.explain_absence(solution.problem_id)
                if absence is not None:
                    raise DataError(absence)
            self._refuse_duplicate(solution)
        except DataError as error:
            return make_bad_line(self.path, row, error.message)
        return solution

    def _next_id(self, problem_id: object) -> str | None:
        # Bad lines count, so that a line repaired later does not rename those after it.
        if not isinstance(problem_id, str):
            return None
        self.counts[problem_id] += 1
        return f"{problem_id}#{self.counts[problem_id]}"

    def _refuse_duplicate(self, solution: Solution) -> None:
        key = solution_key(solution.problem_id, solution.solution_id)
        if key in self.keys:
            raise DataError(
                f'problem "{error_text.shorten(solution.problem_id, 80)}" has a solution '
                f'"{error_text.shorten(solution.solution_id, 80)}" already; give each its own '
                '"solution_id"'
            )
        self.keys.add(key)
