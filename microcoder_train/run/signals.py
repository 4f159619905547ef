"""Handles Ctrl-C and SIGTERM: a run stops at a point where it loses nothing and can save."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from microcoder_train.parallel import max_over_ranks, world_size

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupted(BaseException):
    """A signal stopped the run. A BaseException, so that ``except Exception`` does not catch it."""


class Stop:
    """A context in which signals request a stop; a second Ctrl-C raises KeyboardInterrupt.

    Inside ``interrupt_at_once``, which is used for sampling, the first signal raises Interrupted:
    sampling changes nothing that a checkpoint holds. Elsewhere it only sets ``requested``. A signal
    to one rank stops all ranks.
    """

    def __init__(self) -> None:
        self.requested = False
        self._at_once = False
        self._previous_handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Stop:
        if threading.current_thread() is threading.main_thread():
            self._previous_handlers = {
                number: signal.signal(number, self._handle_signal) for number in STOP_SIGNALS
            }
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error and world_size() > 1:
            # torchrun sends SIGTERM as soon as one process is lost. The others end by themselves,
            # and must be able to say why first.
            return
        for number, handler in self._previous_handlers.items():
            signal.signal(number, handler)

    @contextmanager
    def interrupt_at_once(self) -> Iterator[None]:
        """Allow a signal to interrupt the code inside at any point; this code must not
        communicate."""
        self._at_once = True
        try:
            if self.requested:
                raise Interrupted
            yield
        except Interrupted:
            pass
        finally:
            self._at_once = False
        self.check()

    def check(self) -> None:
        """Raise Interrupted if any rank got a signal."""
        if any(max_over_ranks(self.requested)):
            raise Interrupted

    def _handle_signal(self, number: int, frame: FrameType | None) -> None:
        if self.requested and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.requested = True
        if self._at_once:
            self._at_once = False
            raise Interrupted
