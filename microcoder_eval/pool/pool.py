"""The pool of worker processes on this machine: one thread each, and a bounded queue.

    submit -> queue (bounded) -> a thread per worker -> socket -> worker process

If a worker dies or is stopped, a fresh worker gets its task, up to retries.TASK attempts; then the
verdict is JE.
No multiprocessing, no fork of the caller, no signal handlers: see microcoder_eval/DESIGN.md.
"""

from __future__ import annotations

import errno
import os
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from microcoder_eval import retries
from microcoder_eval.errors import JudgeError
from microcoder_eval.log import get_logger
from microcoder_eval.worker import channel
from microcoder_eval.worker.messages import FailureReply, Reply, SolutionReply, WorkerConfig
from microcoder_sandbox import Plan

from .base import BasePool
from .cache_folders import find_binaries_folder, find_prepared_folder
from .payloads import SharedProblems
from .tasks import CLOSED, Task
from .worker_link import WorkerLink
from .worker_process import WorkerProcess, spare_worker

_log = get_logger("pool")


_ADVICE = {
    errno.EMFILE: "raise the limit on open files (ulimit -n), or ask for fewer workers",
    errno.ENOMEM: "raise the limits on memory (ulimit -v), or ask for fewer workers",
}


def _find_advice(message: str) -> str | None:
    """Return what to do about a start that failed for lack of a resource, None for another
    reason. It is read from the message: an error of a fork server or a worker comes as text."""
    return next((advice for code, advice in _ADVICE.items() if f"[Errno {code}]" in message), None)


class SharedExclusiveLock:
    """Held by up to ``count`` ordinary tasks at a time, or by one that must run alone on the
    machine."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._places = threading.Semaphore(count)
        self._entry = threading.Lock()

    def acquire(self, exclusive: bool) -> None:
        """Wait until the task may run. One that must run alone takes all places, as they become
        free; nobody else takes one in the meantime."""
        with self._entry:
            for _ in range(self._count if exclusive else 1):
                self._places.acquire()

    def release(self, exclusive: bool) -> None:
        """Note that the task has run."""
        self._places.release(self._count if exclusive else 1)


class Pool(BasePool):
    """A pool of ``workers`` processes on this machine. while_starting: called while the first of
    them starts. Raises JudgeError when it cannot start."""

    def __init__(
        self,
        plan: Plan,
        workers: int,
        max_pending: int,
        while_starting: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(max_pending)
        affinity = sorted(os.sched_getaffinity(os.getpid()))
        self._config = WorkerConfig(
            plan,
            affinity,
            number=0,
            cache_folder=find_binaries_folder(),
            prepared_folder=find_prepared_folder(),
        )
        # Guards the queue and the states below. It is used without its conditions' ``with``, which
        # is Python code: an interrupt there could leave the lock held.
        self._lock = threading.RLock()
        self._make_conditions()
        self._queue: deque[Task] = deque()
        self._consumers = 0  # threads that still take tasks from the queue
        self._run_lock = SharedExclusiveLock(workers)
        self._shared_problems = SharedProblems()
        self._links: set[WorkerLink] = set()
        self._links_lock = threading.Lock()
        self._workers = workers
        self._threads: list[threading.Thread] = []
        try:
            first_link = self._start_worker(0, while_starting)
            self.level, self.layers = first_link.level, first_link.layers
            for number in range(workers):
                self._start_thread(number, first_link if number == 0 else None)
        except BaseException as error:
            self.close(cancel=True)
            if isinstance(error, JudgeError) and (advice := _find_advice(str(error))):
                raise JudgeError(f"{error}; {advice}") from error
            if isinstance(error, JudgeError) or not isinstance(error, RuntimeError):
                raise
            raise JudgeError(
                f"a thread for a judge worker cannot be started: {error}; "
                "ask for fewer workers, or raise ulimit -u and ulimit -v"
            ) from error
        self._end_with_process()
        _log.info("%d judge workers at isolation level %d", workers, self.level)

    def _start_thread(self, number: int, link: WorkerLink | None) -> None:
        name = f"microcoder-worker-{number}"
        thread = threading.Thread(
            target=self._run_tasks, args=(number, link), daemon=True, name=name
        )
        with self._lock:
            thread.start()
            self._consumers += 1
            self._idle_count += link is not None
        self._threads.append(thread)

    @property
    def workers(self) -> int:
        """How many processes judge."""
        return self._workers

    @property
    def queued(self) -> int:
        """See BasePool."""
        return len(self._queue)

    def _is_own_thread(self) -> bool:
        return threading.current_thread() in self._threads

    def enqueue(self, task: Task) -> None:
        """See BasePool."""
        with self._lock:
            if not self._cancelled and self._consumers:
                self._queue.append(task)
                if len(self._queue) <= self._idle_count:
                    self._task_for_idle.notify()
                else:
                    self._task_for_new.notify()
                return
        task.drop(CLOSED)

    def _make_conditions(self) -> None:
        """Make the conditions that threads wait on for tasks.

        A thread without a worker has to start one first. It only wakes for tasks that no idle
        worker can take.
        """
        self._task_for_idle = threading.Condition(self._lock)
        self._task_for_new = threading.Condition(self._lock)
        self._idle_count = 0  # threads with a worker and without a task

    def _wait_for_task(self, has_worker: bool) -> Task | None:
        """Wait for a task. Returns None if no further task will come: the thread must end."""
        with self._lock:
            while len(self._queue) <= (0 if has_worker else self._idle_count):
                if self._closed:
                    self._consumers -= 1
                    return None
                (self._task_for_idle if has_worker else self._task_for_new).wait()
            self._idle_count -= has_worker
            return self._queue.popleft()

    def _start_worker(
        self, number: int, while_starting: Callable[[], object] | None = None
    ) -> WorkerLink:
        """Return a new worker. A worker that dies while starting is no evidence against its
        task."""
        config = replace(self._config, number=number)
        attempts = retries.WORKER_START
        for _ in range(attempts):
            link = self._spawn_worker()
            try:
                link.handshake(config, while_starting)
                _log.debug("judge worker %d has started, process %d", number, link.process.pid)
                return link
            except BaseException as error:
                self._discard_worker(link)
                if not isinstance(error, channel.PeerGoneError):
                    raise
                reason = error
        raise JudgeError(
            f"a judge worker was lost {attempts} times while starting: {reason}"
        ) from reason

    def _spawn_worker(self) -> WorkerLink:
        """Return a worker process, which ``close`` ends even while it starts."""
        with self._links_lock:
            if self._cancelled:
                raise JudgeError("this Judge is closed")
            try:
                process = spare_worker.take() or WorkerProcess()
            except OSError as error:
                raise JudgeError(f"a judge worker cannot be started: {error}") from error
            link = WorkerLink(process, self._shared_problems)
            self._links.add(link)
        return link

    def _run_tasks(self, number: int, link: WorkerLink | None) -> None:
        """Take a task and have it done, in each thread, until there is no other."""
        while (task := self._wait_for_task(link is not None)) is not None:
            try:
                if task.begin():
                    link = self._run_task(number, link, task)
            except BaseException as error:  # a bug of ours must not end the thread
                _log.exception("a judge worker's thread failed")
                task.resolve(FailureReply(f"{type(error).__name__}: {error}"))
            # While this thread waits, the finished task must not keep its Judge alive.
            del task
            with self._lock:
                self._idle_count += link is not None
        if link is not None:
            self._discard_worker(link)

    def _run_task(self, number: int, link: WorkerLink | None, task: Task) -> WorkerLink | None:
        """Have a task done and resolve its future; returns the link, if the worker still works."""
        while True:
            link, reply = self._attempt_task(number, link, task)
            is_contended = isinstance(reply, SolutionReply) and reply.contended
            if is_contended and not task.alone:
                task.repeat_alone()  # too slow while others ran: the machine may be to blame
            elif reply is not None:
                task.resolve(reply)
                return link

    def _attempt_task(
        self, number: int, link: WorkerLink | None, task: Task
    ) -> tuple[WorkerLink | None, Reply | None]:
        """Make one attempt at a task; without a reply the caller tries again."""
        attempts, level, is_alone = retries.TASK, 0, task.alone
        self._run_lock.acquire(is_alone)
        try:
            link = link or self._start_worker(number)
            return link, link.run_task(task)
        except Exception as error:
            is_lost = isinstance(error, channel.PeerGoneError)
            reason = f"{'the judge worker was lost' if is_lost else type(error).__name__}: {error}"
            if link is not None:
                level = link.level
                self._discard_worker(link)
        finally:
            self._run_lock.release(is_alone)
        task.attempts += 1
        if self._cancelled:
            return None, FailureReply(CLOSED)
        reason = f"attempt {task.attempts} of {attempts} at this solution failed: {reason}"
        _log.warning("%s", reason)
        return None, FailureReply(reason, level) if task.attempts >= attempts else None

    def _discard_worker(self, link: WorkerLink) -> None:
        with self._links_lock:
            self._links.discard(link)
        link.close()

    def _end_workers(self) -> None:
        """See BasePool."""
        dropped_tasks: list[Task] = []
        with self._lock:
            if self._cancelled:
                dropped_tasks = list(self._queue)
                self._queue.clear()
            self._task_for_idle.notify_all()
            self._task_for_new.notify_all()
        if self._cancelled:
            with self._links_lock:
                links = list(self._links)
            for link in links:
                link.process.kill()
        for task in dropped_tasks:
            task.drop(CLOSED)

    def _wait_for_end(self) -> None:
        """See BasePool."""
        for thread in self._threads:
            thread.join()
        for link in list(self._links):
            self._discard_worker(link)

    def _forget_parent(self) -> None:
        """See BasePool."""
        self._lock, self._links_lock = threading.RLock(), threading.Lock()
        self._make_conditions()
        self._queue.clear()
        self._consumers = 0
        for link in self._links:
            link.process.abandon()
