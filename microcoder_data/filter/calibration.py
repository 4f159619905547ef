"""Calibrate and select: scores against measured pass rates, boundaries, quotas."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from microcoder_eval.data.reading import object_at
from microcoder_eval.data.recipe import Difficulty
from microcoder_eval.data.rows import draw
from microcoder_eval.errors import DataError
from microcoder_eval.formats.source import open_source

LABELS = ("easy", "medium", "hard")
_FEW = 20  # measured problems below which a curve says nothing


def read_pass_rates(path: str) -> dict[str, float]:
    """Pass rates by problem, from lines of {"problem_id", "pass_rate"} or from results.

    Of results (one line a solution) the share that passed counts; the judge's own failures are in
    no denominator. Raises DataError.
    """
    rates: dict[str, float] = {}
    passed: dict[str, list[bool]] = defaultdict(list)
    with open_source(path) as source:
        for row in source.rows(1 << 30):
            value = object_at(row, path)
            if not isinstance(value.get("problem_id"), str):
                raise DataError('a line without "problem_id"', f"{path}:{row.line}")
            name, rate = value["problem_id"], value.get("pass_rate")
            if isinstance(rate, int | float) and not isinstance(rate, bool) and 0 <= rate <= 1:
                rates[name] = float(rate)
            elif isinstance(value.get("passed"), bool):
                if value.get("verdict") != "JE":
                    passed[name].append(value["passed"])
            else:
                raise DataError('needs "pass_rate" (0 to 1) or "passed"', f"{path}:{row.line}")
    measured = {name: sum(some) / len(some) for name, some in passed.items()}
    return {**measured, **rates}


def pass_rate_in(row: Mapping[str, Any]) -> float | None:
    """The pass rate in a row's own column."""
    rate = row.get("pass_rate")
    if isinstance(rate, int | float) and not isinstance(rate, bool) and 0 <= rate <= 1:
        return float(rate)
    return None


@dataclass(frozen=True, slots=True)
class Boundaries:
    """Scores up to ``easy`` are easy, from ``hard`` on hard. measured: by how many problems."""

    easy: float
    hard: float
    measured: int


def calibrated(pairs: Sequence[tuple[float, float]], recipe: Difficulty) -> Boundaries:
    """Boundaries from (score, pass rate); the recipe's own where too little was measured.

    The pass rate as a function of the score is the best falling step function (isotonic
    regression); the boundary is the score at which it falls below the recipe's rate.
    """
    if len(pairs) < _FEW:
        return Boundaries(recipe.easy_score, recipe.hard_score, len(pairs))
    steps = falling(pairs)
    easy = max((score for score, rate in steps if rate >= recipe.easy_from), default=-1.0)
    hard = min((score for score, rate in steps if rate < recipe.hard_below), default=11.0)
    return Boundaries(round(easy, 6), round(hard, 6), len(pairs))


def falling(pairs: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """(score, fitted rate) by pool-adjacent-violators, equal scores pooled, rates falling."""
    groups: dict[float, list[float]] = defaultdict(list)
    for score, rate in pairs:
        groups[score].append(rate)
    blocks: list[tuple[float, int, list[float]]] = []  # sum, count, scores
    for score in sorted(groups):
        total, count, scores = sum(groups[score]), len(groups[score]), [score]
        while blocks and blocks[-1][0] / blocks[-1][1] < total / count:
            before = blocks.pop()
            total, count, scores = before[0] + total, before[1] + count, before[2] + scores
        blocks.append((total, count, scores))
    fitted = [(score, total / count) for total, count, scores in blocks for score in scores]
    assert all(one[1] >= other[1] for one, other in pairwise(fitted))
    return fitted


def label(
    score: float | None, rate: float | None, boundaries: Boundaries, recipe: Difficulty
) -> str:
    """easy, medium or hard: by the measured rate where there is one, else by the score."""
    if rate is not None:
        if rate >= recipe.easy_from:
            return "easy"
        return "hard" if rate < recipe.hard_below else "medium"
    assert score is not None
    if score <= boundaries.easy:
        return "easy"
    return "hard" if score >= boundaries.hard else "medium"


def selected(
    labels: Iterable[tuple[int, str, str]], recipe: Difficulty, seed: int
) -> tuple[set[int], dict[str, int]]:
    """Positions that stay, and how many of each label were wanted.

    labels: (position, problem_id, label). Which problems of a label stay is drawn by the seed and
    their names, whatever their order. Without a total: as many as the shares allow.
    """
    groups: dict[str, list[tuple[float, int]]] = {name: [] for name in LABELS}
    for position, problem_id, name in labels:
        groups[name].append((draw(seed, "quota", problem_id), position))
    shares = {str(name): share for name, share in (recipe.quota or {}).items()}
    total_share = sum(shares.values())
    if not total_share:
        count = sum(map(len, groups.values()))
        shares = {name: len(group) / max(count, 1) for name, group in groups.items()}
        total_share = 1.0
    shares = {name: shares.get(name, 0.0) / total_share for name in LABELS}
    most = min(len(groups[name]) / share for name, share in shares.items() if share)
    total = most if recipe.total is None else min(most, float(recipe.total))
    wanted = {name: int(share * total + 1e-9) for name, share in shares.items()}
    stay = {position for name in LABELS for _, position in sorted(groups[name])[: wanted[name]]}
    return stay, wanted
