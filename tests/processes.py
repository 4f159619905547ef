"""Which processes run, and waiting until something holds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import psutil

from microcoder_sandbox.host.compiler_tree import list_children


def list_descendants(pid: int) -> list[int]:
    """The processes below one, by number."""
    children = list_children(pid)
    return [*children, *(deeper for child in children for deeper in list_descendants(child))]


def is_alive(process: psutil.Process) -> bool:
    """Whether it runs: a zombie does not."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def wait_until(condition: Callable[[], bool], seconds: float = 120.0) -> bool:
    """Whether it came true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        threading.Event().wait(0.02)
    return condition()
