"""Progress of long work: live on a terminal, a plain line every ten seconds elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Any

from .streams import print_note

PLAIN_SECONDS = 10.0


class ProgressCounter:
    """Shows a count, its total (None: unknown), the throughput and the time that is left, on
    standard error. done: the count of an earlier run. A context manager."""

    def __init__(self, label: str, total: int | None, done: int = 0) -> None:
        self._label = label
        self._total = total
        self._done = done
        self._count = done
        self._start = self._shown_at = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> ProgressCounter:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import MofNCompleteColumn, Progress

            columns = (*Progress.get_default_columns(), MofNCompleteColumn())
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
            self._task = self._bar.add_task(self._label, total=self._total, completed=self._done)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self) -> None:
        """Add one to the count."""
        self._count += 1
        if self._bar is not None:
            self._bar.advance(self._task)
            return
        now = time.monotonic()
        if now - self._shown_at > PLAIN_SECONDS:
            self._shown_at = now
            print_note(self.format_line(now - self._start))

    def format_line(self, seconds: float) -> str:
        """Return the line shown after so many seconds."""
        rate = (self._count - self._done) / max(seconds, 1e-3)
        if self._total is None:
            return f"{self._count} {self._label} · {rate:.1f}/s"
        left = max(0, self._total - self._count) / rate if rate else 0.0
        return (
            f"{self._count} of {self._total} {self._label} · {rate:.1f}/s · "
            f"{format_seconds(left)} left"
        )


def format_seconds(seconds: float) -> str:
    """Return a duration for people: 40 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
