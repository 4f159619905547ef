"""Progress of long work: live on a terminal, a plain line every ten seconds elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

from microcoder_eval.records import Verdict
from microcoder_eval.results.summary import Tally

from .bad_lines import BadLines
from .streams import print_note

PLAIN_SECONDS = 10.0
LIVE_SECONDS = 0.2


class Progress:
    """Shows counts by verdict, the throughput and the time that is left, on standard error.

    total: how many solutions there are, unusable ones included; None: unknown. quiet: show nothing.
    """

    def __init__(
        self, tally: Tally, bad_lines: BadLines, total: int | None = None, quiet: bool = False
    ) -> None:
        self._tally = tally
        self._bad_lines = bad_lines
        self._total = total
        self._quiet = quiet
        self._start = time.monotonic()
        self._shown_at = self._start
        self._live = sys.stderr.isatty() and not quiet
        self._status: object = None

    def __enter__(self) -> Progress:
        if self._live:
            from rich.console import Console
            from rich.status import Status

            self._status = Status("judging", console=Console(stderr=True))
            self._status.start()
        elif not self._quiet:
            noun = "solution" if self._total == 1 else "solutions"
            print_note("judging" if self._total is None else f"judging {self._total} {noun}")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status is not None:
            self._status.stop()  # type: ignore[attr-defined]

    def update(self) -> None:
        """Show the counts if the last time is long enough ago."""
        now = time.monotonic()
        if self._quiet or now - self._shown_at < (LIVE_SECONDS if self._live else PLAIN_SECONDS):
            return
        self._shown_at = now
        if self._status is not None:
            self._status.update(self._format_line(now))  # type: ignore[attr-defined]
        else:
            print_note(self._format_line(now))

    def _format_line(self, now: float) -> str:
        tally = self._tally
        counts = " ".join(
            f"{verdict} {tally.verdicts[str(verdict)]}"
            for verdict in Verdict
            if tally.verdicts[str(verdict)]
        )
        bad_text = f" · {self._bad_lines.count} bad lines" if self._bad_lines.count else ""
        rate = tally.solutions / max(now - self._start, 1e-3)
        judged, left_text = f"{tally.solutions} judged", ""
        if self._total is not None:
            judged = f"{tally.solutions} of {self._total} judged"
            left = max(0, self._total - tally.solutions - self._bad_lines.count)
            if rate and left:
                left_text = f" · {format_seconds(left / rate)} left"
        return f"{judged} · {counts or 'none yet'}{bad_text} · {rate:.1f}/s{left_text}"


class ProgressCounter:
    """Shows a count, its total (None: unknown), the throughput and the time that is left, on
    standard error. done: what was counted in an earlier run. A context manager."""

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
