"""The limits of a run: from the smallest to the largest of its problems."""

from __future__ import annotations

from functools import cache

from microcoder_eval.records import (
    DEFAULT_MEMORY_MB,
    DEFAULT_TIME_S,
    Judgement,
    Limits,
    Problem,
)
from microcoder_eval.settings import JudgeOptions


class LimitRanges:
    """Collects the time and the memory that programs were given."""

    def __init__(self) -> None:
        self._seconds: set[float] = set()
        self._mebibytes: set[float] = set()

    def add(self, judgement: Judgement, problem: Problem) -> None:
        """Add the limits of one judgement, unless it does not say what it was judged with."""
        settings = judgement.settings
        if not settings and judgement.config_sha256 != _default_config():
            return
        try:
            limits = Limits.coerce(settings.get("limits")).fill_from(problem.limits)
            scale = float(settings.get("time_scale", 1.0))
        except (TypeError, ValueError):
            return  # settings that another program wrote
        self._seconds.add((limits.time_s or DEFAULT_TIME_S) * scale)
        self._mebibytes.add(limits.memory_mb or DEFAULT_MEMORY_MB)

    def describe(self) -> dict[str, str]:
        """Return {"limits": text}; nothing where no limit is known."""
        if not self._seconds:
            return {}
        seconds, mebibytes = map(_format_range, (self._seconds, self._mebibytes))
        return {"limits": f"{seconds} s of CPU time, {mebibytes} MiB"}


@cache
def _default_config() -> str:
    return JudgeOptions().config_sha256


def _format_range(values: set[float]) -> str:
    low, high = min(values), max(values)
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"
