"""Figures that only the report has: distributions, reasons, and the results of each test."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from microcoder_eval.html import Histogram
from microcoder_eval.records import Judgement, Status, TestResult, Verdict
from microcoder_sandbox import record

from .reasons import find_reason

MAX_REASONS = 1000
SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
MEBIBYTES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0)


@record
class ProblemFigures:
    """How the solutions of a problem did. failures, runs: how many each test has, in order."""

    problem_id: str
    accepted: int
    judged: int
    failures: array[int]
    runs: array[int]


@dataclass(slots=True)
class Figures:
    """Counts of judgements; their memory grows with the number of tests only.

    methods: how many answers each comparison method accepted. reasons: how many programs failed by
    (verdict, reason), up to MAX_REASONS of them.
    """

    times: Histogram = field(default_factory=lambda: Histogram(SECONDS))
    memory: Histogram = field(default_factory=lambda: Histogram(MEBIBYTES))
    methods: Counter[str] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    _tests: dict[str, tuple[array[int], array[int]]] = field(default_factory=dict)
    _judged: Counter[str] = field(default_factory=Counter)
    _accepted: Counter[str] = field(default_factory=Counter)

    def add(self, judgement: Judgement) -> None:
        """Count one judgement, unless it is JE."""
        if judgement.status is Status.ERROR:
            return
        is_accepted = judgement.verdict is Verdict.AC
        self._judged[judgement.problem_id] += 1
        self._accepted[judgement.problem_id] += is_accepted
        self._count_reason(judgement)
        results = judgement.tests_run
        if not results:
            return
        self.times.add(max(test.cpu_s for test in results), is_accepted)
        peak = find_peak_memory(results)
        if peak is not None:
            self.memory.add(peak, is_accepted)
        self.methods.update(test.matched_by for test in results if test.matched_by)
        self._count_tests(judgement)

    def _count_reason(self, judgement: Judgement) -> None:
        reason = find_reason(judgement)
        if reason is None:
            return
        key = str(judgement.verdict), reason
        if key not in self.reasons and len(self.reasons) >= MAX_REASONS:
            key = str(judgement.verdict), "another reason"  # programs choose names of exceptions
        self.reasons[key] += 1

    def _count_tests(self, judgement: Judgement) -> None:
        failed_counts, run_counts = self._tests.setdefault(
            judgement.problem_id, (array("I"), array("I"))
        )
        missing_count = len(judgement.tests) - len(run_counts)
        if missing_count > 0:
            failed_counts.extend([0] * missing_count)
            run_counts.extend([0] * missing_count)
        for index, test in enumerate(judgement.tests):
            if test.verdict is not None:
                run_counts[index] += 1
                failed_counts[index] += test.verdict is not Verdict.AC

    def list_problems(self) -> list[ProblemFigures]:
        """Return the figures of all problems, in the order of their first judgement."""
        nothing: tuple[array[int], array[int]] = array("I"), array("I")
        return [
            ProblemFigures(name, self._accepted[name], judged, *self._tests.get(name, nothing))
            for name, judged in self._judged.items()
        ]


def find_peak_memory(results: Sequence[TestResult]) -> float | None:
    """Return the MiB of the largest test; None if no test has a measurement."""
    sizes = [test.memory_mb for test in results if test.memory_mb is not None]
    return max(sizes, default=None)
