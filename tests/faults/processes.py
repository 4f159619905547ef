"""Processes as the kernel shows them. Standard library only: any user's interpreter can run it."""

from __future__ import annotations

import os
import resource
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
LOOK_SECONDS = 0.001
STEP_SECONDS = 60.0  # until a step is reached; a matter of milliseconds on an idle machine
_STATE, _USER, _SYSTEM, _STARTED = 0, 11, 12, 19  # fields of /proc/PID/stat after the name


class StepError(AssertionError):
    """A step was not reached in time: the test says nothing about what it is for."""


def _fields(pid: int) -> list[bytes]:
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return text[text.rindex(b")") + 2 :].split()


@dataclass(frozen=True, slots=True)
class Process:
    """One process, never confused with a later one of the same number."""

    pid: int
    started: int

    @classmethod
    def of(cls, pid: int) -> Process | None:
        """The process that has this number now; None when there is none."""
        fields = _fields(pid)
        return cls(pid, int(fields[_STARTED])) if fields else None

    def _stat(self) -> list[bytes]:
        fields = _fields(self.pid)
        return fields if fields and int(fields[_STARTED]) == self.started else []

    @property
    def state(self) -> str:
        """The kernel's letter: R running, S waiting, T stopped, Z ended; "" when reaped."""
        fields = self._stat()
        return fields[_STATE].decode() if fields else ""

    @property
    def cpu_ticks(self) -> int:
        """CPU time so far, in hundredths of a second."""
        fields = self._stat()
        return int(fields[_USER]) + int(fields[_SYSTEM]) if fields else 0

    @property
    def alive(self) -> bool:
        return self.state not in ("", "Z", "X")

    def name(self) -> str:
        """Of its program; "" when it has ended."""
        try:
            return Path(f"/proc/{self.pid}/comm").read_text().strip()
        except (FileNotFoundError, ProcessLookupError):
            return ""

    def send(self, number: int) -> bool:
        """Send a signal; False when it has ended."""
        if not self.alive:
            return False
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            return False
        return True

    def stop(self) -> None:
        """SIGSTOP, and wait until it stands still."""
        self.send(signal.SIGSTOP)
        wait_for(lambda: self.state in ("T", "Z", ""), "a process to stop")

    def descriptors(self) -> int:
        """How many it has open."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def highest_descriptor(self) -> int:
        return max(map(int, os.listdir(f"/proc/{self.pid}/fd")))

    def address_space(self) -> int:
        """In bytes."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[0])
        return pages * resource.getpagesize()

    def oom_score_adj(self) -> int:
        return int(Path(f"/proc/{self.pid}/oom_score_adj").read_text())


def wait_for(condition: Callable[[], T], what: str, seconds: float = STEP_SECONDS) -> T:
    """Wait until ``condition`` is true and return its value. Raises StepError."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise StepError(f"waited {seconds:g} s for {what}")
        threading.Event().wait(LOOK_SECONDS)
    return value


def list_children(pid: int) -> list[Process]:
    """Its children that have not ended, of any of its threads."""
    children = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            children += Path(f"/proc/{pid}/task/{task}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return []
    there = [Process.of(int(child)) for child in children]
    return [process for process in there if process is not None and process.alive]


def list_descendants(pid: int) -> list[Process]:
    """All that live below it."""
    below = list_children(pid)
    return below + [deeper for child in below for deeper in list_descendants(child.pid)]
