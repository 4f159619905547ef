"""What a runtime (Java, JavaScript, PyPy) uses without a program: subtracted from each run."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from dataclasses import replace

from microcoder_sandbox.errors import SandboxError
from microcoder_sandbox.frozen_records import record
from microcoder_sandbox.toolchains.toolchain import Runtime

from .outcome import Outcome, ResourceLimits

IDLE_LIMITS = ResourceLimits(
    cpu_seconds=20.0, wall_seconds=60.0, memory_bytes=1 << 30, output_bytes=1 << 20
)


@record
class IdleUsage:
    """What a runtime uses when it starts and ends without a program. peak_memory: in bytes."""

    cpu_s: float
    wall_s: float
    peak_memory: int


def find_least_usage(runs: Sequence[Outcome]) -> IdleUsage:
    """Return the smallest usage of several runs; other load only increases it.

    Raises SandboxError.
    """
    for run in runs:
        if not run.ended_well:
            message = run.stderr[-200:].decode("utf-8", "replace").strip()
            raise SandboxError(
                f"a runtime does not start (status {run.status}, killed {run.killed}, "
                f"errno {run.setup_errno}): {message}"
            )
    return IdleUsage(
        min(run.cpu_s for run in runs),
        min(run.wall_s for run in runs),
        min(run.peak_memory or 0 for run in runs),
    )


def add_idle_usage(limits: ResourceLimits, idle: IdleUsage, runtime: Runtime) -> ResourceLimits:
    """Return limits for the runtime and a program together; ``limits`` are the program's."""
    contended = limits.contended_cpu_seconds
    return replace(
        limits,
        cpu_seconds=limits.cpu_seconds + idle.cpu_s,
        contended_cpu_seconds=contended + idle.cpu_s if contended else 0.0,
        wall_seconds=limits.wall_seconds + idle.wall_s,
        memory_bytes=limits.memory_bytes + idle.peak_memory,
        address_bytes=limits.address_bytes + runtime.address_bytes,
    )


def subtract_idle_usage(outcome: Outcome, idle: IdleUsage, runtime: Runtime) -> Outcome:
    """Return an outcome without the runtime's share. A full heap counts as refused memory."""
    return outcome._replace(
        cpu_s=max(0.0, outcome.cpu_s - idle.cpu_s),
        wall_s=max(0.0, outcome.wall_s - idle.wall_s),
        peak_memory=max(0, (outcome.peak_memory or 0) - idle.peak_memory),
        refused_memory=outcome.refused_memory or _is_heap_full(outcome, runtime),
    )


def _is_heap_full(outcome: Outcome, runtime: Runtime) -> bool:
    """Whether a runtime ended itself because its heap was full. A program may print anything, so
    only what follows the last report's beginning counts, and only if the signal ended it."""
    if outcome.killed is not None or outcome.exit_code != -signal.SIGABRT:
        return False
    start, reason = runtime.out_of_memory_report
    return re.search(reason, outcome.stdout[outcome.stdout.rfind(start) :]) is not None
