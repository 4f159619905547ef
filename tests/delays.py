"""A busy machine, and how long this process waits for a core on it: for tests that bound times."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

NAP_SECONDS = 0.005
LOOPS_PER_CORE = 3


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


@contextmanager
def busy_cores() -> Iterator[None]:
    """More busy loops than cores, until the end of the block. Each in a session of its own, as the
    program is: the kernel shares the cores out among sessions (sched(7), autogroup)."""
    count = LOOPS_PER_CORE * len(os.sched_getaffinity(0))
    command = [sys.executable, "-c", "while True: pass"]
    loops = [subprocess.Popen(command, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for process in loops:
            process.kill()
            process.wait()
