"""Where result lines are in the journal, as two integers for each.

Those of this run are found by position, those of earlier runs by problem and solution.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator

from microcoder_eval.errors import DataError
from microcoder_eval.records import Judgement, Verdict, solution_key
from microcoder_sandbox import record

from .files import Extent, OutputError
from .lines import judgement_from_line

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
