"""SIGTERM ends long work as Ctrl-C does: what it holds is put away on the way out."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ending_cleanly() -> Iterator[None]:
    """SIGTERM raises KeyboardInterrupt within. For the main thread only (signal(2))."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)
