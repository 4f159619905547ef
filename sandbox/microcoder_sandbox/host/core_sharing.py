"""Keeps this thread and a child on one core, while they take turns.

They never run at the same time, so a second core gains nothing, and to wake one costs more than a
small test. Whatever lasts longer may move between cores again.
"""

from __future__ import annotations

import ctypes
import os

_get_core = getattr(ctypes.CDLL(None), "sched_getcpu", None)  # sched_getcpu(3), where libc has it


class CoreSharing:
    """Both on one core from ``begin`` to ``end``; both do nothing where that is so already.

    What a kernel or a container refuses is left as it is: only speed depends on it.
    """

    def __init__(self) -> None:
        self._cores: set[int] = set()  # where this thread may run otherwise
        self._pid = 0

    def begin(self, pid: int) -> None:
        """Keep this thread, and a process by its number, on the core where this thread runs."""
        if self._pid or _get_core is None:
            return
        cores, core = os.sched_getaffinity(0), _get_core()
        if core in cores and len(cores) > 1:
            self._cores, self._pid = cores, pid
            self._place({core})

    def end(self) -> None:
        """Let both run where this thread could before."""
        if self._pid:
            self._place(self._cores)
            self._pid = 0

    def _place(self, cores: set[int]) -> None:
        for process in (0, self._pid):
            try:
                os.sched_setaffinity(process, cores)
            except OSError:
                pass  # it has ended, or the kernel refuses
