"""What is known of earlier results, in two integers each: where they lie in the journal."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from hashlib import blake2b

from microcoder_eval.errors import DataError
from microcoder_eval.outputs import OutputError
from microcoder_eval.records import Judgement, Verdict
from microcoder_eval.results import judgement_from_line

# Reads the line at an (offset, length) of the journal.
Read = Callable[[int, int], bytes]


class Places:
    """Where the result of each solution lies in the journal, by its place in the input."""

    def __init__(self) -> None:
        self._offsets = array("q")
        self._lengths = array("q")

    def put(self, position: int, place: tuple[int, int]) -> None:
        """Note the (offset, length) of the solution at ``position``."""
        missing = position + 1 - len(self._offsets)
        if missing > 0:
            self._offsets.extend([-1] * missing)
            self._lengths.extend([0] * missing)
        self._offsets[position], self._lengths[position] = place

    def __contains__(self, position: int) -> bool:
        return position < len(self._offsets) and self._offsets[position] >= 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for offset, length in zip(self._offsets, self._lengths, strict=True):
            if offset >= 0:
                yield offset, length


class Index:
    """Results of earlier runs by problem and solution; a later line wins, but JE over nothing."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._found: dict[bytes, tuple[int, int, bool]] = {}

    def add(self, offset: int, line: bytes, name: str) -> None:
        """Take in one line of the journal."""
        judgement = read_result(line, f"{name}, at byte {offset}")
        if self.wants(judgement):
            self.place(judgement, offset, len(line))

    def wants(self, judgement: Judgement) -> bool:
        """Whether this result is news: nothing is known of the solution, or only a JE."""
        known = self._found.get(_key(judgement.problem_id, judgement.solution_id))
        return known is None or (known[2] and judgement.verdict is not Verdict.JE)

    def place(self, judgement: Judgement, offset: int, length: int) -> None:
        """Remember where this result lies."""
        key = _key(judgement.problem_id, judgement.solution_id)
        self._found[key] = (offset, length, judgement.verdict is Verdict.JE)

    def take(self, problem_id: str, solution_id: str) -> tuple[Judgement, tuple[int, int]] | None:
        """The known result of a solution and its place, once; None when there is none."""
        known = self._found.pop(_key(problem_id, solution_id), None)
        if known is None:
            return None
        offset, length, _ = known
        return judgement_from_line(self._read(offset, length)), (offset, length)

    def left(self) -> Judgement | None:
        """A result that nobody has taken, if any."""
        for offset, length, _ in self._found.values():
            return judgement_from_line(self._read(offset, length))
        return None

    def __len__(self) -> int:
        return len(self._found)


def _key(problem_id: str, solution_id: str) -> bytes:
    # 16 bytes for each solution instead of two texts: a million of them fit in 150 MB.
    both = f"{len(problem_id)}:{problem_id}{solution_id}"
    return blake2b(both.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def read_result(line: bytes, where: str) -> Judgement:
    """A line this program wrote. Raises OutputError when it is something else."""
    try:
        return judgement_from_line(line)
    except DataError as error:
        raise OutputError(
            f"{where}: not a result of this program ({error.message}); "
            "--resume needs a file that microcoder-eval wrote; choose another name for -o"
        ) from error
