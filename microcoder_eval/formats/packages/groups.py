"""How packages score their tests, as groups of tests: what the formats share."""

from __future__ import annotations

from typing import Any

from microcoder_eval.points import TestGroup
from microcoder_sandbox import record

from .package import BrokenPackageError


@record
class Scoring:
    """How a package scores. objective: as in Problem."""

    groups: tuple[TestGroup, ...]
    objective: str = "max"


def read_points(value: Any, label: str) -> float:
    """Return a number of points. Raises BrokenPackageError."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not abs(number) < 1e9:
        raise BrokenPackageError(f"{label}: {value!r} is no number of points")
    return number
