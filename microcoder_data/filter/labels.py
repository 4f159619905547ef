"""Labels problems easy, medium or hard.

A measured pass rate decides. Without one, the source's own difficulty decides, and without that the
score. Scores of two sources are not on one scale, so they are ranked within each source: the
shares of easy and hard problems are those of the problems that pass rate or source labels.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from microcoder_data.recipe import Difficulty
from microcoder_data.rows import Row

LABELS = ("easy", "medium", "hard")
_MIN_LABELLED = 20  # problems of a source whose shares its other problems are expected to have
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
            fits[source or "unknown"] = _label_by_score(group, group_labels)
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


def _label_by_score(group: Sequence[Rated], labels: list[Label | None]) -> Mapping[str, Any]:
    """Label the other problems of a source that have a score, in place, by its rank among those of
    the labelled ones, or of all if these are few. Returns the facts."""
    scores = [problem.score for problem in group if problem.score is not None]
    shares, basis = _THIRDS, "ranks, in thirds"
    pairs = zip(group, labels, strict=True)
    known = [(item.score, label) for item, label in pairs if item.score is not None and label]
    if len(known) >= _MIN_LABELLED:
        scores = [score for score, _ in known]
        names = [label.name for _, label in known]
        shares = names.count("easy") / len(names), names.count("hard") / len(names)
        sources = {"source": "labels of the source", "pass_rate": "pass rates"}
        bases = {label.basis for _, label in known}
        basis = " and ".join(text for name, text in sources.items() if name in bases)
    scores.sort()
    for number, item in enumerate(group):
        if labels[number] is None and item.score is not None:
            labels[number] = Label(_label_by_rank(item.score, scores, shares), "score")
    return {"by": basis, "problems": len(scores)}


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
