"""The pool's side of one worker process: starts it, sends requests and checks that it is alive.

The worker is a new process (exec), connected by one socket (frames.py). One thread uses each link.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress

import microcoder_sandbox
from microcoder_eval.errors import JudgeError
from microcoder_eval.lru import LruCache
from microcoder_eval.worker import frames
from microcoder_eval.worker.messages import (
    FailureReply,
    ForgetProblem,
    Message,
    ProgramReply,
    Reply,
    SolutionReply,
    WorkerConfig,
    WorkerExiting,
    WorkerReady,
    WorkerUnable,
    decode,
    encode,
)
from microcoder_sandbox.driver.scratch import remove_abandoned_folders

from .tasks import ProblemPayload, Task

MAX_PROBLEM_BYTES, MAX_PROBLEMS = 256 << 20, 512  # per worker
CHECK_SECONDS = 2.0  # of silence, after each of which a worker is checked
# Only SIGSTOP or a debugger stops a worker. A worker that waits for a program uses some CPU time to
# check it; its longest wait without CPU time is the start of a fork server (30 s).
MAX_STOPPED_CHECKS = 4
MAX_IDLE_CHECKS = 30
_PACKAGE = os.path.dirname(os.path.dirname(__file__))
_WORKER_CODE = (
    "import sys; sys.path[:0] = {roots!r}; from microcoder_eval.worker import main; main.main()"
)


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
        """Call this after each CHECK_SECONDS of silence.

        Raises PeerGoneError if the worker has ended, is stopped, or used no CPU time for too long.
        """
        try:
            cpu_seconds = time.clock_gettime(self._clock)
        except OSError:
            raise frames.PeerGoneError("closed") from None
        self._idle_checks = self._idle_checks + 1 if cpu_seconds == self._cpu_seconds else 0
        self._stopped_checks = (
            self._stopped_checks + 1 if self._idle_checks and self._is_stopped() else 0
        )
        self._cpu_seconds = cpu_seconds
        if self._stopped_checks >= MAX_STOPPED_CHECKS or self._idle_checks >= MAX_IDLE_CHECKS:
            raise frames.PeerGoneError(
                f"it stood still for {self._idle_checks * CHECK_SECONDS:.0f} s"
            )

    def _is_stopped(self) -> bool:
        try:
            with open(self._stat_path, "rb") as stat:
                return stat.read().rpartition(b")")[2].split()[0] == b"T"
        except OSError:
            return False


class WorkerLink:
    """One worker process and the problems it holds. Call ``handshake`` first."""

    def __init__(self) -> None:
        pool_end, worker_end = socket.socketpair()
        package_folders = (_PACKAGE, microcoder_sandbox.__path__[0])
        roots = [os.path.dirname(os.path.abspath(folder)) for folder in package_folders]
        flags = ["-s", "-P", "-S", "-B", "-X", "utf8"]
        try:
            with worker_end:
                # Above the standard streams, which the caller may have closed.
                descriptor = fcntl.fcntl(worker_end, fcntl.F_DUPFD_CLOEXEC, 3)
            try:
                code = _WORKER_CODE.format(roots=roots)
                self.process = subprocess.Popen(
                    [sys.executable, *flags, "-c", code, str(descriptor), str(os.getpid())],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
                    pass_fds=[descriptor],
                    start_new_session=True,
                    cwd="/",
                )
            finally:
                os.close(descriptor)
        except BaseException:
            pool_end.close()
            raise
        pool_end.settimeout(CHECK_SECONDS)
        self.socket = pool_end
        self._frames = frames.FrameReader(pool_end)
        self.level = 0
        self.layers: dict[str, str] = {}
        self._outbox: list[bytes] = []  # messages that go before the next task
        self._held_problems: LruCache[str, bool] = LruCache(
            MAX_PROBLEMS,
            MAX_PROBLEM_BYTES,
            on_evict=lambda key, _: self._outbox.append(encode(ForgetProblem(key))),
        )
        self._liveness = LivenessProbe(self.process.pid)

    def handshake(
        self, config: WorkerConfig, meanwhile: Callable[[], object] | None = None
    ) -> None:
        """Send the configuration and wait until the worker is ready. meanwhile: is called while
        the worker starts.

        Raises JudgeError when the worker cannot work here, PeerGoneError when it ends first.
        """
        self._send(encode(config))
        if meanwhile is not None:
            meanwhile()
        message = self._receive()
        if isinstance(message, WorkerUnable):
            raise JudgeError(message.reason)
        assert isinstance(message, WorkerReady)
        self.level, self.layers = message.level, message.layers

    def run_task(self, task: Task) -> Reply:
        """Send a task and wait for its reply. Raises PeerGoneError when the worker is lost."""
        if task.problem is not None:
            self._hold_problem(task.problem)
        self._send(*self._outbox, encode(task.request))
        self._outbox.clear()
        reply = self._receive()
        assert isinstance(reply, SolutionReply | ProgramReply | FailureReply)
        return reply

    def _hold_problem(self, problem: ProblemPayload) -> None:
        if not self._held_problems.get(problem.key):
            self._held_problems.put(problem.key, True, problem.size)
            self._outbox.append(problem.encode())

    def _send(self, *messages: bytes) -> None:
        frames.send(self.socket, *messages, on_timeout=self._liveness.check)

    def _receive(self) -> Message:
        message = decode(self._frames.receive(self._liveness.check))
        if isinstance(message, WorkerExiting):
            raise frames.PeerGoneError(message.reason)
        return message

    def close(self) -> None:
        """End the worker and everything it runs, and wait until that is done."""
        self.socket.close()
        self.process.kill()
        self.process.wait()
        remove_abandoned_folders()  # a worker that is killed cannot remove its folders itself

    def abandon(self) -> None:
        """In a fork of the caller: let go of the descriptor; the worker is not ours."""
        self.socket.close()
        self.process.returncode = 0  # keeps Popen from waiting for a process that is not a child


class SpareWorker:
    """At most one worker process that is started before a pool asks for it: it imports its modules
    while the caller imports its own and reads its arguments. It ends with the caller."""

    def __init__(self) -> None:
        self._link: WorkerLink | None = None

    def start(self) -> None:
        """Start it, if there is none. A pool reports why no worker can be started, if it needs
        one."""
        if self._link is None:
            with suppress(OSError):
                self._link = WorkerLink()

    def take(self) -> WorkerLink | None:
        """Hand it over."""
        link, self._link = self._link, None
        return link

    def close(self) -> None:
        """End it."""
        if (link := self.take()) is not None:
            link.close()

    def abandon(self) -> None:
        """In a fork of the caller: it is not ours."""
        if (link := self.take()) is not None:
            link.abandon()


spare_worker = SpareWorker()
atexit.register(spare_worker.close)
os.register_at_fork(after_in_child=spare_worker.abandon)
