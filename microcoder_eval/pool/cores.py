"""How many cores this process may really use."""

from __future__ import annotations

import os

_MOUNTS = {"": "/sys/fs/cgroup", "cpu": "/sys/fs/cgroup/cpu"}  # of cgroup v2 and v1


def usable_cores() -> int:
    """Return the cores by affinity, further limited by the cgroup's CPU quota."""
    cores = len(os.sched_getaffinity(os.getpid()))
    return max(1, int(min([cores, *_read_quotas()])))


def share_of_cores() -> int:
    """Return the usable cores of one of the ranks that torchrun or accelerate started on this
    machine."""
    ranks = os.environ.get("LOCAL_WORLD_SIZE", "")
    return max(1, usable_cores() // (int(ranks) if ranks.isdecimal() and int(ranks) else 1))


def _read_quotas() -> list[float]:
    """Return the quotas, in cores, of this process's cgroup and of all groups above it.

    Without a cgroup namespace, /proc/self/cgroup lists host paths that are not mounted in the
    container. The container's own group is then the mount root, which this reads last.
    """
    quotas = []
    for line in _read_text("/proc/self/cgroup").splitlines():
        _, controllers, group = line.split(":", 2)
        for controller in {*controllers.split(",")} & _MOUNTS.keys():
            while True:
                quotas += _read_quota(_MOUNTS[controller] + group.rstrip("/"))
                if group in ("/", ""):
                    break
                group = os.path.dirname(group)
    return quotas


def _read_quota(folder: str) -> list[float]:
    fields = _read_text(f"{folder}/cpu.max").split()
    if not fields:
        quota, period = (_read_text(f"{folder}/cpu.cfs_{name}_us") for name in ("quota", "period"))
        fields = [quota.strip(), period.strip()]
    # "max", "-1" or nothing: no quota.
    return [int(fields[0]) / int(fields[1])] if fields[0].isdigit() else []


def _read_text(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""
