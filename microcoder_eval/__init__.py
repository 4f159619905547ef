"""A code judge whose verdicts can be trusted. Names are loaded when first used (PEP 562)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from .api import Judge, RunResult, judge, run
    from .errors import ComparerError, DataError, JudgeError, MicrocoderError
    from .records import Judgement, Kind, Limits, Problem, Solution, Status, TestResult, Verdict

__all__ = [
    "ComparerError",
    "DataError",
    "Judge",
    "JudgeError",
    "Judgement",
    "Kind",
    "Limits",
    "MicrocoderError",
    "Problem",
    "RunResult",
    "Solution",
    "Status",
    "TestResult",
    "Verdict",
    "__version__",
    "judge",
    "run",
]

_HOMES = {
    "api": ("Judge", "RunResult", "judge", "run"),
    "errors": ("ComparerError", "DataError", "JudgeError", "MicrocoderError"),
    "records": (
        "Judgement",
        "Kind",
        "Limits",
        "Problem",
        "Solution",
        "Status",
        "TestResult",
        "Verdict",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
