"""A code judge whose verdicts can be trusted. Names are loaded when first used (PEP 562)."""

from __future__ import annotations

from .version import __version__

TYPE_CHECKING = False  # typing takes 10 ms, which a command needs for its first worker
if TYPE_CHECKING:
    from typing import Any

    from .api import Judge, RunResult, judge, run
    from .errors import ComparerError, DataError, JudgeError, MicrocoderError
    from .pool.stats import JudgeStats
    from .records import Judgement, Kind, Limits, Problem, Solution, Status, TestResult, Verdict

__all__ = [
    "ComparerError",
    "DataError",
    "Judge",
    "JudgeError",
    "JudgeStats",
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

_NAMES_BY_MODULE = {
    "api": ("Judge", "RunResult", "judge", "run"),
    "errors": ("ComparerError", "DataError", "JudgeError", "MicrocoderError"),
    "pool.stats": ("JudgeStats",),
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
_MODULE_OF = {
    name: module_name for module_name, names in _NAMES_BY_MODULE.items() for name in names
}


def __getattr__(name: str) -> Any:
    module_name = _MODULE_OF.get(name)
    if module_name is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{module_name}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
