"""Threads that work through a list, and a caller who stays free to show, to count and to stop."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

_POLL_SECONDS = 0.1
Job = TypeVar("Job")
Result = TypeVar("Result")


class Crew(Generic[Job, Result]):
    """Does ``work`` for many jobs in some threads.

    The threads are daemons: who stops asking may leave, and one that still waits for a judge
    that was closed holds nobody up.
    """

    def __init__(self, work: Callable[[Job], Result], threads: int) -> None:
        self._work = work
        self._threads = threads
        self._todo: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[Job, Result] | BaseException] = queue.SimpleQueue()
        self._left = threading.Event()

    def do(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Result] | None]:
        """Yields (job, result) as they finish, and None ten times a second when nothing has.

        Raises what ``work`` raised. Call once.
        """
        for job in jobs:
            self._todo.put(job)
        for _ in range(min(self._threads, len(jobs))):
            threading.Thread(target=self._live, daemon=True, name="microcoder-audit").start()
        finished = 0
        try:
            while finished < len(jobs):
                answer = self._answer()
                if isinstance(answer, BaseException):
                    raise answer
                finished += answer is not None
                yield answer
        finally:
            self._left.set()

    def _answer(self) -> tuple[Job, Result] | BaseException | None:
        try:
            return self._done.get(timeout=_POLL_SECONDS)
        except queue.Empty:
            return None

    def _live(self) -> None:
        while not self._left.is_set():
            try:
                job = self._todo.get_nowait()
            except queue.Empty:
                return
            try:
                self._done.put((job, self._work(job)))
            except BaseException as error:
                self._done.put(error)
