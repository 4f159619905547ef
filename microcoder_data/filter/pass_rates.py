"""Measured pass rates: read from files, turned into labels, and fitted to difficulty scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from microcoder_data.recipe import Difficulty
from microcoder_data.row_reader import read_objects
from microcoder_eval.errors import DataError

LABELS = ("easy", "medium", "hard")
MIN_MEASURED = 20  # measured problems needed to fit a curve


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


def fit_boundaries(pairs: Sequence[tuple[float, float]], recipe: Difficulty) -> tuple[float, float]:
    """Return the score up to which problems are easy, and that from which they are hard, by the
    (score, pass rate) of measured problems.

    Isotonic regression gives the pass rate as a falling step function of the score; a boundary is
    the score at which this rate falls below the recipe's rate.
    """
    steps = fit_falling_rates(pairs)
    # Scores are from 0 to 10: below them no problem is easy, above them none is hard.
    easy = max((score for score, rate in steps if rate >= recipe.easy_from), default=-1.0)
    hard = min((score for score, rate in steps if rate < recipe.hard_below), default=11.0)
    return round(easy, 6), round(hard, 6)


def fit_falling_rates(pairs: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the (score, fitted rate) pairs by pool-adjacent-violators: equal scores pooled, rates
    falling."""
    groups: dict[float, list[float]] = defaultdict(list)
    for score, rate in pairs:
        groups[score].append(rate)
    blocks: list[tuple[float, int, list[float]]] = []  # sum, count, scores
    for score in sorted(groups):
        total, count, scores = sum(groups[score]), len(groups[score]), [score]
        while blocks and blocks[-1][0] / blocks[-1][1] < total / count:
            block = blocks.pop()
            total, count, scores = block[0] + total, block[1] + count, block[2] + scores
        blocks.append((total, count, scores))
    fitted_rates = [(score, total / count) for total, count, scores in blocks for score in scores]
    assert all(higher[1] >= lower[1] for higher, lower in pairwise(fitted_rates))
    return fitted_rates


def choose_label(rate: float, recipe: Difficulty) -> str:
    """Return easy, medium or hard, by a measured rate."""
    if rate >= recipe.easy_from:
        return "easy"
    return "hard" if rate < recipe.hard_below else "medium"
