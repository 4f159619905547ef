"""Streams the records of one file, problems or solutions, told apart by the keys of the first row
that either recognises. What the judge would say of a bad line is said here."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import jsontext, registry, words
from microcoder_eval.formats.badline import BadLine, bad_line
from microcoder_eval.formats.problems import DEFAULT_MAX_LINE_MB, ProblemSet, problem_from
from microcoder_eval.formats.solutions import SolutionReader
from microcoder_eval.formats.source import Row, open_source
from microcoder_eval.records import Problem, Solution


class Holds(StrEnum):
    """What a file holds."""

    PROBLEMS = "problems"
    SOLUTIONS = "solutions"


class Records:
    """The records of a file, in its order, each read once (a pipe will do).

    problems: what samples continue and solutions may name; None: any. holds, format: what was
    recognised so far, None before.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        problems: ProblemSet | None = None,
        *,
        format: str | None = None,
        max_line_mb: float = DEFAULT_MAX_LINE_MB,
    ) -> None:
        """Raises DataError when the format does not exist."""
        self.path = os.fspath(path)
        self.holds: Holds | None = None
        self.format: str | None = None
        self._asked = [registry.format_named(format)] if format is not None else registry.FORMATS
        self._forced = format
        self._max_bytes = int(max_line_mb * 2**20)
        self._solutions = SolutionReader(self.path, problems, format)
        self._lines: dict[str, int] = {}  # of the problems read

    def __iter__(self) -> Iterator[Problem | Solution | BadLine]:
        """Raises DataError when the file cannot be read, is corrupt or holds nothing."""
        empty = True
        with open_source(self.path) as source:
            for row in source.rows(self._max_bytes):
                empty = False
                yield from self._read(row)
        if empty:
            raise DataError("the file is empty", self.path)

    def _read(self, row: Row) -> Iterator[Problem | Solution | BadLine]:
        try:
            if row.fault is not None:
                raise DataError(row.fault)
            if self.holds is None:
                self._recognise(jsontext.parse(row.raw))
            if self.holds is Holds.PROBLEMS:
                yield self._problem(row)
                return
        except DataError as error:
            yield bad_line(self.path, row, error.message)
            return
        yield from self._solutions.read(row)

    def _recognise(self, value: Any) -> None:
        if not isinstance(value, Mapping):
            raise DataError(
                f"a problem or solution must be an object, not {words.described(value)}"
            )
        for known in self._asked:
            # A row of some sets is a problem with its reference solution: a problem first.
            if known.holds_problem(value):
                self.holds, self.format = Holds.PROBLEMS, known.name
                return
        for known in self._asked:
            if known.holds_solution(value):
                self.holds, self.format = Holds.SOLUTIONS, known.name
                return
        names = ", ".join(known.name for known in self._asked)
        raise DataError(
            f"neither a problem nor a solution of a known format ({words.keys_of(value)}); "
            f"known: {names}; docs/formats.md says by which keys"
        )

    def _problem(self, row: Row) -> Problem:
        problem = problem_from(jsontext.parse(row.raw), format=self._forced)
        name = problem.problem_id
        if name in self._lines:
            raise DataError(
                f'problem "{words.brief(name, 80)}" is here a second time '
                f"(first on line {self._lines[name]}); this line is ignored"
            )
        self._lines[name] = row.line
        return problem
