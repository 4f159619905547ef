"""The clock of one child: when its run began and ended, and when its server must answer."""

from __future__ import annotations

import time

REPLY_SECONDS = 15.0  # to wait for STILL_RUNNING, or for Exit after a kill; both take milliseconds


class WallClock:
    """The times of a run, in seconds of ``time.monotonic``.

    ``grace_start``: when the grace of GRACE_MS began. ``reply_deadline``: the time by which the
    server must answer, None while no answer is due.
    """

    def __init__(self) -> None:
        self.start = self.grace_start = time.monotonic()
        self.end = self.start
        self.reply_deadline: float | None = self.start + REPLY_SECONDS

    @property
    def elapsed(self) -> float:
        """Seconds from start to end."""
        return max(0.0, self.end - self.start)

    def stop(self) -> None:
        """Set the end of the run to now."""
        self.end = time.monotonic()

    def restart(self) -> None:
        """Start the clock of the next run, in the same child."""
        self.start = self.grace_start = time.monotonic()
        if self.reply_deadline is not None:
            self.expect_reply()  # STILL_RUNNING is due, if it has not come yet

    def resume(self) -> None:
        """Continue the run that was stopped."""
        self.start = time.monotonic() - (self.end - self.start)

    def expect_reply(self) -> None:
        """Expect a message of the server, which must come within REPLY_SECONDS."""
        self.reply_deadline = time.monotonic() + REPLY_SECONDS

    def exclude_from_elapsed(self, seconds: float) -> None:
        """Do not count these seconds against the program, or the server's answer."""
        self.start += seconds
        self.grace_start += seconds
        if self.reply_deadline is not None:
            self.reply_deadline += seconds
