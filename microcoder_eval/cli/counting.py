"""How far a long verb has come: a bar on a terminal, now and then a plain line elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Any

PLAIN_SECONDS = 10.0


class Counting:
    """Counts up to a total (None: not known), on standard error. A context manager."""

    def __init__(self, what: str, total: int | None) -> None:
        self._what = what
        self._total = total
        self._done = 0
        self._shown = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> Counting:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._bar.start()
            self._task = self._bar.add_task(self._what, total=self._total)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self) -> None:
        """One more is done."""
        self._done += 1
        if self._bar is not None:
            self._bar.advance(self._task)
        elif time.monotonic() - self._shown > PLAIN_SECONDS:
            self._shown = time.monotonic()
            total = f" of {self._total}" if self._total is not None else ""
            print(f"{self._done}{total} {self._what}", file=sys.stderr, flush=True)
