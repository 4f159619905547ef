"""What is seen while judging: a live line on a terminal, now and then a plain one elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from microcoder_eval.records import Verdict
from microcoder_eval.summary import Tally

from .badlines import BadLines

PLAIN_SECONDS = 10.0
LIVE_SECONDS = 0.2


class Progress:
    """Shows counts by verdict and the throughput, on standard error."""

    def __init__(self, tally: Tally, bad: BadLines) -> None:
        self._tally = tally
        self._bad = bad
        self._started = time.monotonic()
        self._shown = self._started
        self._live = sys.stderr.isatty()
        self._status: object = None

    def __enter__(self) -> Progress:
        if self._live:
            from rich.console import Console
            from rich.status import Status

            self._status = Status("judging", console=Console(stderr=True))
            self._status.start()
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
        """Show the counts if it is time to."""
        now = time.monotonic()
        if now - self._shown < (LIVE_SECONDS if self._live else PLAIN_SECONDS):
            return
        self._shown = now
        if self._status is not None:
            self._status.update(self._line(now))  # type: ignore[attr-defined]
        else:
            print(self._line(now), file=sys.stderr, flush=True)

    def _line(self, now: float) -> str:
        tally = self._tally
        counts = " ".join(
            f"{verdict} {tally.verdicts[str(verdict)]}"
            for verdict in Verdict
            if tally.verdicts[str(verdict)]
        )
        bad = f" · {self._bad.count} bad lines" if self._bad.count else ""
        rate = tally.solutions / max(now - self._started, 1e-3)
        return f"{tally.solutions} judged · {counts or 'none yet'}{bad} · {rate:.1f}/s"
