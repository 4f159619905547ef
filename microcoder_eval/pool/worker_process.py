"""A worker's process, as it is before a pool talks to it.

Little is imported here, so that a command can start one before its own imports.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import socket
import subprocess
import sys
from contextlib import suppress

import microcoder_sandbox

_PACKAGE = os.path.dirname(os.path.dirname(__file__))
_WORKER_CODE = (
    "import sys; sys.path[:0] = {roots!r}; from microcoder_eval.worker import main; main.main()"
)


def _make_environment() -> dict[str, str]:
    """Return a worker's environment: the caller's folders of programs, in which a worker must find
    the same compilers as the caller, and no other variable of the caller's."""
    folders = {name: os.environ[name] for name in ("PATH", "HOME") if os.environ.get(name)}
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **folders}


class WorkerProcess:
    """A new process (exec, never a fork), connected by one socket. Raises OSError."""

    def __init__(self) -> None:
        self.socket, worker_end = socket.socketpair()
        package_folders = (_PACKAGE, microcoder_sandbox.__path__[0])
        roots = [os.path.dirname(os.path.abspath(folder)) for folder in package_folders]
        flags = ["-s", "-P", "-S", "-B", "-X", "utf8"]
        self.environment = _make_environment()
        try:
            with worker_end:
                # Above the standard streams, which the caller may have closed.
                descriptor = fcntl.fcntl(worker_end, fcntl.F_DUPFD_CLOEXEC, 3)
            try:
                code = _WORKER_CODE.format(roots=roots)
                self._process = subprocess.Popen(
                    [sys.executable, *flags, "-c", code, str(descriptor), str(os.getpid())],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    env=self.environment,
                    pass_fds=[descriptor],
                    start_new_session=True,
                    cwd="/",
                )
            finally:
                os.close(descriptor)
        except BaseException:
            self.socket.close()
            raise
        self.pid = self._process.pid

    def kill(self) -> None:
        """Kill it, without waiting for its end."""
        self._process.kill()

    def close(self) -> None:
        """End it and everything it runs, and wait until that is done."""
        self.socket.close()
        self._process.kill()
        self._process.wait()

    def abandon(self) -> None:
        """In a fork of the caller: let go of the descriptor; the process is not ours."""
        self.socket.close()
        self._process.returncode = 0  # keeps Popen from waiting for one that is not a child


class SpareWorker:
    """At most one worker process that is started before a pool asks for it: it imports its modules
    while the caller imports its own and reads its arguments. It ends with the caller."""

    def __init__(self) -> None:
        self._process: WorkerProcess | None = None

    def start(self) -> None:
        """Start it, if there is none. A pool reports why no worker can be started, if it needs
        one."""
        if self._process is None:
            with suppress(OSError):
                self._process = WorkerProcess()

    def take(self) -> WorkerProcess | None:
        """Return the worker that was started, None if there is none. If the caller's environment
        has changed since, the worker is ended: it might find other compilers."""
        process = self._release()
        if process is not None and process.environment != _make_environment():
            process.close()
            return None
        return process

    def close(self) -> None:
        """End the worker, if nobody has taken it."""
        if (process := self._release()) is not None:
            process.close()

    def abandon(self) -> None:
        """In a fork of the caller: it is not ours."""
        if (process := self._release()) is not None:
            process.abandon()

    def _release(self) -> WorkerProcess | None:
        process, self._process = self._process, None
        return process


spare_worker = SpareWorker()
atexit.register(spare_worker.close)
os.register_at_fork(after_in_child=spare_worker.abandon)
