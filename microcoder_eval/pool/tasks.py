"""What a pool is asked to do: a request to a worker, and the future its reply resolves.

Every future resolves, whatever happens: to a result, to an exception, or cancelled.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from microcoder_eval.errors import JudgeError
from microcoder_eval.log import get_logger
from microcoder_eval.worker.messages import FailureReply, Reply, Request, SolutionRequest

from .payloads import ProblemPayload

CLOSED = "the judge was closed"
WOULD_WAIT_FOR_ITSELF = "a callback of a future would wait for itself here; use submit"
_FORKED = "this task belongs to the process that this one was forked from"
_log = get_logger("pool")


class Task:
    """A request to a worker and the future its reply goes to.

    finish: makes the future's result of the reply. reply_callbacks: get the reply before that.
    followers: equal tasks that wait for this one's reply (dedup.py). A task is in one place at a
    time, and only that place calls ``begin``, ``resolve`` or ``drop``.
    """

    __slots__ = (
        "attempts", "finish", "followers", "future", "problem", "reply_callbacks", "request"
    )  # fmt: skip

    def __init__(
        self, request: Request, problem: ProblemPayload | None, finish: Callable[[Reply], Any]
    ) -> None:
        self.request = request
        self.problem = problem
        self.finish = finish
        self.future: Future[Any] = Future()
        self.reply_callbacks: list[Callable[[Reply], object]] = []
        self.followers: list[Task] = []
        self.attempts = 0

    @property
    def alone(self) -> bool:
        """Whether nothing else of the pool may run beside it."""
        return isinstance(self.request, SolutionRequest) and self.request.alone

    def repeat_alone(self) -> None:
        """Let it run again, alone."""
        assert isinstance(self.request, SolutionRequest)
        self.request = replace(self.request, alone=True)

    def begin(self) -> bool:
        """Mark the task as running; return False if its future was cancelled."""
        try:
            return self.future.set_running_or_notify_cancel()
        except Exception:  # its caller has set a result: there is nothing left to do
            return False

    def resolve(self, reply: Reply) -> None:
        """Resolve the future of a task that has begun. Never raises, whatever a callback does."""
        if self.future.done():
            return
        try:
            for callback in self.reply_callbacks:
                callback(reply)
            self.future.set_result(self.finish(reply))
        except BaseException as error:
            # From ``finish``; or from a callback (exit, Ctrl-C), after the future was resolved.
            if self.future.done():
                _log.warning("a callback of a future raised %s", type(error).__name__)
            else:
                self._fail(error)

    def answer(self, reply: Reply) -> None:
        """Resolve a task that has not begun, with the reply to an equal one."""
        if self.begin():
            self.resolve(reply)

    def drop(self, reason: str) -> None:
        """Cancel a task that has not begun, else resolve it with an error. Never raises."""
        try:
            self.future.cancel()
        except BaseException as error:
            _log.warning("a callback of a future raised %s", type(error).__name__)
        if not self.future.cancelled():
            self.resolve(FailureReply(reason))
        else:
            self.begin()  # without this, concurrent.futures.wait would never return

    def fail_after_fork(self) -> None:
        """Fail this copy of a task in a fork of the caller, where nobody would resolve it.

        Its callbacks belong to the parent and are not run. The future is replaced, because a thread
        of the parent may hold its lock.
        """
        Future.__init__(self.future)
        self.future.set_exception(JudgeError(_FORKED))

    def _fail(self, error: BaseException) -> None:
        try:
            self.future.set_exception(error)
        except BaseException as callback_error:
            _log.warning("a callback of a future raised %s", type(callback_error).__name__)


class Admission:
    """Counts the tasks of a pool that are not done, up to a limit; further ones wait for room.

    Safe from any thread, in signal handlers, and after a fork once ``abandon`` was called.
    """

    def __init__(self, max_pending: int) -> None:
        self._max_pending = max_pending
        self._lock = threading.RLock()  # reentrant: a signal handler may submit
        self._tasks: set[Task] = set()
        self._pending_admissions: deque[tuple[Task, Future[None]]] = deque()
        self._close_reason = ""

    def check_open(self) -> None:
        """Raise JudgeError once closed."""
        if self._close_reason:
            raise JudgeError(self._close_reason)

    @property
    def outstanding(self) -> int:
        """How many tasks are admitted and not done, or wait for admission."""
        return len(self._tasks) + len(self._pending_admissions)

    def admit(self, task: Task) -> None:
        """Wait for room, and count a task until it is done.

        Raises JudgeError when closed, also while it waits.
        """
        admission = self.request_admission(task)
        try:
            admission.result()
        except BaseException:
            admission.cancel()
            with self._lock:
                self._tasks.discard(task)
            raise

    def admit_over_limit(self, task: Task) -> None:
        """Count a task, whether there is room or not."""
        with self._lock:
            self.check_open()
            self._add(task)

    def request_admission(self, task: Task) -> Future[None]:
        """Return a future that is done once the task is counted, for callers that may not block."""
        admission: Future[None] = Future()
        with self._lock:
            if self._is_full():
                self._pending_admissions.append((task, admission))
                return admission
            self._add(task)
        admission.set_result(None)
        return admission

    def _is_full(self) -> bool:
        self.check_open()
        return len(self._tasks) >= self._max_pending

    def _add(self, task: Task) -> None:
        self._tasks.add(task)
        task.future.add_done_callback(lambda _: self._remove(task))

    def _remove(self, task: Task) -> None:
        granted_admissions = []
        with self._lock:
            self._tasks.discard(task)
            while self._pending_admissions and len(self._tasks) < self._max_pending:
                next_task, admission = self._pending_admissions.popleft()
                if admission.set_running_or_notify_cancel():
                    self._add(next_task)
                    granted_admissions.append(admission)
        for admission in granted_admissions:
            admission.set_result(None)

    def close(self, reason: str) -> None:
        """Admit nothing more; tasks that wait for room fail with the reason."""
        with self._lock:
            self._close_reason = self._close_reason or reason
            refused_admissions, self._pending_admissions = self._pending_admissions, deque()
        for _, admission in refused_admissions:
            if admission.set_running_or_notify_cancel():
                admission.set_exception(JudgeError(reason))

    def abandon(self) -> None:
        """In a fork of the caller: no task here is ever done, and the lock may be held."""
        self._lock = threading.RLock()  # reentrant: a signal handler may submit
        self._close_reason = self._close_reason or _FORKED
        for task in (*self._tasks, *[task for task, _ in self._pending_admissions]):
            for member in (task, *task.followers):
                member.fail_after_fork()
        self._tasks, self._pending_admissions = set(), deque()
