"""What a run is limited to, and what the sandbox reports of it. No verdicts here."""

from __future__ import annotations

import os
from enum import StrEnum

from microcoder_sandbox.frozen_records import record
from microcoder_sandbox.wire.light_record import LightRecord


@record
class ResourceLimits:
    """The limits of one run.

    cpu_seconds: CPU time, user plus system, of all threads.
    wall_seconds: time on the clock, which stands still while the run waits for a core, for up to
        three times this limit.
    memory_bytes: memory resident or in swap, above that of an empty program.
    output_bytes: bytes on standard output; standard error has no limit, and only its end is kept.
    contended_cpu_seconds: the CPU limit of a program that waited for a core longer than
        CONTENDED_SHARE of its CPU time, because contention also slows its computing down (caches,
        hyperthreads); if it is 0, cpu_seconds always applies.
    address_bytes: address space that the program may reserve without using it.
    folder_bytes: bytes of files in its working folder, 0 if it has none.
    """

    cpu_seconds: float
    wall_seconds: float
    memory_bytes: int
    output_bytes: int
    contended_cpu_seconds: float = 0.0
    address_bytes: int = 0
    folder_bytes: int = 0


CONTENDED_SHARE = 0.15  # of its CPU time; a program was contended if it waited longer for a core


class Killed(StrEnum):
    """Why we killed a child."""

    CPU = "cpu"
    WALL = "wall"
    MEMORY = "memory"
    OUTPUT = "output"
    FILES = "files"
    THREADS = "threads"
    IDLE = "idle"  # both programs of an interaction waited, or a compiler slept
    PARTNER = "partner"  # the other program of an interaction had ended


class Phase(StrEnum):
    """How far a child came, as it says itself: never evidence for a pass."""

    SETUP = "setup"
    COMPILING = "compiling"
    COMPILE_FAILED = "compile failed"
    RUNNING = "running"
    FINISHED = "finished"
    NO_ENTRY = "no entry point"


SETUP_STEPS = (  # protocol.STEP
    "placing its standard streams",
    "tying its life to the server's",
    "setting its limits",
    "entering Landlock",
    "closing other descriptors",
    "loading its system call filter",
    "starting the program",
)


class Outcome(LightRecord):
    """What happened to one child. Times in seconds, memory in bytes.

    status: a wait status (os.waitstatus_to_exitcode gives the exit code or -signal).
    peak_memory: peak of resident and swapped memory above that of a child of the same server whose
        program is empty; None where another test ran in the same child before.
    result: what was written apart from the streams: a call's value, a report, a compiled program.
    refused_memory: the program says that it ended by a MemoryError, or by an ENOMEM, that it did
        not catch; a runtime, that its heap was full. Only tells one failure from another.
    left_threads: whether threads were running at its end.
    exited_early: whether it ended by SystemExit.
    called_other_name: no function has the name asked for, so the program's only one was called.
    run_delay: seconds that its threads were ready to run and did not get a core. If the wall limit
        ended the run, the seconds of its partner are added. Only known near a limit.
    setup_step, setup_errno: where confining the child failed (protocol.STEP), and why.
    asked_candidate: whether test code has sent a candidate, or its stand-in, at least one request.
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
    called_other_name: bool = False
    run_delay: float = 0.0
    setup_step: int = 0
    setup_errno: int = 0
    asked_candidate: bool = False

    @property
    def exit_code(self) -> int:
        """Exit code, or minus the signal's number."""
        return os.waitstatus_to_exitcode(self.status)

    @property
    def ended_well(self) -> bool:
        """Whether the program ended by itself, with exit status 0."""
        return self.killed is None and self.status == 0
