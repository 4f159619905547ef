"""Where result lines are in the journal, as two integers for each.

Those of this run are found by position, those of earlier runs by problem and solution.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator

from microcoder_eval.errors import DataError
from microcoder_eval.records import Judgement, Verdict, solution_key

from .files import OutputError
from .lines import judgement_from_line

# Reads the line at an (offset, length) of the journal.
ReadLine = Callable[[int, int], bytes]


class LineOffsets:
    """(offset, length) of each solution's result in the journal, by its position in the input."""

    def __init__(self) -> None:
        self._offsets = array("q")
        self._lengths = array("q")

    def record(self, position: int, location: tuple[int, int]) -> None:
        """Store the (offset, length) of the solution at ``position``."""
        missing_count = position + 1 - len(self._offsets)
        if missing_count > 0:
            self._offsets.extend([-1] * missing_count)
            self._lengths.extend([0] * missing_count)
        self._offsets[position], self._lengths[position] = location

    def __contains__(self, position: int) -> bool:
        return position < len(self._offsets) and self._offsets[position] >= 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for offset, length in zip(self._offsets, self._lengths, strict=True):
            if offset >= 0:
                yield offset, length


class Index:
    """Results of earlier runs by problem and solution. The first result that is not JE counts, else
    a JE."""

    def __init__(self, read: ReadLine) -> None:
        self._read = read
        self._entries: dict[bytes, tuple[int, int, bool]] = {}

    def add(self, judgement: Judgement, offset: int, length: int) -> None:
        """Store where the line of this result is, unless an earlier result counts."""
        if self.is_new(judgement):
            key = solution_key(judgement.problem_id, judgement.solution_id)
            self._entries[key] = (offset, length, judgement.verdict is Verdict.JE)

    def is_new(self, judgement: Judgement) -> bool:
        """Whether the index has no result of the solution, or a JE that this one replaces."""
        entry = self._entries.get(solution_key(judgement.problem_id, judgement.solution_id))
        return entry is None or (entry[2] and judgement.verdict is not Verdict.JE)

    def pop(self, problem_id: str, solution_id: str) -> tuple[Judgement, tuple[int, int]] | None:
        """Remove and return the result of a solution and its (offset, length), if there is one."""
        entry = self._entries.pop(solution_key(problem_id, solution_id), None)
        if entry is None:
            return None
        offset, length, _ = entry
        return judgement_from_line(self._read(offset, length)), (offset, length)

    def find_remaining(self) -> Judgement | None:
        """Return one of the results that were not popped, if any."""
        for offset, length, _ in self._entries.values():
            return judgement_from_line(self._read(offset, length))
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
