"""What the kernel says of a process: its children, its descriptors, its memory."""

from __future__ import annotations

import os
from pathlib import Path


def children(pid: int) -> list[int]:
    """Of all its threads; none once it is gone."""
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    except OSError:
        pass
    return found


def descriptors(pid: int) -> int:
    """How many it has open; 0 once it is gone."""
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def status(pid: int, name: str) -> int:
    """A number of /proc/PID/status, "VmRSS:" (KiB) or "Threads:" for instance; 0 if absent."""
    return _number(f"/proc/{pid}/status", name)


def proportional_kib(pid: int) -> int:
    """Its memory, what it shares counted in parts: the sum over all processes is what is used."""
    return _number(f"/proc/{pid}/smaps_rollup", "Pss:")


def _number(path: str, name: str) -> int:
    try:
        for line in Path(path).read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1])
    except OSError:
        pass
    return 0
