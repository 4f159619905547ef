"""A pipe of which the host holds one end, or both."""

from __future__ import annotations

import os


class Pipe:
    """reader, writer: the descriptors of its ends; -1 once they are closed here."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()

    def let_others_open(self) -> None:
        """Let a child that is another user's open its end by name (/dev/stdout)."""
        os.fchmod(self.writer, 0o666)

    def close_reader(self) -> None:
        """Close the host's reading end, so that only the child reads."""
        if self.reader >= 0:
            os.close(self.reader)
            self.reader = -1

    def close_writer(self) -> None:
        """Close the host's writing end: the reader sees the end once the child has closed its."""
        if self.writer >= 0:
            os.close(self.writer)
            self.writer = -1

    def close(self) -> None:
        """Close what the host still holds."""
        self.close_reader()
        self.close_writer()
