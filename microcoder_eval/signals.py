"""Handlers of SIGTERM and SIGINT for the duration of a block."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager


@contextmanager
def handle_signals(handler: Callable[[], object]) -> Iterator[None]:
    """Call ``handler`` on SIGTERM and SIGINT within the block. For the main thread (signal(2)).

    SIGINT is included because shells start background jobs with SIGINT ignored.
    """
    numbers = (signal.SIGINT, signal.SIGTERM)
    previous_handlers = {n: signal.signal(n, lambda *_: handler()) for n in numbers}
    try:
        yield
    finally:
        for number, previous_handler in previous_handlers.items():
            signal.signal(number, previous_handler)


def interrupt_on_signals() -> AbstractContextManager[None]:
    """Raise KeyboardInterrupt on SIGTERM and SIGINT within the block."""
    return handle_signals(_interrupt)


def _interrupt() -> None:
    raise KeyboardInterrupt
