"""How long this process waits for a core: the control of tests that bound times."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

NAP_SECONDS = 0.005


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
