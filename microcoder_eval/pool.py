"""The caller's side: worker processes, one thread each, a bounded queue, nothing lost.

    submit -> queue (bounded) -> a thread per worker -> socket -> worker process

A worker that dies or stands still takes nothing with it: its task goes to a fresh one, ATTEMPTS
times in all; then it is JE.
No multiprocessing, no fork of the caller, no signal handlers: see ARCHITECTURE.md.
"""

from __future__ import annotations

import atexit
import os
import queue
import threading
import weakref
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from microcoder_sandbox.cage import Plan

from . import frames
from .cache import cache_folder
from .errors import JudgeError
from .link import Task, WorkerLink
from .log import logger

ATTEMPTS = 3  # of a task whose worker dies over it
START_ATTEMPTS = 5
_log = logger("pool")
_live: weakref.WeakSet[Pool] = weakref.WeakSet()


class Gate:
    """Many ordinary tasks at a time, or one that must be alone on the machine."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._alone_waiting = 0
        self._alone = False

    def enter(self, alone: bool) -> None:
        """Wait for the turn."""
        with self._changed:
            if alone:
                self._alone_waiting += 1
                self._changed.wait_for(lambda: self._running == 0 and not self._alone)
                self._alone_waiting -= 1
                self._alone = True
            else:
                self._changed.wait_for(lambda: not self._alone and not self._alone_waiting)
            self._running += 1

    def leave(self) -> None:
        """Give the turn back."""
        with self._changed:
            self._running -= 1
            self._alone = False
            self._changed.notify_all()


class Pool:
    """N workers. habits: of theirs ("stop", "isolation", "adaptive").

    Raises JudgeError when the first of them cannot start.
    """

    def __init__(
        self, plan: Plan, habits: Mapping[str, Any], workers: int, max_pending: int
    ) -> None:
        affinity = sorted(os.sched_getaffinity(os.getpid()))
        self._config = {
            "plan": asdict(plan),
            **habits,
            "affinity": affinity,
            "cache": cache_folder(),
        }
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._slots = threading.BoundedSemaphore(max_pending)
        self._gate = Gate()
        self._links: set[WorkerLink] = set()
        self._lock = threading.Lock()
        self._closed = False
        self.abandoned = False
        self.pid = os.getpid()
        self.workers = workers
        self._threads: list[threading.Thread] = []
        first = self._new_link(0)
        self.level, self.layers = first.level, first.layers
        try:
            for number in range(workers):
                self._start_thread(number, first if number == 0 else None)
        except RuntimeError as error:
            self.close(cancel=True)
            raise JudgeError(f"a thread for a judge worker cannot be started: {error}") from error
        _live.add(self)
        _log.info("%d judge workers at isolation level %d", workers, self.level)

    def _start_thread(self, number: int, link: WorkerLink | None) -> None:
        name = f"microcoder-worker-{number}"
        thread = threading.Thread(target=self._drive, args=(number, link), daemon=True, name=name)
        thread.start()
        self._threads.append(thread)

    def submit(self, task: Task, wait: bool = True) -> bool:
        """Queue a task. Blocks while max_pending are outstanding; False when told not to."""
        if self._closed:
            raise JudgeError("this Judge is closed")
        if not self._slots.acquire(blocking=wait):
            return False
        task.future.add_done_callback(lambda _: self._slots.release())
        self.put(task)
        return True

    def put(self, task: Task) -> None:
        """Queue a task however many are outstanding."""
        self._tasks.put(task)

    def _new_link(self, number: int) -> WorkerLink:
        """A new worker; one that dies while starting says nothing about the task it is for."""
        for _ in range(START_ATTEMPTS):
            link = self._spawned()
            try:
                link.greet({**self._config, "number": number})
                _log.debug("judge worker %d has started, process %d", number, link.process.pid)
                return link
            except frames.PeerGoneError as error:
                self._lose(link)
                reason = error
            except BaseException:
                self._lose(link)
                raise
        raise JudgeError(
            f"a judge worker was lost {START_ATTEMPTS} times while starting: {reason}"
        ) from reason

    def _spawned(self) -> WorkerLink:
        """A worker process that ``close`` knows of from its first moment."""
        with self._lock:
            if self._closed:
                raise JudgeError("this Judge is closed")
            try:
                link = WorkerLink()
            except OSError as error:
                raise JudgeError(f"a judge worker cannot be started: {error}") from error
            self._links.add(link)
        return link

    def _drive(self, number: int, link: WorkerLink | None) -> None:
        """The life of one thread: take a task, have it done, until told to stop."""
        while (task := self._tasks.get()) is not None:
            if not task.future.set_running_or_notify_cancel():
                continue
            answer: dict[str, Any] | None = None
            while answer is None:
                link, answer = self._try(number, link, task)
                if answer is not None and answer.get("contended") and not task.alone:
                    # Too slow while others ran: the machine may be to blame. Once more, alone.
                    task.alone, answer = True, None
            self._settle(task, answer)
        if link is not None:
            self._lose(link)

    def _try(
        self, number: int, link: WorkerLink | None, task: Task
    ) -> tuple[WorkerLink | None, dict[str, Any] | None]:
        """One attempt; no answer yet means: try again."""
        self._gate.enter(task.alone)
        try:
            link = link or self._new_link(number)
            return link, link.ask(task)
        except frames.PeerGoneError as error:
            reason = f"the judge worker was lost {ATTEMPTS} times over this solution: {error}"
            if link is not None:
                self._lose(link)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            if link is not None:
                self._lose(link)
        finally:
            self._gate.leave()
        task.attempts += 1
        if self._closed:
            return None, {"error": "the judge was closed"}
        _log.warning("attempt %d of %d at a solution failed: %s", task.attempts, ATTEMPTS, reason)
        return None, {"error": reason} if task.attempts >= ATTEMPTS else None

    def _settle(self, task: Task, answer: dict[str, Any]) -> None:
        try:
            task.future.set_result(task.finish(answer))
        except BaseException as error:
            if not task.future.done():
                task.future.set_exception(error)

    def _lose(self, link: WorkerLink) -> None:
        with self._lock:
            self._links.discard(link)
        link.close()

    def close(self, cancel: bool = False) -> None:
        """Finish what is queued (or, with ``cancel``, drop it) and end the workers."""
        with self._lock:
            if self._closed or self.pid != os.getpid():
                return
            if cancel:
                self._closed = True
        if cancel:
            self._drop_queued()
            with self._lock:
                links = list(self._links)
            for link in links:
                link.process.kill()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()
        self._closed = True
        for link in list(self._links):
            self._lose(link)

    def _drop_queued(self) -> None:
        while True:
            try:
                task = self._tasks.get_nowait()
            except queue.Empty:
                return
            if task is not None and not task.future.cancel():
                self._settle(task, {"error": "the judge was closed"})

    def abandon(self) -> None:
        """In a fork of the caller: this pool belongs to the parent."""
        self.abandoned = not self._closed
        self._closed = True
        for link in self._links:
            link.abandon()


def _close_all() -> None:
    for pool in list(_live):
        pool.close(cancel=True)


def _abandon_all() -> None:
    for pool in list(_live):
        pool.abandon()
    _live.clear()


atexit.register(_close_all)
os.register_at_fork(after_in_child=_abandon_all)
