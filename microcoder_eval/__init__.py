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

_MODULES = ("errors", "records", "pool.stats", "api")  # the quickest to load first


def __getattr__(name: str) -> Any:
    if name in __all__:
        from importlib import import_module

        for module_name in _MODULES:
            module = import_module(f".{module_name}", __name__)
            if hasattr(module, name):
                globals()[name] = value = getattr(module, name)
                return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
