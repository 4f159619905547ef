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
    """Shows a text on standard error, with the throughput and the time that is left. A context
    manager.

    describe: returns the text, how much is done, and how much is left (None if unknown).
    """

    def __init__(self, describe: Callable[[], tuple[str, int, int | None]]) -> None:
        self._describe = describe
        self._first: tuple[float, int] | None = None  # (seconds, count) of the first line
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
        text = self.format_line(now - self._start)
        if self._status is None:
            print_note(text)
        else:
            self._status.update(text)

    def format_line(self, seconds: float) -> str:
        """Return the line shown after so many seconds.

        The throughput is that since the first line: before it, processes were started.
        """
        text, count, left = self._describe()
        first_seconds, first_count = self._first = self._first or (seconds, count)
        elapsed, done = seconds - first_seconds, count - first_count
        if elapsed < _MIN_SECONDS or not done:
            return text
        text += f" · {done / elapsed:.1f}/s"
        return f"{text} · {format_seconds(left * elapsed / done)} left" if left else text


class ProgressCounter(ProgressLine):
    """Counts to a total (None if unknown). done: the count of an earlier run."""

    def __init__(self, label: str, total: int | None, done: int = 0) -> None:
        super().__init__(self._describe_count)
        self._label = label
        self._total = total
        self._count = done

    def advance(self) -> None:
        """Add one to the count."""
        self._count += 1
        self.update()

    def _describe_count(self) -> tuple[str, int, int | None]:
        if self._total is None:
            return f"{self._count} {self._label}", self._count, None
        text = f"{self._count} of {self._total} {self._label}"
        return text, self._count, self._total - self._count


def format_seconds(seconds: float) -> str:
    """Return a duration for people: 40 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
