"""What all pools share: admission of tasks, and closing at exit or in a fork."""

from __future__ import annotations

import atexit
import os
import weakref
from abc import ABC, abstractmethod
from concurrent.futures import Future

from microcoder_eval.errors import JudgeError

from .tasks import WOULD_WAIT_FOR_ITSELF, Admission, Task

_live_pools: weakref.WeakSet[BasePool] = weakref.WeakSet()


class BasePool(ABC):
    """Takes tasks and resolves their futures; max_pending: how many may be outstanding.

    level, layers: the isolation that its workers have. abandoned: whether this process is a fork of
    the one that made the pool, and the pool was open at the fork.
    """

    level: int
    layers: dict[str, str]

    def __init__(self, max_pending: int) -> None:
        self._admission = Admission(max_pending)
        self._closed = self._cancelled = False
        self.abandoned = False
        self.pid = os.getpid()

    def _end_with_process(self) -> None:
        """Register the pool to be closed at exit and abandoned in a fork."""
        _live_pools.add(self)

    @property
    @abstractmethod
    def workers(self) -> int:
        """How many processes judge."""

    @property
    def outstanding(self) -> int:
        """How many tasks are not done, those that wait for room included."""
        return self._admission.outstanding

    @property
    def stream_window(self) -> int:
        """How many tasks of an iterable are taken before the first is done: enough that no worker
        waits for the next."""
        return 4 * self.workers + 8

    @property
    def queued(self) -> int:
        """How many outstanding tasks no worker has taken yet."""
        return max(0, self.outstanding - self.workers)

    def check_open(self) -> None:
        """Raise JudgeError once closed."""
        self._admission.check_open()

    def refuse_wait_in_callback(self) -> None:
        """Raise JudgeError in a callback of a future: the callback would wait for its own
        thread."""
        if self._is_own_thread():
            raise JudgeError(WOULD_WAIT_FOR_ITSELF)

    @abstractmethod
    def _is_own_thread(self) -> bool:
        """Whether the calling thread is one that resolves futures."""

    def submit(self, task: Task) -> None:
        """Queue a task. Blocks while max_pending are outstanding.

        When a future's callback calls this, it does not wait, because callbacks run in the pool's
        threads. Raises JudgeError when closed; the caller must cancel a task that was not queued.
        """
        self.check_open()
        if self._is_own_thread():
            self._admission.admit_over_limit(task)
        else:
            self._admission.admit(task)
        self.enqueue(task)

    def request_admission(self, task: Task) -> Future[None]:
        """Return a future that is done once there is room for the task, which the caller then
        passes to ``enqueue``. Raises JudgeError when closed, and the future does."""
        self.check_open()
        return self._admission.request_admission(task)

    @abstractmethod
    def enqueue(self, task: Task) -> None:
        """Queue a task however many are outstanding; one that comes too late is dropped."""

    def release(self, cancel: bool = False) -> None:
        """As ``close``, without waiting."""
        if self.pid == os.getpid():
            self._admission.close("this Judge is closed")
            self._closed, self._cancelled = True, self._cancelled or cancel
            self._end_workers()

    @abstractmethod
    def _end_workers(self) -> None:
        """Make the workers end: at once if the pool is cancelled, else once nothing is queued."""

    def close(self, cancel: bool = False) -> None:
        """Finish what is queued (or, with ``cancel``, drop it) and end the workers.

        When a future's callback calls this, it does not wait, because callbacks run in the pool's
        threads.
        """
        self.release(cancel)
        if self.pid == os.getpid() and not self._is_own_thread():
            self._wait_for_end()

    @abstractmethod
    def _wait_for_end(self) -> None:
        """Wait until the workers have ended."""

    def abandon(self) -> None:
        """In a fork of the caller: locks may be held by threads that are not here, and nobody
        will resolve the futures."""
        self.abandoned = not self._closed
        self._closed = self._cancelled = True
        self._forget_parent()
        self._admission.abandon()

    @abstractmethod
    def _forget_parent(self) -> None:
        """Let go of what the parent's threads and workers use."""


def close_pools_before_later_imports() -> None:
    """Close pools at exit before modules that were imported later shut themselves down."""
    atexit.unregister(_close_all)
    atexit.register(_close_all)


def _close_all() -> None:
    for pool in list(_live_pools):
        pool.close(cancel=True)


def _abandon_all() -> None:
    for pool in list(_live_pools):
        pool.abandon()
    _live_pools.clear()


atexit.register(_close_all)
os.register_at_fork(after_in_child=_abandon_all)
