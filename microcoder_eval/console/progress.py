"""Progress of long work: live on a terminal, a plain line every ten seconds elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Self

from .streams import print_note

PLAIN_SECONDS = 10.0
_LIVE_SECONDS = 0.2
_MIN_SECONDS = 5.0  # a throughput of less time says little


class ProgressLine:
    """Shows a line on standard error. format_line: makes the line from the seconds since the start.
    A context manager."""

    def __init__(self, format_line: Callable[[float], str]) -> None:
        self._format_line = format_line
        self._start = self._shown_at = time.monotonic()
        self._status: Any = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.status import Status

            self._status = Status("", console=Console(stderr=True))
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def update(self) -> None:
        """Show the line if the last one is long enough ago."""
        now = time.monotonic()
        if now - self._shown_at < (PLAIN_SECONDS if self._status is None else _LIVE_SECONDS):
            return
        self._shown_at = now
        text = self._format_line(now - self._start)
        if self._status is None:
            print_note(text)
        else:
            self._status.update(text)


class ProgressCounter(ProgressLine):
    """Shows a count, its total (None if unknown), the throughput and the time that is left. done:
    the count of an earlier run."""

    def __init__(self, label: str, total: int | None, done: int = 0) -> None:
        super().__init__(self.format_line)
        self._label = label
        self._total = total
        self._count = done
        self._first: tuple[float, int] | None = None  # (seconds, count) of the first line

    def advance(self) -> None:
        """Add one to the count."""
        self._count += 1
        self.update()

    def format_line(self, seconds: float) -> str:
        """Return the line shown after so many seconds.

        The throughput is that since the first line: before it, processes were started.
        """
        text = f"{self._count}{'' if self._total is None else f' of {self._total}'} {self._label}"
        self._first = self._first or (seconds, self._count)
        elapsed, count = seconds - self._first[0], self._count - self._first[1]
        if elapsed < _MIN_SECONDS or not count:
            return text
        text += f" · {count / elapsed:.1f}/s"
        if self._total is None:
            return text
        return f"{text} · {format_seconds((self._total - self._count) * elapsed / count)} left"


def format_seconds(seconds: float) -> str:
    """Return a duration for people: 40 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
