"""Runs jobs in threads while the caller shows progress and may stop at any time."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

_POLL_SECONDS = 0.1
Job = TypeVar("Job")
Result = TypeVar("Result")


class WorkerThreads(Generic[Job, Result]):
    """Calls ``run_job`` for many jobs in some threads.

    The threads are daemons, so a thread that waits for a closed judge does not delay the exit.
    """

    def __init__(self, run_job: Callable[[Job], Result], threads: int) -> None:
        self._run_job = run_job
        self._threads = threads
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[tuple[Job, Result] | BaseException] = queue.SimpleQueue()
        self._stopped = threading.Event()

    def run_jobs(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Result] | None]:
        """Yield (job, result) as jobs finish, and None ten times a second while none does.

        Raises what ``run_job`` raises. Call it once.
        """
        for job in jobs:
            self._jobs.put(job)
        for _ in range(min(self._threads, len(jobs))):
            threading.Thread(target=self._run_worker, daemon=True, name="microcoder-audit").start()
        finished_count = 0
        try:
            while finished_count < len(jobs):
                result = self._poll_result()
                if isinstance(result, BaseException):
                    raise result
                finished_count += result is not None
                yield result
        finally:
            self._stopped.set()

    def _poll_result(self) -> tuple[Job, Result] | BaseException | None:
        try:
            return self._results.get(timeout=_POLL_SECONDS)
        except queue.Empty:
            return None

    def _run_worker(self) -> None:
        while not self._stopped.is_set():
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return
            try:
                self._results.put((job, self._run_job(job)))
            except BaseException as error:
                self._results.put(error)
