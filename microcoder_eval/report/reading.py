"""Reads the results and programs of files, and joins them by problem and solution."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from microcoder_eval.errors import DataError
from microcoder_eval.formats import BadLine
from microcoder_eval.formats.source import make_bad_line, open_source
from microcoder_eval.records import Judgement, Solution, Verdict, solution_key
from microcoder_eval.results.files import Extent
from microcoder_eval.results.lines import judgement_from_line

from .spool import Spool


def read_results(path: str, max_bytes: int, add: Callable[[Judgement], None]) -> Iterator[BadLine]:
    """Give each result of a file to ``add``; yield the lines that cannot be used, those for which
    ``add`` raises DataError included."""
    with open_source(path) as source:
        for row in source.read_rows(max_bytes):
            try:
                if row.fault is not None:
                    raise DataError(row.fault)
                add(judgement_from_line(row.raw))
            except DataError as error:
                yield make_bad_line(path, row, error.message)


class Results:
    """The results of a file, one for each solution. A later line replaces an earlier JE."""

    def __init__(self) -> None:
        self._spool = Spool()
        self._entries: dict[bytes, tuple[Extent, Verdict]] = {}

    def read(self, path: str, max_bytes: int) -> Iterator[BadLine]:
        """Read a file; yield the lines that cannot be used."""
        return read_results(path, max_bytes, self._add)

    def _add(self, judgement: Judgement) -> None:
        key = solution_key(judgement.problem_id, judgement.solution_id)
        if key in self._entries and self._entries[key][1] is not Verdict.JE:
            raise DataError("a second result of the same solution; the first one counts")
        self._entries[key] = self._spool.put(judgement), judgement.verdict

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Judgement]:
        for extent, _ in self._entries.values():
            yield self._spool.get(extent)


class Programs:
    """Solutions by name, with their positions in the file."""

    def __init__(self) -> None:
        self._spool = Spool()
        self._extents: dict[bytes, tuple[int, Extent]] = {}

    def __len__(self) -> int:
        return len(self._extents)

    def add(self, solution: Solution) -> None:
        """Add the next solution of the file."""
        key = solution_key(solution.problem_id, solution.solution_id)
        self._extents[key] = len(self._extents), self._spool.put(solution)

    def find(self, judgement: Judgement) -> tuple[int, Solution] | None:
        """Return the solution of a judgement and its position in the file, None if it is not
        there."""
        key = solution_key(judgement.problem_id, judgement.solution_id)
        if key not in self._extents:
            return None
        position, extent = self._extents[key]
        return position, self._spool.get(extent)
