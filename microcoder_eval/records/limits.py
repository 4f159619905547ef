"""The limits of one test, checked where they are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from microcoder_sandbox import record

DEFAULT_TIME_S = 6.0
_DEFAULT_MEMORY_MB = 1024
MIN_OUTPUT_MB = 16.0
# The highest value of a limit and of the factor on time limits: 30 years, or a petabyte. The
# kernel's counters overflow beyond it.
HIGHEST_LIMIT = 1e9
# Results between these factors of the time limit carry the flag near_limit.
NEAR_LIMIT_FROM, NEAR_LIMIT_TO = 0.8, 1.25
# Limits below the first number or above the second are warned of: another unit may be meant.
_USUAL = {
    "time_s": (0, 300, "seconds, not milliseconds"),
    "wall_s": (0, 1000, "seconds, not milliseconds"),
    "memory_mb": (4, 100_000, "MiB, not GiB, KiB or bytes"),
}
# Limits as other programs call them. What they call milliseconds is not among them.
LIMIT_ALIASES = {
    **dict.fromkeys(("timeout", "timeout_s", "time_limit", "time_limit_s", "time"), "time_s"),
    **dict.fromkeys(("memory", "memory_limit", "memory_limit_mb"), "memory_mb"),
    "output_limit": "output_mb",
}


def choose_wall_s(time_s: float) -> float:
    """Return the limit of wall time that goes with a limit of CPU time."""
    return max(3 * time_s, time_s + 2)


def check_limit(name: str, value: Any) -> None:
    """Raise ValueError unless ``value`` is a number above 0 and at most HIGHEST_LIMIT."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (is_number and 0 < value <= HIGHEST_LIMIT):
        text = repr(value) if not isinstance(value, int) or abs(value) < 10**20 else "a huge number"
        raise ValueError(
            f"{name} must be a number above 0 and at most {HIGHEST_LIMIT:g}, not {text}"
        )


def find_unusual_limits(limits: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each limit so high or so low that another unit may be meant."""
    for name, (lowest, highest, unit) in _USUAL.items():
        value = limits.get(name)
        if not isinstance(value, int | float) or not 0 < value <= HIGHEST_LIMIT:
            continue
        if not lowest <= value <= highest:
            how = "low" if value < lowest else "high"
            yield f'"{name}": {value:g} is very {how}: this limit is in {unit}'


@record
class Limits:
    """Limits of one test. Each is a number above 0 and at most HIGHEST_LIMIT, anything else raises
    ValueError; one that is None has the problem's value, else the default.

    time_s: CPU seconds, user and system, of all threads (default 6).
    wall_s: seconds on the clock, which stands still while the program waits for a core, for at most
        three times this limit (default ``choose_wall_s``: max(3 * time_s, time_s + 2)).
    memory_mb: resident MiB above an idle interpreter (default 1024).
    output_mb: MiB on standard output (default max(16, twice the expected output)).
    files_mb: MiB of files in a working folder that starts empty (default: no files).
    """

    time_s: float | None = None
    wall_s: float | None = None
    memory_mb: float | None = None
    output_mb: float | None = None
    files_mb: float | None = None

    def __post_init__(self) -> None:
        for name in self.__match_args__:
            value = getattr(self, name)
            if value is not None:
                check_limit(name, value)

    def __repr__(self) -> str:
        """Return the limits that are set."""
        return f"Limits({', '.join(f'{n}={v!r}' for n, v in self.list_set_values().items())})"

    @property
    def effective_time_s(self) -> float:
        """``time_s``, the default where it is None."""
        return self.time_s or DEFAULT_TIME_S

    @property
    def effective_memory_mb(self) -> float:
        """``memory_mb``, the default where it is None."""
        return self.memory_mb or _DEFAULT_MEMORY_MB

    def list_set_values(self) -> dict[str, float]:
        """Return the limits that are not None, by name."""
        values = {name: getattr(self, name) for name in self.__match_args__}
        return {name: value for name, value in values.items() if value is not None}

    @classmethod
    def coerce(cls, value: Limits | Mapping[str, Any] | None) -> Limits:
        """Make limits from a mapping. Raises ValueError that names the key at fault."""
        if value is None or isinstance(value, Limits):
            return value or cls()
        if not isinstance(value, Mapping):
            raise ValueError(f"limits must be Limits or a mapping, not {value!r}")
        for name in value:
            if name not in cls.__match_args__:
                names = ", ".join(cls.__match_args__)
                raise ValueError(f"limits: there is no limit {name!r}, only {names}")
        return cls(**value)

    def fill_from(self, base: Limits) -> Limits:
        """Return these limits, with those of ``base`` for the ones that are None."""
        values = self.list_set_values()
        return replace(base, **values) if values else base


NO_LIMITS = Limits()
