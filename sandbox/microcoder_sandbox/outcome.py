"""What the cage is asked, and what it says happened. No verdicts here."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum


class CageError(Exception):
    """The cage itself failed. Never the judged program's doing as far as can be told."""


class CageUnavailableError(CageError):
    """The cage cannot be had here at the level asked for; the message says what is missing."""


class ServerStartError(CageUnavailableError):
    """No fork server could be started, several times over. Another process might still do it."""


class ServerLostError(CageError):
    """A fork server died or stopped answering. The run may be tried again on a new one."""


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """cpu_seconds: user plus system, all threads. memory_bytes: resident, above an empty program.
    output_bytes: on standard output; standard error is drained and its tail kept.
    crowded_cpu_seconds: instead of cpu_seconds where the program has waited for a core more than
    CROWDED of what it used, which also makes it slower (caches, hyperthreads); 0: no different.
    address_bytes: of address space that it may reserve, besides, without ever using it."""

    cpu_seconds: float
    wall_seconds: float
    memory_bytes: int
    output_bytes: int
    crowded_cpu_seconds: float = 0.0
    address_bytes: int = 0


CROWDED = 0.15  # share of its CPU time that a program has waited for a core


class Killed(StrEnum):
    """Why we killed a child."""

    CPU = "cpu"
    WALL = "wall"
    MEMORY = "memory"
    OUTPUT = "output"
    THREADS = "threads"
    IDLE = "idle"  # of two that talk, both waited
    PARTNER = "partner"  # of two that talk, the other had ended


class Phase(StrEnum):
    """How far a child says it came. Its own word: never evidence for a pass."""

    SETUP = "setup"
    COMPILING = "compiling"
    COMPILE_FAILED = "compile failed"
    RUNNING = "running"
    FINISHED = "finished"
    NO_ENTRY = "no entry point"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to one child. Times in seconds, memory in bytes.

    status: a wait status (os.waitstatus_to_exitcode gives the exit code or -signal).
    peak_memory: resident peak above that of a child of the same server whose program is empty;
    None where another test ran in the same child before.
    refused_memory: the program ended by a MemoryError, or by an ENOMEM, that escaped it.
    stopped: it stood still (SIGSTOP, its own or another's) when its time on the clock was over,
        or the test code whose calls it serves did at some time.
    run_delay: seconds it was ready to run and did not get a core; only known for slow children.
    """

    status: int
    killed: Killed | None
    phase: Phase
    cpu_s: float
    wall_s: float
    peak_memory: int | None
    stdout: bytes
    stderr: bytes
    result: bytes
    refused_memory: bool = False
    left_threads: bool = False
    exited_early: bool = False
    run_delay: float = 0.0
    stopped: bool = False
    setup_step: int = 0
    setup_errno: int = 0

    @property
    def exit_code(self) -> int:
        """Exit code, or minus the signal's number."""
        return os.waitstatus_to_exitcode(self.status)
