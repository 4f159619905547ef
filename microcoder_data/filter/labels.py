"""Labels problems easy, medium or hard.

A measured pass rate decides. Without one, the source's own difficulty decides, and without that the
score. Scores of two sources are not on one scale, so they are fitted within each source: to
measured pass rates, to the source's own labels, or by rank.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from microcoder_data.recipe import Difficulty
from microcoder_data.rows import Row

LABELS = ("easy", "medium", "hard")
MIN_MEASURED = 20  # measured problems needed to fit a curve
# The words of data sets, from the easiest: LeetCode, LiveCodeBench and KodCode (easy, medium,
# hard), APPS (introductory, interview, competition), TACO (easy to very_hard), CodeEval (moderate).
_OWN_LABELS = {
    "easy": "easy", "introductory": "easy",
    "medium": "medium", "interview": "medium", "medium_hard": "medium",
    "moderate": "medium",
    "hard": "hard", "competition": "hard", "very_hard": "hard",
}  # fmt: skip
_THIRDS = (1 / 3, 1 / 3)


@dataclass(frozen=True, slots=True)
class Rated:
    """What is known of a problem's difficulty.

    source: the group of problems in which it is ranked.
    own: the source's own difficulty, one of LABELS or a number that rises with difficulty.
    score: from the formulas or from an endpoint.
    rate: the measured pass rate.
    """

    source: str
    own: str | float | None = None
    score: float | None = None
    rate: float | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """A label and where it comes from: "pass_rate", "source" or "score"."""

    name: str
    basis: str


def read_own_difficulty(row: Row) -> str | float | None:
    """Return the source's own difficulty: a label, a number such as a rating, or None if it has
    none that can be ordered. Labels from an earlier run of the filter are ignored."""
    value = row.get("source_difficulty")
    if value is None and "difficulty_basis" not in row:
        value = row.get("difficulty")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    word = str(value).strip().casefold().replace(" ", "_").replace("-", "_")
    if word in _OWN_LABELS:
        return _OWN_LABELS[word]
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def label_problems(
    problems: Sequence[Rated], recipe: Difficulty
) -> tuple[list[Label | None], dict[str, Any]]:
    """Return the label of each problem (None if nothing is known of it), and for each source how
    its scores were fitted."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, problem in enumerate(problems):
        groups[problem.source].append(number)
    labels: list[Label | None] = [None] * len(problems)
    fits: dict[str, Any] = {}
    for source, numbers in sorted(groups.items()):
        group = [problems[number] for number in numbers]
        group_labels = _label_known(group, recipe)
        if any(label is None for label in group_labels):
            choose, facts = _fit_labels(group, group_labels, recipe)
            fits[source or "unknown"] = facts
            group_labels = [
                label or (None if item.score is None else Label(choose(item.score), "score"))
                for item, label in zip(group, group_labels, strict=True)
            ]
        for number, label in zip(numbers, group_labels, strict=True):
            labels[number] = label
    return labels, fits


def _label_known(group: Sequence[Rated], recipe: Difficulty) -> list[Label | None]:
    """Return labels from pass rates or the source's own difficulty; None if a problem has
    neither."""
    ratings = sorted(problem.own for problem in group if isinstance(problem.own, int | float))
    labels: list[Label | None] = []
    for problem in group:
        if problem.rate is not None:
            labels.append(Label(choose_label(problem.rate, recipe), "pass_rate"))
        elif isinstance(problem.own, str):
            labels.append(Label(problem.own, "source"))
        elif problem.own is not None:
            labels.append(Label(_label_by_rank(problem.own, ratings, _THIRDS), "source"))
        else:
            labels.append(None)
    return labels


def _fit_labels(
    group: Sequence[Rated], labels: Sequence[Label | None], recipe: Difficulty
) -> tuple[Callable[[float], str], Mapping[str, Any]]:
    """Return the function from a score of this source to a label, and the facts it was fitted
    on."""
    pairs = [
        (problem.score, problem.rate)
        for problem in group
        if problem.score is not None and problem.rate is not None
    ]
    if len(pairs) >= MIN_MEASURED:
        easy, hard = fit_boundaries(pairs, recipe)
        facts = {"by": "pass rates", "problems": len(pairs), "easy_up_to": easy, "hard_from": hard}

        def choose(score: float) -> str:
            return "easy" if score <= easy else "hard" if score >= hard else "medium"

        return choose, facts
    scored = [
        (problem.score, label)
        for problem, label in zip(group, labels, strict=True)
        if problem.score is not None
    ]
    labelled_scores = [(score, label.name) for score, label in scored if label is not None]
    if len(labelled_scores) >= MIN_MEASURED:
        scores = sorted(score for score, _ in labelled_scores)
        basis = "labels of the source" + " and pass rates" * bool(pairs)
        names = [name for _, name in labelled_scores]
        shares = names.count("easy") / len(names), names.count("hard") / len(names)
    else:
        scores, basis, shares = sorted(score for score, _ in scored), "ranks, in thirds", _THIRDS
    facts = {"by": basis, "problems": len(scores)}
    return lambda score: _label_by_rank(score, scores, shares), facts


def _label_by_rank(
    value: float, ordered_values: Sequence[float], shares: tuple[float, float]
) -> str:
    """Return the label of a value among others; shares: of the easy and of the hard ones. A value
    that all others equal is in the middle."""
    low, high = bisect_left(ordered_values, value), bisect_right(ordered_values, value)
    rank = (low + high) / 2 / max(1, len(ordered_values))
    easy, hard = shares
    if rank < easy:
        return LABELS[0]
    return LABELS[2] if rank > 1 - hard else LABELS[1]


def choose_label(rate: float, recipe: Difficulty) -> str:
    """Return easy, medium or hard, by a measured rate."""
    if rate >= recipe.easy_from:
        return "easy"
    return "hard" if rate < recipe.hard_below else "medium"


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
    return [(score, total / count) for total, count, scores in blocks for score in scores]
