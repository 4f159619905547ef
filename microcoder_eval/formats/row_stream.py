"""Streams the records of a file of problems or of solutions, with the checks of the judge.

The first row that a format recognises by its keys decides which of the two the file holds.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.records import Problem, Solution

from . import error_text, registry
from .problems import DEFAULT_MAX_LINE_MB, ProblemReader, ProblemSet
from .solutions import SolutionReader
from .source import BadLine, SourceRow, make_bad_line, open_file_or_packages


class Records:
    """The records of a file in its order, or the problems in a folder of packages. It reads the
    file once, so that may be a pipe.

    problems: those that samples continue and solutions may name, None if they may name any.
    record_type, format: what was recognised; None before the first recognised row.
    warnings: those of the rows read so far, as a ProblemSet has them.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        problems: ProblemSet | None = None,
        *,
        format: str | None = None,
        max_line_mb: float = DEFAULT_MAX_LINE_MB,
    ) -> None:
        """Raise DataError if the format does not exist."""
        self.path = os.fspath(path)
        self.record_type: registry.RecordType | None = None
        self.format: str | None = None
        self._formats = [registry.get_format(format)] if format is not None else registry.FORMATS
        self._max_bytes = int(max_line_mb * 2**20)
        self._solutions = SolutionReader(self.path, problems, format)
        self._reader = ProblemReader(format)
        self.warnings = self._reader.warnings

    def __iter__(self) -> Iterator[Problem | Solution | BadLine]:
        """Yield the records. Raises DataError if the file cannot be read, is corrupt or empty."""
        empty = True
        with open_file_or_packages(self.path) as source:
            for row in source.read_rows(self._max_bytes):
                empty = False
                yield from self._read_row(row)
        if empty:
            raise DataError("the file is empty", self.path)

    def _read_row(self, row: SourceRow) -> Iterator[Problem | Solution | BadLine]:
        try:
            if self.record_type is None:
                self._recognise(row.parse())
            if self.record_type == "problems":
                yield self._read_problem(row)
                return
        except DataError as error:
            yield make_bad_line(self.path, row, error.message)
            return
        yield from self._solutions.read_row(row)

    def _recognise(self, value: Any) -> None:
        if not isinstance(value, Mapping):
            raise error_text.wrong_value("a problem or solution must be an object", value)
        if (recognised := registry.recognise_row(value, self._formats)) is not None:
            self.record_type, row_format = recognised
            self.format = row_format.name
            return
        wanted = (
            f'format "{self._formats[0].name}"' if len(self._formats) == 1 else "a known format"
        )
        raise DataError(
            f"neither a problem nor a solution of {wanted} ({error_text.describe_keys(value)}); "
            'in our own, problems need "problem_id" and "tests", solutions "problem_id" and "code"'
        )

    def _read_problem(self, row: SourceRow) -> Problem:
        problem = self._reader.read(row.parse(), row.line)
        self._reader.lines[problem.problem_id] = row.line
        return problem
