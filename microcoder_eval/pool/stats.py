"""Counts of what a judge has done and is doing, for logs, alarms and the server's metrics."""

from __future__ import annotations

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
    latency_s: seconds from a submission to its result, summed over the judgements; max_latency_s:
        the longest.
    tle_s: wall seconds of tests that exceeded their limit.
    looked_up: judgements of earlier runs (``cache``).
    """

    workers: int
    busy_workers: int
    queue_depth: int
    judgements: int
    failures: int
    latency_s: float
    max_latency_s: float
    tle_s: float
    looked_up: int = 0


class StatsCounter:
    """Sums over judgements. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = ForkSafeLock()
        self._judgements = self._failures = self._looked_up = 0
        self._latency_s = self._max_latency_s = self._tle_s = 0.0

    def add(self, judgement: Judgement, latency_s: float) -> None:
        """Count one judgement."""
        tle_s = sum([test.wall_s for test in judgement.tests if test.verdict is Verdict.TLE])
        with self._lock:
            self._judgements += 1
            self._failures += judgement.status is Status.ERROR
            self._latency_s += latency_s
            self._max_latency_s = max(self._max_latency_s, latency_s)
            self._tle_s += tle_s

    def count_look_up(self) -> None:
        """Count one judgement that an earlier run has made."""
        with self._lock:
            self._looked_up += 1

    def read(self, workers: int, outstanding: int, queued: int) -> JudgeStats:
        """Return the sums, with the state of a pool. outstanding: tasks that are not done. queued:
        tasks that no worker has."""
        with self._lock:
            return JudgeStats(
                workers=workers,
                busy_workers=max(0, min(workers, outstanding - queued)),
                queue_depth=queued,
                judgements=self._judgements,
                failures=self._failures,
                latency_s=self._latency_s,
                max_latency_s=self._max_latency_s,
                tle_s=self._tle_s,
                looked_up=self._looked_up,
            )
