"""The highest limits a client may ask for: beyond them its request is refused, never changed.

A verdict under other limits than those asked for would be another verdict.
"""

from __future__ import annotations

from dataclasses import dataclass

from microcoder_eval.errors import DataError
from microcoder_eval.records import Limits

MAX_OUTPUT_MB = 256.0  # held in memory by the worker


@dataclass(frozen=True, slots=True)
class Caps:
    """time_s: CPU seconds of a test; memory_mb: MiB of a program, and of files it may write."""

    time_s: float
    memory_mb: float

    def check(self, limits: Limits) -> None:
        """Raises DataError naming the limit that is too high."""
        highest = {
            "time_s": self.time_s,
            "wall_s": 3 * self.time_s + 2,
            "memory_mb": self.memory_mb,
            "output_mb": MAX_OUTPUT_MB,
            "files_mb": self.memory_mb,
        }
        for name, most in highest.items():
            asked = getattr(limits, name)
            if asked is not None and asked > most:
                raise DataError(f"limits: {name} may be {most:g} at most on this server")
