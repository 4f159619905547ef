"""The highest limits that a client may ask for.

The server refuses higher limits instead of lowering them, since a verdict under other limits would
be wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.records import Limits
from microcoder_sandbox import record

MAX_OUTPUT_MB = 256.0  # a worker holds the output in memory
# Bound on test code and on starter code: parsing takes 500 bytes of memory for each character.
MAX_CODE_CHARS = 1 << 18


@record
class Caps:
    """The caps. time_s: CPU seconds of a test; memory_mb: MiB of a program, and of its files."""

    time_s: float
    memory_mb: float

    @staticmethod
    def check_code(problem: Mapping[str, Any]) -> None:
        """Raise DataError if the code of an unparsed problem is too long."""
        for name in ("test_code", "starter_code"):
            code = problem.get(name)
            if isinstance(code, str) and len(code) > MAX_CODE_CHARS:
                raise DataError(
                    f'"{name}" may have {MAX_CODE_CHARS} characters at most in a request; '
                    "longer ones can be served from a file (--dataset)"
                )

    def check(self, limits: Limits) -> None:
        """Raise DataError that names the limit which is too high."""
        caps = {
            "time_s": self.time_s,
            "wall_s": 3 * self.time_s + 2,
            "memory_mb": self.memory_mb,
            "output_mb": MAX_OUTPUT_MB,
            "files_mb": self.memory_mb,
        }
        for name, cap in caps.items():
            value = getattr(limits, name)
            if value is not None and value > cap:
                raise DataError(f"limits: {name} may be {cap:g} at most on this server")
