"""What a host (a Java or JavaScript machine) takes for itself, and is not its program's doing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .outcome import CageError, Outcome, ResourceLimits
from .programs import Host

LIMITS = ResourceLimits(
    cpu_seconds=20.0, wall_seconds=60.0, memory_bytes=1 << 30, output_bytes=1 << 20
)


@dataclass(frozen=True, slots=True)
class Idle:
    """Of a host that starts and ends without a program: seconds of CPU, seconds on the clock,
    resident bytes."""

    cpu_s: float
    wall_s: float
    peak_memory: int


def least(runs: Sequence[Outcome]) -> Idle:
    """The least of several runs: what else it took was the machine's doing. Raises CageError."""
    for run in runs:
        if run.status != 0 or run.killed is not None:
            words = run.stderr[-200:].decode("utf-8", "replace").strip()
            raise CageError(
                f"a host does not start (status {run.status}, killed {run.killed}, "
                f"errno {run.setup_errno}): {words}"
            )
    return Idle(
        min(run.cpu_s for run in runs),
        min(run.wall_s for run in runs),
        min(run.peak_memory or 0 for run in runs),
    )


def above(limits: ResourceLimits, idle: Idle, host: Host) -> ResourceLimits:
    """Limits of host and program together, for a program that may have ``limits``."""
    crowded = limits.crowded_cpu_seconds
    return replace(
        limits,
        cpu_seconds=limits.cpu_seconds + idle.cpu_s,
        crowded_cpu_seconds=crowded + idle.cpu_s if crowded else 0.0,
        wall_seconds=limits.wall_seconds + idle.wall_s,
        memory_bytes=limits.memory_bytes + idle.peak_memory,
        address_bytes=limits.address_bytes + host.address_bytes,
    )


def net_of(outcome: Outcome, idle: Idle, host: Host) -> Outcome:
    """The program's own part of an outcome, and whether its heap was full."""
    full = outcome.killed is None and outcome.exit_code == -host.out_of_memory
    return replace(
        outcome,
        cpu_s=max(0.0, outcome.cpu_s - idle.cpu_s),
        wall_s=max(0.0, outcome.wall_s - idle.wall_s),
        peak_memory=max(0, (outcome.peak_memory or 0) - idle.peak_memory),
        refused_memory=outcome.refused_memory or full,
    )
