"""Figures of a report beyond the summary's: distributions, the slowest, the tests most failed."""

from __future__ import annotations

import heapq
from array import array
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field

from microcoder_eval.records import Judgement, Status, TestResult, Verdict

LISTED = 15
SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
MEBIBYTES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0)


@dataclass(slots=True)
class Histogram:
    """Counts by size, of accepted solutions and of others.

    edges: the largest value of each bin; one more bin takes what is larger.
    """

    edges: tuple[float, ...]
    accepted: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.accepted = [0] * (len(self.edges) + 1)
        self.others = [0] * (len(self.edges) + 1)

    def add(self, value: float, accepted: bool) -> None:
        """Count one solution."""
        (self.accepted if accepted else self.others)[bisect_left(self.edges, value)] += 1

    @property
    def counted(self) -> int:
        """How many solutions are in it."""
        return sum(self.accepted) + sum(self.others)


@dataclass(frozen=True, slots=True)
class FailedTest:
    """A test by its number from 1, and how many of the programs that ran it did not pass it."""

    problem_id: str
    number: int
    failed: int
    ran: int


@dataclass(slots=True)
class Figures:
    """Counts as judgements come in; memory grows with the tests of the problems only."""

    times: Histogram = field(default_factory=lambda: Histogram(SECONDS))
    memory: Histogram = field(default_factory=lambda: Histogram(MEBIBYTES))
    matched: Counter[str] = field(default_factory=Counter)
    _slowest: list[tuple[float, int]] = field(default_factory=list)
    _tests: dict[str, tuple[array[int], array[int]]] = field(default_factory=dict)

    def add(self, position: int, judgement: Judgement) -> None:
        """Count one judgement; the judge's own failures say nothing of a program."""
        ran = [test for test in judgement.tests if test is not None]
        if judgement.status is Status.ERROR or not ran:
            return
        passed = judgement.verdict is Verdict.AC
        self.times.add(max(test.cpu_s for test in ran), passed)
        peak = peak_memory(ran)
        if peak is not None:
            self.memory.add(peak, passed)
        self.matched.update(test.matched_by for test in ran if test.matched_by)
        entry = (max(test.cpu_s for test in ran), -position)  # of equals, the first in the file
        if len(self._slowest) < LISTED:
            heapq.heappush(self._slowest, entry)
        else:
            heapq.heappushpop(self._slowest, entry)
        self._count_tests(judgement)

    def _count_tests(self, judgement: Judgement) -> None:
        failed, ran = self._tests.setdefault(judgement.problem_id, (array("I"), array("I")))
        missing = len(judgement.tests) - len(ran)
        if missing > 0:
            failed.extend([0] * missing)
            ran.extend([0] * missing)
        for index, test in enumerate(judgement.tests):
            if test is not None:
                ran[index] += 1
                failed[index] += test.verdict is not Verdict.AC

    def slowest(self) -> list[tuple[int, float]]:
        """(position, CPU seconds of its slowest test), the slowest solution first."""
        return [(-position, seconds) for seconds, position in sorted(self._slowest, reverse=True)]

    def most_failed(self) -> list[FailedTest]:
        """The tests that most programs did not pass."""
        found = (
            FailedTest(problem_id, index + 1, failed[index], ran[index])
            for problem_id, (failed, ran) in self._tests.items()
            for index in range(len(failed))
            if failed[index]
        )
        order = lambda test: (-test.failed, -test.failed / test.ran, test.problem_id, test.number)  # noqa: E731
        return heapq.nsmallest(LISTED, found, key=order)


def peak_memory(ran: list[TestResult]) -> float | None:
    """MiB of the largest test; None where it was measured for none."""
    known = [test.memory_mb for test in ran if test.memory_mb is not None]
    return max(known, default=None)
