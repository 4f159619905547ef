"""SIGTERM and SIGINT end long work as Ctrl-C does: what it holds is put away on the way out."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ending_cleanly() -> Iterator[None]:
    """SIGTERM and SIGINT raise KeyboardInterrupt within. For the main thread only (signal(2)).

    SIGINT, too, since a shell's background job is started with it ignored.
    """

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    previous = {number: signal.signal(number, interrupt)
                for number in (signal.SIGINT, signal.SIGTERM)}  # fmt: skip
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
