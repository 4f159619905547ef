"""Progress of judging: live on a terminal, a plain line every ten seconds elsewhere."""

from __future__ import annotations

import sys
import time

from microcoder_eval.console.progress import PLAIN_SECONDS, format_seconds
from microcoder_eval.console.streams import print_note
from microcoder_eval.records import Verdict
from microcoder_eval.results.summary import Tally

from .bad_lines import BadLines

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

    def __exit__(self, *_: object) -> None:
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
