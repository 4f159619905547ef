"""Ctrl-C and SIGTERM: stop where nothing is lost, then save."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from microcoder_train.parallel import world_max

STOPPING = (signal.SIGINT, signal.SIGTERM)


class Interrupted(BaseException):
    """The run was asked to stop. Like KeyboardInterrupt, no ``except Exception`` catches it."""


class Stop:
    """While entered, a signal asks the run to stop; a second Ctrl-C stops it at once.

    Inside ``at_once`` the first signal raises Interrupted where it is: sampling changes nothing
    that a checkpoint holds. Elsewhere it only sets ``requested``. Of several processes all stop
    when one is asked to.
    """

    def __init__(self) -> None:
        self.requested = False
        self._at_once = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Stop:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._asked) for number in STOPPING}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Where stopping loses nothing, and nothing is said to other processes."""
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
        """Raise Interrupted if a signal came, to whichever process."""
        if any(world_max(self.requested)):
            raise Interrupted

    def _asked(self, number: int, frame: FrameType | None) -> None:
        if self.requested and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.requested = True
        if self._at_once:
            self._at_once = False
            raise Interrupted
