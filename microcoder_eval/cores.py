"""How many cores this process may really use."""

from __future__ import annotations

import os


def usable_cores() -> int:
    """Cores by affinity, further limited by a cgroup quota (cgroup v2 cpu.max, v1 cfs_quota)."""
    cores = len(os.sched_getaffinity(os.getpid()))
    quota = _quota()
    return cores if quota is None else max(1, min(cores, int(quota)))


def _quota() -> float | None:
    v2 = _read("/sys/fs/cgroup/cpu.max").split()
    if len(v2) == 2 and v2[0] != "max":
        return int(v2[0]) / int(v2[1])
    quota = _read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us").strip()
    period = _read("/sys/fs/cgroup/cpu/cpu.cfs_period_us").strip()
    if quota and period and int(quota) > 0:
        return int(quota) / int(period)
    return None


def _read(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""
