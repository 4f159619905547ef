"""One worker process as its pool holds it, and what is sent to it: tasks, problems.

The worker is exec'd fresh and talks over one socket (frames.py); each link is used by one thread.
"""

from __future__ import annotations

import fcntl
import os
import socket
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from microcoder_sandbox.folder import remove_left

from . import frames
from .errors import JudgeError

HELD_PROBLEM_BYTES, HELD_PROBLEMS = 256 << 20, 512  # per worker
LOOK_SECONDS = 2.0  # of silence, after each of which a worker is looked at
# A worker is stopped by SIGSTOP or a debugger only. One that merely waits still uses some CPU time
# between two looks at a program; the longest wait without any is for a server to start (30 s).
STOPPED_LOOKS = 4
STILL_LOOKS = 30
_WORKER_CODE = (
    "import sys; sys.path[:0] = {roots!r}; from microcoder_eval import worker; worker.main()"
)


class Task:
    """One message for a worker and the future its answer goes to."""

    __slots__ = ("alone", "attempts", "finish", "future", "message", "problem", "verb")

    def __init__(
        self,
        verb: str,
        message: dict[str, Any],
        problem: ProblemPayload | None,
        finish: Callable[[dict[str, Any]], Any],
    ) -> None:
        self.verb = verb
        self.message = message
        self.problem = problem
        self.finish = finish
        self.future: Future[Any] = Future()
        self.attempts = 0
        self.alone = False


class ProblemPayload:
    """A problem as it is sent to workers: built once, whatever the number of solutions."""

    __slots__ = ("build", "key", "size")

    def __init__(self, key: str, size: int, build: Callable[[], dict[str, Any]]) -> None:
        self.key = key
        self.size = size
        self.build = build


class Patience:
    """Tells a worker that is at work, however long it takes, from one that stands still.

    No deadline could: a legal task may take hours (tests times limits), and a worker that was
    stopped after a second of it must not hold up its pool for as long. Looks are counted, not
    seconds, so that a caller that was itself stopped blames nobody.
    """

    def __init__(self, pid: int) -> None:
        self._stat = f"/proc/{pid}/stat"
        self._clock = ((~pid) << 3) | 2  # its CPU clock (clock_getcpuclockid(3))
        self._used = 0.0
        self._still = self._stopped = 0

    def look(self) -> None:
        """To be called after each LOOK_SECONDS of silence. Raises PeerGoneError."""
        try:
            used = time.clock_gettime(self._clock)
        except OSError:
            raise frames.PeerGoneError("closed") from None
        self._still = self._still + 1 if used == self._used else 0
        self._stopped = self._stopped + 1 if self._still and self._is_stopped() else 0
        self._used = used
        if self._stopped >= STOPPED_LOOKS or self._still >= STILL_LOOKS:
            raise frames.PeerGoneError(f"it stood still for {self._still * LOOK_SECONDS:.0f} s")

    def _is_stopped(self) -> bool:
        try:
            with open(self._stat, "rb") as stat:
                return stat.read().rpartition(b")")[2].split()[0] == b"T"
        except OSError:
            return False


class WorkerLink:
    """One worker process and the problems it holds. ``greet`` it before anything is asked."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        package = os.path.dirname(os.path.abspath(__file__))
        import microcoder_sandbox

        cage_root = os.path.dirname(os.path.dirname(os.path.abspath(microcoder_sandbox.__file__)))
        roots = list(dict.fromkeys([os.path.dirname(package), cage_root]))
        flags = ["-s", "-P", "-S", "-B", "-X", "utf8"]
        try:
            with theirs:
                # Above the standard streams, which the caller may have closed.
                descriptor = fcntl.fcntl(theirs, fcntl.F_DUPFD_CLOEXEC, 3)
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
            ours.close()
            raise
        ours.settimeout(LOOK_SECONDS)
        self.socket = ours
        self.level = 0
        self.layers: dict[str, str] = {}
        self._held: OrderedDict[str, int] = OrderedDict()
        self._patience = Patience(self.process.pid)

    def greet(self, config: dict[str, Any]) -> None:
        """Wait until it is ready. Raises JudgeError when it cannot work here, PeerGoneError when
        it is lost before it could say."""
        self._send(config)
        verb, *rest = self._receive()
        if verb == "cannot":
            raise JudgeError(rest[0])
        self.level, self.layers = rest

    def ask(self, task: Task) -> dict[str, Any]:
        """Have a task done. Raises PeerGoneError when the worker is lost over it."""
        message = {**task.message, "alone": task.alone}
        if task.problem is not None:
            self._hold(task.problem)
            self._send((task.verb, task.problem.key, message))
        else:
            self._send((task.verb, message))
        answer: dict[str, Any] = self._receive()[1]
        return answer

    def _hold(self, problem: ProblemPayload) -> None:
        if problem.key in self._held:
            self._held.move_to_end(problem.key)
            return
        while self._held and self._is_full(problem.size):
            key, _ = self._held.popitem(last=False)
            self._send(("forget", key))
        self._send(("problem", problem.key, problem.build()))
        self._held[problem.key] = problem.size

    def _is_full(self, more_bytes: int) -> bool:
        held_bytes = sum(self._held.values())
        return len(self._held) >= HELD_PROBLEMS or held_bytes + more_bytes > HELD_PROBLEM_BYTES

    def _send(self, message: Any) -> None:
        frames.send(self.socket, message, self._patience.look)

    def _receive(self) -> Any:
        message = frames.receive(self.socket, self._patience.look)
        if message[0] == "failed":
            raise frames.PeerGoneError(message[1])
        return message

    def close(self) -> None:
        """End the worker and everything it runs, and wait until that is done."""
        self.socket.close()
        self.process.kill()
        self.process.wait()
        remove_left(self.process.pid)

    def abandon(self) -> None:
        """In a fork of the caller: let go of the descriptor; the worker is not ours."""
        self.socket.close()
        self.process.returncode = 0  # keeps Popen from waiting for a process that is not a child
