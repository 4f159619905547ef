"""Facts about processes from /proc: children, descriptors, memory."""

from __future__ import annotations

import os
from pathlib import Path


def list_children(pid: int) -> list[int]:
    """Return the children of all its threads; none if it has ended."""
    pids: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            pids += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    except OSError:
        pass
    return pids


def count_descriptors(pid: int) -> int:
    """Count its open descriptors; 0 if it has ended."""
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def read_status(pid: int, name: str) -> int:
    """Read a number of /proc/PID/status, "VmRSS:" (KiB) or "Threads:" for example; 0 if absent."""
    return _read_number(f"/proc/{pid}/status", name)


def read_proportional_kib(pid: int) -> int:
    """Read its proportional set size, in which shared pages are divided among processes."""
    return _read_number(f"/proc/{pid}/smaps_rollup", "Pss:")


def _read_number(path: str, name: str) -> int:
    try:
        for line in Path(path).read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1])
    except OSError:
        pass
    return 0
