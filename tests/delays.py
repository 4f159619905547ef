"""A busy machine, and how long this process waits for a core on it: for tests that bound times."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

NAP_SECONDS = 0.005
LOOPS_PER_CORE = 3
MEASURE_SECONDS = 0.5
# Times its clock, after which every run ends, whatever it waited: as the docs promise.
WAIT_BOUND = 4
# It ends with the process that started it, also where a test is killed.
BUSY_LOOP = "import os\nstarter = os.getppid()\nwhile os.getppid() == starter: pass"


class Delays:
    """The seconds by which a thread that slept short naps was woken too late, in all."""

    seconds = 0.0


@contextmanager
def measured_delays() -> Iterator[Delays]:
    """Measure while the block runs: what watches a program there is delayed by about as much."""
    delays, stop = Delays(), threading.Event()

    def nap() -> None:
        while not stop.is_set():
            start = time.monotonic()
            time.sleep(NAP_SECONDS)
            delays.seconds += max(0.0, time.monotonic() - start - 2 * NAP_SECONDS)

    thread = threading.Thread(target=nap)
    thread.start()
    try:
        yield delays
    finally:
        stop.set()
        thread.join()


class BusyLoops:
    """The busy loops of a block. A program beside them gets about as much of a core as they do."""

    def __init__(self, pids: list[int]) -> None:
        self._clocks = [((~pid) << 3) | 2 for pid in pids]  # clock_getcpuclockid(3)

    def measure_share(self) -> float:
        """The share of a core that one loop gets now: our loops, and all else that runs, count."""
        start, cpu_start = time.monotonic(), self._sum_cpu()
        time.sleep(MEASURE_SECONDS)
        cpu = self._sum_cpu() - cpu_start
        return cpu / len(self._clocks) / (time.monotonic() - start)

    def find_clock(self, cpu_seconds: float) -> float:
        """A clock that a program of so much CPU passes twofold: it lets the share double or halve
        before the program is within its clock, or beyond the fourfold one that ends every run."""
        return cpu_seconds / self.measure_share() / 2

    def _sum_cpu(self) -> float:
        return sum(time.clock_gettime(clock) for clock in self._clocks)


def skip_if_starved(seconds: float, clock_seconds: float) -> None:
    """Skip the test where a run took so long that the bound on its waiting may have ended it."""
    if seconds >= WAIT_BOUND * clock_seconds:
        pytest.skip(f"no core for it: {seconds:.1f} s at a clock of {clock_seconds:.1f} s")


@contextmanager
def busy_cores() -> Iterator[BusyLoops]:
    """More busy loops than cores, until the end of the block. Each in a session of its own, as the
    program is: the kernel shares the cores out among sessions (sched(7), autogroup)."""
    count = LOOPS_PER_CORE * len(os.sched_getaffinity(0))
    command = [sys.executable, "-c", BUSY_LOOP]
    loops = [subprocess.Popen(command, start_new_session=True) for _ in range(count)]
    try:
        yield BusyLoops([process.pid for process in loops])
    finally:
        for process in loops:
            process.kill()
            process.wait()
