"""Streams solutions from a file, telling each line that cannot be used."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import jsontext, native, registry, words
from microcoder_eval.formats.badline import BadLine, bad_line
from microcoder_eval.formats.problems import DEFAULT_MAX_LINE_MB, ProblemSet
from microcoder_eval.formats.source import Row, check_readable, open_source
from microcoder_eval.records import Solution


def solution_from(
    obj: Mapping[str, Any],
    *,
    where: str = "",
    default_id: str | None = None,
    format: str | None = None,
) -> Solution:
    """The one solution in one decoded object, in any known format. Raises DataError.

    default_id: its name where the object gives none. A completion that continues its problem's
    prompt needs read_solutions.
    """
    try:
        known = registry.format_of_solution(_object(obj), format)
        rows = known.solutions(obj, None)
        if len(rows) != 1:
            raise DataError(f"{len(rows)} solutions in one object; read them with read_solutions")
        return native.solution(rows[0], default_id)
    except DataError as error:
        raise DataError(error.message, where) from None


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise DataError(f"a solution must be an object, not {words.described(value)}")
    return value


def read_solutions(
    path: str | os.PathLike[str],
    problems: ProblemSet | None,
    *,
    format: str | None = None,
    max_line_mb: float = DEFAULT_MAX_LINE_MB,
    language: str = "python",
) -> Iterator[Solution | BadLine]:
    """The solutions of a file (JSONL or one JSON array, plain, .gz or .zst), in its order.

    problems: what a solution may name; None accepts any. language: of those that name none. Raises
    DataError when the file cannot be read or the format does not exist (at once), is corrupt or
    holds nothing (while iterating).
    """
    if format is not None:
        registry.format_named(format)
    check_readable(path)
    reader = SolutionReader(os.fspath(path), problems, format, language)
    return _stream(reader, int(max_line_mb * 2**20))


def _stream(reader: SolutionReader, max_bytes: int) -> Iterator[Solution | BadLine]:
    empty = True
    with open_source(reader.path) as source:
        for row in source.rows(max_bytes):
            empty = False
            yield from reader.read(row)
    if empty:
        raise DataError(f"no solution in {reader.path}: the file is empty")


@dataclass(slots=True)
class SolutionReader:
    """Reads row after row, and remembers what must be."""

    path: str
    problems: ProblemSet | None
    format: str | None
    language: str = "python"
    counts: Counter[str] = field(default_factory=Counter)
    seen: set[bytes] = field(default_factory=set)

    def read(self, row: Row) -> Iterator[Solution | BadLine]:
        """What one row holds. Raises nothing."""
        if row.fault is not None:
            yield bad_line(self.path, row, row.fault)
            return
        try:
            obj = _object(jsontext.parse(row.raw))
            known = registry.format_of_solution(obj, self.format)
        except DataError as error:
            yield bad_line(self.path, row, error.message)
            return
        try:
            found = known.solutions(obj, self.problems)
        except DataError as error:
            self._next_id(known.name_in(obj))
            yield bad_line(self.path, row, error.message)
            return
        for one in found:
            yield self._solution(row, one)

    def _solution(self, row: Row, obj: Mapping[str, Any]) -> Solution | BadLine:
        default_id = self._next_id(obj.get("problem_id"))
        try:
            solution = native.solution(obj, default_id, self.language)
            self._check_problem(solution.problem_id)
            self._check_new(solution)
        except DataError as error:
            return bad_line(self.path, row, error.message)
        return solution

    def _next_id(self, problem_id: object) -> str | None:
        # Bad lines count too: a line that is repaired later must not rename those after it.
        if not isinstance(problem_id, str):
            return None
        self.counts[problem_id] += 1
        return f"{problem_id}#{self.counts[problem_id]}"

    def _check_problem(self, problem_id: str) -> None:
        reason = self.problems.why_not(problem_id) if self.problems is not None else None
        if reason is not None:
            raise DataError(reason)

    def _check_new(self, solution: Solution) -> None:
        # A digest, not the names: files have millions of lines and names can be long.
        names = f"{len(solution.problem_id)}:{solution.problem_id}{solution.solution_id}"
        key = hashlib.blake2b(names.encode(), digest_size=16).digest()
        if key in self.seen:
            raise DataError(
                f'problem "{words.brief(solution.problem_id, 80)}" has a solution '
                f'"{words.brief(solution.solution_id, 80)}" already; give each its own '
                '"solution_id"'
            )
        self.seen.add(key)
