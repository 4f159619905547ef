"""Reads measured pass rates, from files and rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from microcoder_data.row_reader import read_objects
from microcoder_eval.errors import DataError


def read_pass_rates(path: str) -> dict[str, float]:
    """Return the pass rates by problem, from lines of {"problem_id", "pass_rate"} or from results.

    A result is one solution; failures of the judge do not count. Raises DataError.
    """
    rates: dict[str, float] = {}
    outcomes: dict[str, list[bool]] = defaultdict(list)
    for place, value in read_objects(path):
        if not isinstance(value.get("problem_id"), str):
            raise DataError('a line without "problem_id"', place)
        name, rate = value["problem_id"], read_pass_rate(value)
        if rate is not None:
            rates[name] = rate
        elif isinstance(value.get("passed"), bool):
            if value.get("verdict") != "JE":
                outcomes[name].append(value["passed"])
        else:
            raise DataError('needs "pass_rate" (0 to 1) or "passed"', place)
    measured_rates = {name: sum(values) / len(values) for name, values in outcomes.items()}
    return {**measured_rates, **rates}


def read_pass_rate(row: Mapping[str, Any]) -> float | None:
    """Return the pass rate under the row's key "pass_rate"; None where it is not a number from 0
    to 1."""
    rate = row.get("pass_rate")
    if isinstance(rate, int | float) and not isinstance(rate, bool) and 0 <= rate <= 1:
        return float(rate)
    return None
