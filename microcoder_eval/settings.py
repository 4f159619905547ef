"""How to judge: the keywords of ``Judge`` and ``judge``, as one frozen record."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, Unpack

from .errors import DataError
from .forksafe import lazy_property
from .languages import LANGUAGE_NAMES, find_language
from .records import Limits, check_limit, sha256_of

DEFAULT_PACKAGES = ("numpy", "sortedcontainers")
NO_LIMITS = Limits()
STOPS = ("first_failure", "never", "passed_only")
ISOLATIONS = ("batch", "test")
ENGINES = ("local", "ray")
# What workers are started with. All other options travel with the problems.
POOL_OPTIONS = frozenset(
    {"workers", "engine", "max_pending", "packages", "min_level", "max_level"}
    | {"allow_unsafe", "profile"}
)


class JudgeKeywords(TypedDict, total=False):
    """The options of JudgeOptions as callers write them; type checkers read this."""

    workers: int | None
    engine: str
    max_pending: int
    limits: Limits | Mapping[str, Any] | None
    compare: str | Mapping[str, Any]
    stop: str
    isolation: str | None
    packages: Sequence[str]
    ignore_checkers: bool
    time_scale: float
    language_time_scale: Mapping[str, float] | None
    min_level: int
    allow_unsafe: bool
    adaptive: bool
    profile: str | None
    testlib: str | os.PathLike[str] | None
    reuse: bool
    max_level: int


@dataclass(frozen=True)
class JudgeOptions:
    """All options of a judge, checked. Raises ValueError, and ComparerError for ``compare``.

    workers: processes, one busy core each (default: the cores this process may use).
    engine: "local", or "ray": the nodes of a Ray cluster, ``workers`` on each (default: its cores).
    max_pending: how many solutions may be queued or running before ``submit`` blocks.
    limits: replaces the problem's own where given. time_scale: multiplies the time limits after
    that. language_time_scale: factors on them for programs in some languages, besides
    ({"python": 3.0}). compare: a comparer by name or options. ignore_checkers: use it for all
    problems.
    stop: at the "first_failure", or "never". Of a problem with groups "first_failure" runs all
    tests that the points depend on; "passed_only" ends there, too, and leaves points None.
    isolation: tests of a plain program share a process ("batch"), or never do ("test").
    packages: what programs may import besides the standard library, where installed.
    min_level: of isolation that must be reached; 1 needs allow_unsafe. max_level: that may be.
    adaptive: under "first_failure", run those tests first that other programs failed.
    testlib: the text of testlib.h, for checkers that include it.
    reuse: judge identical programs of a problem once (False: each time anew, to find flaky ones).
    profile: not available yet.
    """

    workers: int | None = None
    engine: str = "local"
    max_pending: int = 1024
    limits: Limits = NO_LIMITS
    compare: str | Mapping[str, Any] = "calibrated"
    stop: str = "first_failure"
    isolation: str = "batch"
    packages: tuple[str, ...] = DEFAULT_PACKAGES
    ignore_checkers: bool = False
    time_scale: float = 1.0
    language_time_scale: Mapping[str, float] | None = None
    min_level: int = 3
    allow_unsafe: bool = False
    adaptive: bool = False
    profile: str | None = None
    testlib: str | None = None
    reuse: bool = True
    max_level: int = 4

    @classmethod
    def from_keywords(cls, **keywords: Unpack[JudgeKeywords]) -> JudgeOptions:
        """The options that a caller's keywords mean; None: the default. Raises as the class, and
        DataError for a testlib.h that cannot be read."""
        options: dict[str, Any] = {k: value for k, value in keywords.items() if value is not None}
        options["limits"] = Limits.coerce(options.get("limits"))
        options["packages"] = tuple(options.get("packages", DEFAULT_PACKAGES))
        if "testlib" in options:
            options["testlib"] = read_testlib(options["testlib"])
        return cls(**options)

    def __post_init__(self) -> None:
        from .compare import make_comparer  # late: only who judges needs it

        _check_choice("engine", self.engine, ENGINES)
        if self.profile:
            raise ValueError("profile: not available in this version")
        if self.workers is not None and self.workers < 1:
            raise ValueError(f"workers must be 1 or more, not {self.workers}")
        if self.max_pending < 1:
            raise ValueError(f"max_pending must be 1 or more, not {self.max_pending}")
        _check_choice("stop", self.stop, STOPS)
        _check_choice("isolation", self.isolation, ISOLATIONS)
        check_limit("time_scale", self.time_scale)
        for name, scale in (self.language_time_scale or {}).items():
            _check_choice("a language of language_time_scale", name, LANGUAGE_NAMES)
            check_limit(f"language_time_scale of {name}", scale)
        if not isinstance(self.limits, Limits):
            raise ValueError(f"limits must be Limits, not {self.limits!r}")
        if not 1 <= self.min_level <= 4:
            raise ValueError(f"min_level must be 1 to 4, not {self.min_level}")
        if self.min_level < 2 and not self.allow_unsafe:
            raise ValueError("min_level 1 means no system call filter: say allow_unsafe=True")
        make_comparer(self.compare)

    def get_time_scale(self, language: str) -> float:
        """The factor on the time limits of programs in a language, which may be an alias."""
        record = find_language(language)
        scales = self.language_time_scale or {}
        return self.time_scale * scales.get(record.name if record else language, 1.0)

    @lazy_property
    def config_sha256(self) -> str:
        """Hash of what can change a verdict (not of how many workers find it)."""
        return sha256_of(
            {
                "compare": self.compare if isinstance(self.compare, str) else dict(self.compare),
                "stop": self.stop,
                "isolation": self.isolation,
                "limits": self.limits.list_hashed_values(),
                "packages": sorted(self.packages),
                "ignore_checkers": self.ignore_checkers,
                "time_scale": self.time_scale,
                **(
                    {"language_time_scale": dict(self.language_time_scale)}
                    if self.language_time_scale
                    else {}
                ),
                **({"adaptive": True} if self.adaptive else {}),
                **({"testlib": sha256_of(self.testlib)} if self.testlib is not None else {}),
            }
        )


def _check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise ValueError(f'{name} must be one of {", ".join(choices)}, not "{value}"')


def read_testlib(path: str | os.PathLike[str]) -> str:
    """The text of testlib.h, given its path or its folder's. Raises DataError."""
    file = Path(path)
    file = file / "testlib.h" if file.is_dir() else file
    try:
        return file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise DataError(f"testlib: {file} cannot be read: {error.strerror}") from error
