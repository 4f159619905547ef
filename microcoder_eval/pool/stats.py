"""Counts of what a judge has done and is doing, for logs, alarms and the server's metrics."""

from __future__ import annotations

from dataclasses import replace

from microcoder_eval.forksafe import ForkSafeLock
from microcoder_eval.records import Judgement, Status, Verdict
from microcoder_sandbox import record


@record
class JudgeStats:
    """The state of a judge at one moment. The counts are of this process since the judge started.

    workers: processes that judge.
    busy_workers: those that have a task.
    queue_depth: tasks that wait for a worker.
    judgements: results so far, those of reused programs included.
    failures: of these, how many are JE.
    latency_s: seconds from a submission to its result, summed over the judgements.
    tle_s: wall seconds of tests that exceeded their limit.
    looked_up: judgements of earlier runs (``cache``).
    """

    workers: int = 0
    busy_workers: int = 0
    queue_depth: int = 0
    judgements: int = 0
    failures: int = 0
    latency_s: float = 0.0
    tle_s: float = 0.0
    looked_up: int = 0


class StatsCounter:
    """Sums over judgements. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = ForkSafeLock()
        self._sums = JudgeStats()

    def add(self, judgement: Judgement, latency_s: float) -> None:
        """Count one judgement."""
        tle_s = sum([test.wall_s for test in judgement.tests if test.verdict is Verdict.TLE])
        with self._lock:
            sums = self._sums
            self._sums = replace(
                sums,
                judgements=sums.judgements + 1,
                failures=sums.failures + (judgement.status is Status.ERROR),
                latency_s=sums.latency_s + latency_s,
                tle_s=sums.tle_s + tle_s,
            )

    def count_look_up(self) -> None:
        """Count one judgement that an earlier run has made."""
        with self._lock:
            self._sums = replace(self._sums, looked_up=self._sums.looked_up + 1)

    def make_stats(self, workers: int, outstanding: int, queued: int) -> JudgeStats:
        """Return the sums, with the state of a pool. outstanding: tasks that are not done. queued:
        tasks that no worker has."""
        busy_workers = max(0, min(workers, outstanding - queued))
        return replace(self._sums, workers=workers, busy_workers=busy_workers, queue_depth=queued)
