"""How to judge: the keywords of ``Judge`` and ``judge``, as one frozen record."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn, TypedDict, Unpack

from microcoder_sandbox import record

from .errors import DataError, suggest
from .forksafe import lazy_property
from .languages import LANGUAGE_NAMES, find_language
from .log import warn_caller
from .records import LIMIT_ALIASES, NO_LIMITS, Limits, check_limit, find_unusual_limits, sha256_of

_DEFAULT_COMPARER = "calibrated"
DEFAULT_PACKAGES = ("numpy", "sortedcontainers")
STOPS = ("first_failure", "never", "passed_only")
ISOLATIONS = ("batch", "test")
ENGINES = ("local", "ray")
# What workers are started with. All other options travel with the problems.
POOL_OPTIONS = frozenset(
    {"workers", "engine", "max_pending", "packages", "min_level", "max_level", "allow_unsafe"}
)

# What callers name the arguments of ``judge`` and ``run``.
_ARGUMENT_NAMES = {
    **dict.fromkeys(("problem", "test", "test_cases"), "tests"),
    **dict.fromkeys(("answer", "completion", "text"), "response"),
    "program": "code",
    "input": "stdin",
}


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
    testlib: str | os.PathLike[str] | None
    reuse: bool
    cache: str | os.PathLike[str] | None
    max_level: int


@record
class JudgeOptions:
    """All options of a judge, checked. Raises ValueError, and ComparerError for ``compare``.

    limits: Limits or a dict of them: time_s (CPU seconds a test), wall_s (seconds), memory_mb,
        output_mb, files_mb (MiB). They replace the problem's own (default: the problem's, else
        6 s, 3 * time_s but at least time_s + 2, 1024 MiB, at least 16 MiB, no files).
    time_scale: factor on all time limits after that (default 1.0).
    language_time_scale: further factors on them, for programs in some languages, such as
        {"python": 3.0} (default: none).
    compare: a comparer by name, NAME:key=value, or dict (default "calibrated").
    ignore_checkers: use ``compare`` even for problems with a checker (default False).
    stop: "first_failure" runs no test after the first that fails, and ``score`` is then None;
        "never" runs all, as the command line does by default (default "first_failure"). Of a
        problem with groups "first_failure" runs all tests that the points depend on;
        "passed_only" stops there once a solution cannot pass, and then leaves points None.
    isolation: tests of a plain program share a process ("batch", default), or never do ("test").
    packages: what programs may import besides the standard library, where installed (default
        numpy and sortedcontainers).
    testlib: path of testlib.h, or of its folder, for checkers that include it (default: none).
    adaptive: where judging stops at the first failure (``stop``), first run those tests that other
        programs failed most often, then those with small inputs (default False: the order of the
        file).
    reuse: judge identical programs of a problem once; False: each time, to find flaky ones
        (default True).
    cache: a folder of your own where verdicts are kept, and looked up by later runs; only with
        reuse and the engine "local" (default: none).
    workers: processes, one busy core each (default: the cores that this process may use).
    engine: "local" (default), or "ray": the nodes of a Ray cluster, ``workers`` on each.
    max_pending: how many solutions may be queued or running before ``submit`` blocks (default
        1024).
    min_level: the isolation level that must be reached, 1 to 4 (default 3); 1 needs allow_unsafe.
    max_level: the isolation level that may be used, 1 to 4 (default 4).
    allow_unsafe: accept min_level 1, which filters no system calls (default False).
    """

    workers: int | None = None
    engine: str = "local"
    max_pending: int = 1024
    limits: Limits = NO_LIMITS
    compare: str | Mapping[str, Any] = _DEFAULT_COMPARER
    stop: str = "first_failure"
    isolation: str = "batch"
    packages: tuple[str, ...] = DEFAULT_PACKAGES
    ignore_checkers: bool = False
    time_scale: float = 1.0
    language_time_scale: Mapping[str, float] | None = None
    min_level: int = 3
    allow_unsafe: bool = False
    adaptive: bool = False
    testlib: str | None = None
    reuse: bool = True
    cache: str | None = None
    max_level: int = 4

    @classmethod
    def from_keywords(cls, **keywords: Unpack[JudgeKeywords]) -> JudgeOptions:
        """Return the options that a caller's keywords mean; None means the default. Raises as the
        class, and DataError for a testlib.h that cannot be read."""
        _refuse_unknown(keywords)
        options: dict[str, Any] = {k: value for k, value in keywords.items() if value is not None}
        options["limits"] = limits = Limits.coerce(options.get("limits"))
        for sentence in find_unusual_limits(limits.list_set_values()):
            warn_caller(f"limits: {sentence}")
        options["packages"] = _read_names("packages", options.get("packages", DEFAULT_PACKAGES))
        if isinstance(stop := options.get("stop"), str):
            options["stop"] = stop.replace("-", "_")  # as the command line spells it
        if "cache" in options:
            options["cache"] = os.path.abspath(options["cache"])
        if "testlib" in options:
            options["testlib"] = read_testlib(options["testlib"])
        return cls(**options)

    def __post_init__(self) -> None:
        for name in ("ignore_checkers", "allow_unsafe", "adaptive", "reuse"):
            if not isinstance(value := getattr(self, name), bool):
                raise ValueError(f"{name} must be True or False, not {value!r}")
        check_choice("engine", self.engine, ENGINES)
        if self.cache is not None and (self.engine != "local" or not self.reuse):
            raise ValueError('cache needs reuse=True and engine="local"')
        if self.workers is not None:
            _check_count("workers", self.workers)
        _check_count("max_pending", self.max_pending)
        _check_count("min_level", self.min_level, highest=4)
        _check_count("max_level", self.max_level, highest=4)
        check_choice("stop", self.stop, STOPS)
        check_choice("isolation", self.isolation, ISOLATIONS)
        check_limit("time_scale", self.time_scale)
        scales = self.language_time_scale or {}
        if not isinstance(scales, Mapping):
            raise ValueError(
                'language_time_scale must be a dict such as {"python": 3}, '
                f"not {self.language_time_scale!r}"
            )
        for name, scale in scales.items():
            check_choice("a language of language_time_scale", name, LANGUAGE_NAMES)
            check_limit(f"language_time_scale of {name}", scale)
        if self.min_level < 2 and not self.allow_unsafe:
            raise ValueError("min_level 1 means no system call filter: say allow_unsafe=True")
        if not isinstance(self.compare, str | Mapping):
            raise ValueError(f"compare must be a comparer's name or a dict, not {self.compare!r}")
        if self.compare != _DEFAULT_COMPARER:
            from .compare import make_comparer  # late: workers compare, callers seldom do

            make_comparer(self.compare)

    def list_changes(self) -> list[str]:
        """List "name=value" of the options that do not have their default."""
        return [
            f"{option.name}={value!r}"
            for option in fields(self)
            if (value := getattr(self, option.name)) != option.default and option.name != "testlib"
        ]

    @lazy_property
    def _verdict_settings(self) -> Mapping[str, Any]:
        """The settings that can change a verdict, as plain values."""
        return {
            "limits": self.limits.list_set_values(),
            "compare": self.compare if isinstance(self.compare, str) else dict(self.compare),
            "stop": self.stop,
            "isolation": self.isolation,
            "packages": sorted(self.packages),
            "ignore_checkers": self.ignore_checkers,
            "time_scale": self.time_scale,
            "language_time_scale": dict(self.language_time_scale or {}),
            "adaptive": self.adaptive,
            "testlib": None if self.testlib is None else sha256_of(self.testlib),
        }

    @lazy_property
    def changed_settings(self) -> Mapping[str, Any]:
        """The settings that can change a verdict and do not have their default, as plain values."""
        defaults = JudgeOptions()._verdict_settings
        settings = self._verdict_settings.items()
        return {name: value for name, value in settings if value != defaults[name]}

    def get_time_scale(self, language: str) -> float:
        """Return the factor on the time limits of programs in a language, which may be an alias."""
        record = find_language(language)
        scales = self.language_time_scale or {}
        return self.time_scale * scales.get(record.name if record else language, 1.0)

    @lazy_property
    def config_sha256(self) -> str:
        """Hash of what can change a verdict (not of how many workers find it)."""
        return sha256_of(self._verdict_settings)


def refuse_misplaced(names: Sequence[str]) -> NoReturn:
    """Raise TypeError that says where options belong that were given beside a solution."""
    _refuse_unknown(names)
    name = names[0]
    raise TypeError(f"{name} is an option of Judge; judge.with_changes({name}=…) has another value")


def _refuse_unknown(names: Iterable[str]) -> None:
    """Raise TypeError that names the option meant, or all."""
    options = [option.name for option in fields(JudgeOptions)]
    for name in names:
        if name not in options:
            limit = name if name in Limits.__match_args__ else LIMIT_ALIASES.get(name)
            if limit:
                hint = f'; limits={{"{limit}": …}} sets it'
            elif name in _ARGUMENT_NAMES:
                hint = f'; did you mean the argument "{_ARGUMENT_NAMES[name]}"?'
            else:
                hint = suggest(name, [*options, "language"])  # judge() takes it beside them
            raise TypeError(f'there is no option "{name}"{hint}')


def _read_names(option: str, names: Any) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ValueError(f'{option} must be a list of names such as ["numpy"], not {names!r}')
    checked_names = tuple(names)
    for name in checked_names:
        if not isinstance(name, str):
            raise ValueError(f"{option} must be a list of names, and {name!r} is none")
    return checked_names


def _check_count(name: str, value: Any, highest: int | None = None) -> None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if not is_number or value < 1 or (highest is not None and value > highest):
        bound = "1 or more" if highest is None else f"from 1 to {highest}"
        raise ValueError(f"{name} must be a whole number, {bound}, not {value!r}")


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Raise ValueError unless the value of a keyword is one of its choices."""
    if value not in choices:
        raise ValueError(f'{name} must be one of {", ".join(choices)}, not "{value}"')


def read_testlib(path: str | os.PathLike[str]) -> str:
    """Return the text of testlib.h, given its path or its folder's. Raises DataError, also for one
    of another judge."""
    file = Path(path)
    file = file / "testlib.h" if file.is_dir() else file
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise DataError(f"testlib: {file} cannot be read: {error.strerror}") from error
    check_testlib(text, f"testlib: {file}")
    return text


def check_testlib(text: str, name: str) -> None:
    """Raise DataError for a testlib.h whose arguments are input, answer, output, as those of CMS
    and BOJ are: their checkers would judge the jury's answer in place of the output, and accept
    every program. name: begins the message.
    """
    if "ouf.init(argv[3]" in text and "ouf.init(argv[2]" not in text:
        raise DataError(
            f"{name} takes the answer before the output, as CMS and BOJ give them, so that every "
            "output would pass; use testlib's own (github.com/MikeMirzayanov/testlib)"
        )
