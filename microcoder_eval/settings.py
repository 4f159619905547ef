"""How to judge: the keywords of ``judge`` and ``Judge``, as one frozen record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from .records import Limits, sha256_of

DEFAULT_PACKAGES = ("numpy", "sortedcontainers")
NO_LIMITS = Limits()
STOPS = ("first_failure", "never")
ISOLATIONS = ("batch", "test")


class JudgeOptions(TypedDict, total=False):
    """The keywords of ``Judge``, for functions that hand them on."""

    workers: int | None
    engine: str
    max_pending: int
    limits: Limits | None
    compare: str | Mapping[str, Any]
    stop: str
    isolation: str | None
    packages: Sequence[str]
    ignore_checkers: bool
    time_scale: float
    min_level: int
    allow_unsafe: bool
    adaptive: bool
    profile: str | None
    testlib: str | None
    reuse: bool
    max_level: int


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can change a verdict, and the isolation asked for.

    limits: replaces the problem's own where given. time_scale: multiplies the time limits after
    that. packages: what programs may import besides the standard library, where installed.
    testlib: the text of testlib.h, for checkers that include it.
    """

    compare: str | Mapping[str, Any] = "calibrated"
    stop: str = "first_failure"
    isolation: str = "batch"
    limits: Limits = NO_LIMITS
    packages: tuple[str, ...] = DEFAULT_PACKAGES
    ignore_checkers: bool = False
    testlib: str | None = None
    time_scale: float = 1.0
    min_level: int = 3
    allow_unsafe: bool = False
    adaptive: bool = False

    def __post_init__(self) -> None:
        if self.stop not in STOPS:
            raise ValueError(f'stop must be one of {", ".join(STOPS)}, not "{self.stop}"')
        if self.isolation not in ISOLATIONS:
            known = ", ".join(ISOLATIONS)
            raise ValueError(f'isolation must be one of {known}, not "{self.isolation}"')
        if not self.time_scale > 0:
            raise ValueError(f"time_scale must be above 0, not {self.time_scale}")
        if not 1 <= self.min_level <= 4:
            raise ValueError(f"min_level must be 1 to 4, not {self.min_level}")
        if self.min_level < 2 and not self.allow_unsafe:
            raise ValueError("min_level 1 means no system call filter: say allow_unsafe=True")

    @property
    def config_sha256(self) -> str:
        """Hash of what can change a verdict (not of how many workers find it)."""
        return sha256_of(
            {
                "compare": self.compare if isinstance(self.compare, str) else dict(self.compare),
                "stop": self.stop,
                "isolation": self.isolation,
                "limits": self.limits.given(),
                "packages": sorted(self.packages),
                "ignore_checkers": self.ignore_checkers,
                "time_scale": self.time_scale,
                **({"adaptive": True} if self.adaptive else {}),
                **({"testlib": sha256_of(self.testlib)} if self.testlib is not None else {}),
            }
        )
