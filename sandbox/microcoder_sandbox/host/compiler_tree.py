"""A compiler with all the processes that it starts: their memory and threads, and their end.

The child's own figures show none of this: it only waits for ``g++``, which only starts
``cc1plus``. RLIMIT_AS and RLIMIT_CPU limit each process; here the processes are added up.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from mmap import PAGESIZE

from microcoder_sandbox.frozen_records import record

from .child_process import WORKING_STATES, ChildProcess, list_task_folders
from .fork_server import ForkServer

STALL_SECONDS = 10.0  # without progress
# Positions in /proc/PID/stat after the name, which is field 2 (proc_pid_stat(5)).
_STATE, _UTIME, _STIME, _THREADS, _RSS = 0, 11, 12, 17, 21


@record
class Usage:
    """What a process uses. resident: bytes of memory. ticks: CPU time in ticks of the kernel.
    may_work: whether its state is one of WORKING_STATES."""

    resident: int
    threads: int
    ticks: int
    may_work: bool


class CompilerTree(ChildProcess):
    """A compiler's child with all that it has started. server: the fork server that made it."""

    early_kill_margin = 0  # after an exec nothing of the server's memory is left

    def __init__(self, server: ForkServer) -> None:
        super().__init__()
        self._server = server
        self._ticks = -1
        self._last_progress = 0.0

    def read_usage(self) -> None:
        """Add up the memory and the threads of all, and see whether any of them works."""
        usages = [
            usage for pid in self._iterate_tree() if (usage := read_process_usage(pid)) is not None
        ]
        self.thread_count = sum(usage.threads for usage in usages)
        self.peak_bytes = max(self.peak_bytes, sum(usage.resident for usage in usages))
        # A working compiler uses CPU time. One that only sleeps never ends: it may be reading a
        # pipe that only it writes to, for example.
        now, ticks = time.monotonic(), sum(usage.ticks for usage in usages)
        if ticks != self._ticks or any(usage.may_work for usage in usages):
            self._ticks, self._last_progress = ticks, now
        self.is_stalled = now - self._last_progress > STALL_SECONDS

    def list_tasks(self) -> list[str]:
        """Return the folder in /proc of each thread of all of them."""
        return [task for pid in self._iterate_tree() for task in list_task_folders(pid)]

    def kill(self) -> None:
        """Kill all of them."""
        # The compilers first: one that outlives the child could still write to the folder.
        for pid in self._iterate_tree():
            _kill_in_session(pid, self._server.session_id)
        super().kill()

    def _iterate_tree(self) -> Iterator[int]:
        """Yield the child and all that it has started, orphans included: those are adopted by the
        server (process 1 of its pid namespace), or by this process, their subreaper."""
        server_pid, session = self._server.pid, self._server.session_id
        orphans = [pid for pid in list_children(os.getpid()) if pid != server_pid]
        pending = [*list_children(server_pid), *orphans]
        while pending:
            pid = pending.pop()
            if _get_session(pid) == session:
                pending += list_children(pid)
                yield pid


def reap_strays(session_id: int) -> None:
    """Kill processes that a compiler left running.

    Without a pid namespace, they become children of this process when their parents die
    (PR_SET_CHILD_SUBREAPER). They are still in the session of their server.
    """
    while strays := [pid for pid in list_children(os.getpid()) if _get_session(pid) == session_id]:
        for pid in strays:
            os.kill(pid, signal.SIGKILL)  # our child, not reaped yet: the number is its own
            os.waitpid(pid, 0)


def list_children(pid: int) -> list[int]:
    """Return the children of all threads of a process; none where it has ended."""
    children: list[int] = []
    for task in list_task_folders(pid):
        with suppress(OSError), open(f"{task}/children") as file:
            children += map(int, file.read().split())
    return children


def read_process_usage(pid: int) -> Usage | None:
    """Return what a process uses; None if it has ended."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return Usage(
        resident=int(fields[_RSS]) * PAGESIZE,
        threads=int(fields[_THREADS]),
        ticks=int(fields[_UTIME]) + int(fields[_STIME]),
        may_work=fields[_STATE] in WORKING_STATES,
    )


def _get_session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return -1


def _kill_in_session(pid: int, session: int) -> None:
    try:
        pidfd = os.pidfd_open(pid)
    except OSError:
        return
    try:
        # Check again: the number may have gone to another process before the descriptor was opened.
        if _get_session(pid) == session:
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    except OSError:
        pass
    finally:
        os.close(pidfd)
