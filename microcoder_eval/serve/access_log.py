"""The access log: one line on standard output for each request that was answered.

A thread writes the lines, so that a paused reader of the output does not stop requests. Lines
beyond a bound are dropped, and the next line says how many.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from queue import Full, Queue
from typing import Any

_MAX_LINES = 10_000  # waiting for the writer
_MAX_PATH_CHARS = 120
_STDOUT = 1


class AccessLog:
    """Lines of the form ``2026-11-22T21:50:00Z 127.0.0.1 POST /judge 200 31 ms``."""

    def __init__(self) -> None:
        self._lines: Queue[str | None] = Queue(_MAX_LINES)
        self._dropped_count = 0
        self._writer = threading.Thread(target=self._write_lines, daemon=True)
        self._writer.start()

    def record(self, scope: Mapping[str, Any], status: int, seconds: float) -> None:
        """Add the line of a request. Never blocks and raises nothing.

        scope: the request, as in ASGI. status: 499 if the client had disconnected.
        """
        note = f" ({self._dropped_count} lines dropped)" if self._dropped_count else ""
        try:
            self._lines.put_nowait(format_line(scope, status, seconds) + note + "\n")
            self._dropped_count = 0
        except Full:
            self._dropped_count += 1

    def close(self, timeout_s: float = 1.0) -> None:
        """Write the remaining lines, for at most ``timeout_s``."""
        try:
            self._lines.put(None, timeout=timeout_s)
        except Full:
            return
        self._writer.join(timeout_s)

    def _write_lines(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                os.write(_STDOUT, line.encode("ascii", "backslashreplace"))
            except OSError:
                pass  # a closed pipe or a full disk; requests are still answered


def format_line(scope: Mapping[str, Any], status: int, seconds: float) -> str:
    """Format one request. What a client sent is escaped, so that it cannot add lines."""
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    host = (scope.get("client") or "-")[0]
    method, path = (ascii(scope[key])[1:-1][:_MAX_PATH_CHARS] for key in ("method", "path"))
    return f"{moment} {host} {method} {path} {status} {1000 * seconds:.0f} ms"
