"""The pool's side of one worker process: sends requests and checks that it is alive.

One thread uses each link; channel.py says how messages travel.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from microcoder_eval.errors import JudgeError
from microcoder_eval.lru import LruCache
from microcoder_eval.worker import channel, messages
from microcoder_sandbox import remove_abandoned_folders

from .payloads import ProblemPayload, SharedProblems
from .tasks import Task
from .worker_process import WorkerProcess

_MAX_PROBLEM_BYTES, MAX_PROBLEMS = 256 << 20, 512  # per worker
_CHECK_SECONDS = 2.0  # of silence, after each of which a worker is checked
# Only SIGSTOP or a debugger stops a worker. A worker that waits for a program uses some CPU time to
# check it; its longest wait without CPU time is the start of a fork server (30 s).
_MAX_STOPPED_CHECKS = 4
_MAX_IDLE_CHECKS = 30


class LivenessProbe:
    """Detects a worker that was stopped, however long its task takes.

    A deadline cannot detect this: a task may take hours (tests times limits), and the pool must
    not wait that long for a stopped worker. It counts checks, not seconds, so that a caller that
    was stopped itself does not discard its workers.
    """

    def __init__(self, pid: int) -> None:
        self._stat_path = f"/proc/{pid}/stat"
        self._clock = ((~pid) << 3) | 2  # its CPU clock (clock_getcpuclockid(3))
        self._cpu_seconds = 0.0
        self._idle_checks = self._stopped_checks = 0

    def check(self) -> None:
        """Call this after each _CHECK_SECONDS of silence.

        Raises PeerGoneError if the worker has ended, is stopped, or used no CPU time for too long.
        """
        try:
            cpu_seconds = time.clock_gettime(self._clock)
        except OSError:
            raise channel.PeerGoneError("closed") from None
        self._idle_checks = self._idle_checks + 1 if cpu_seconds == self._cpu_seconds else 0
        self._stopped_checks = (
            self._stopped_checks + 1 if self._idle_checks and self._is_stopped() else 0
        )
        self._cpu_seconds = cpu_seconds
        if self._stopped_checks >= _MAX_STOPPED_CHECKS or self._idle_checks >= _MAX_IDLE_CHECKS:
            raise channel.PeerGoneError(
                f"it stood still for {self._idle_checks * _CHECK_SECONDS:.0f} s"
            )

    def _is_stopped(self) -> bool:
        try:
            with open(self._stat_path, "rb") as stat:
                return stat.read().rpartition(b")")[2].split()[0] == b"T"
        except OSError:
            return False


class WorkerLink:
    """One worker process and the problems it holds. Call ``handshake`` first.

    shared_problems: those of the pool.
    """

    def __init__(self, process: WorkerProcess, shared_problems: SharedProblems) -> None:
        self.process = process
        self._shared_problems = shared_problems
        process.socket.settimeout(_CHECK_SECONDS)
        self._frames = channel.FrameReader(process.socket)
        self.level = 0
        self.layers: dict[str, str] = {}
        self._outbox: list[bytes] = []  # messages that go before the next task
        self._held_problems: LruCache[str, bool] = LruCache(
            MAX_PROBLEMS,
            _MAX_PROBLEM_BYTES,
            on_evict=lambda key, _: self._outbox.append(
                messages.encode(messages.ForgetProblem(key))
            ),
        )
        self._liveness = LivenessProbe(process.pid)

    def handshake(
        self, config: messages.WorkerConfig, while_starting: Callable[[], object] | None
    ) -> None:
        """Send the configuration and wait until the worker is ready. while_starting: called while
        the worker starts.

        Raises JudgeError when the worker cannot work here, PeerGoneError when it ends first.
        """
        self._send(messages.encode(config))
        if while_starting is not None:
            while_starting()
        message = self._receive()
        if isinstance(message, messages.WorkerUnable):
            raise JudgeError(message.reason)
        assert isinstance(message, messages.WorkerReady)
        self.level, self.layers = message.level, message.layers

    def run_task(self, task: Task) -> messages.Reply:
        """Send a task and wait for its reply. Raises PeerGoneError when the worker is lost."""
        if task.problem is not None:
            self._hold_problem(task.problem)
        self._send(*self._outbox, messages.encode(task.request))
        self._outbox.clear()
        reply = self._receive()
        assert isinstance(reply, messages.Reply)
        return reply

    def _hold_problem(self, problem: ProblemPayload) -> None:
        if not self._held_problems.get(problem.key):
            self._held_problems.put(problem.key, True, problem.size)
            shared = self._shared_problems.get(problem)
            if shared is None:
                self._outbox.append(problem.encode())
                return
            # Send earlier messages first: they may free the memory that this problem needs.
            # ``shared`` keeps the file open until it is sent.
            self._send(*self._outbox)
            self._outbox.clear()
            self._send(shared.message, descriptor=shared.file.descriptor)

    def _send(self, *frames: bytes, descriptor: int | None = None) -> None:
        check = self._liveness.check
        channel.send(self.process.socket, *frames, on_timeout=check, descriptor=descriptor)

    def _receive(self) -> messages.Message:
        message = messages.decode(self._frames.receive(self._liveness.check))
        if isinstance(message, messages.WorkerExiting):
            raise channel.PeerGoneError(message.reason)
        return message

    def close(self) -> None:
        """End the worker and everything it runs, and wait until that is done."""
        self.process.close()
        remove_abandoned_folders()  # a worker that is killed cannot remove its folders itself
