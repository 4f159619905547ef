"""Evaluates the offline scorer of difficulty against measured pass rates.

The baseline is the length of the statement. Intervals come from a bootstrap over families.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microcoder_data.process.instruction import remove_instruction
from microcoder_data.recipe import Weights
from microcoder_data.rows import Row, get_text

from . import scoring
from .features import compute_features

DRAWS = 1000  # of the bootstrap
MIN_PROBLEMS, MIN_FAMILIES = 30, 5  # measured ones needed for an evaluation
Array = NDArray[np.float64]
_Score = Callable[[Array, Array], float]


@dataclass(frozen=True, slots=True)
class Sample:
    """A measured problem. length: of its statement, as a logarithm."""

    family: str
    length: float
    score: float
    rate: float


def make_sample(row: Row, rate: float) -> Sample:
    """Return a row with its measured pass rate. A problem without a family is its own family."""
    features = compute_features(row, remove_instruction(get_text(row, "statement")))
    score = scoring.compute_score(scoring.compute_dimensions(features), Weights())
    return Sample(str(row.get("family") or row["problem_id"]), features["words"], score, rate)


def evaluate_scorer(samples: Sequence[Sample], seed: int) -> dict[str, Any] | None:
    """Spearman and AUC of the score and of the length, with 95 % intervals; None for too few
    problems.

    The AUC is that of ranking a problem with a pass rate above the median as easier than the
    others.
    """
    families = sorted({sample.family for sample in samples})
    if len(samples) < MIN_PROBLEMS or len(families) < MIN_FAMILIES:
        return None
    rates = np.array([sample.rate for sample in samples])
    predictions = {
        "score": -np.array([sample.score for sample in samples]),
        "length": -np.array([sample.length for sample in samples]),
    }
    groups = _group_by_family(samples, families)
    report: dict[str, Any] = {"problems": len(samples), "families": len(families)}
    for name, values in predictions.items():
        report[name] = _score_predictions(values, rates, groups, seed)
    differences = _bootstrap_statistic(
        lambda indices: spearman(predictions["score"][indices], rates[indices])
        - spearman(predictions["length"][indices], rates[indices]),
        groups, seed,
    )  # fmt: skip
    report["score_minus_length"] = {"spearman_95": _compute_interval(differences)}
    report["better_than_length"] = bool(report["score_minus_length"]["spearman_95"][0] > 0)
    return report


def _group_by_family(samples: Sequence[Sample], families: Sequence[str]) -> list[NDArray[np.int64]]:
    sample_families = np.array([sample.family for sample in samples])
    return [np.flatnonzero(sample_families == family) for family in families]


def _score_predictions(
    predictions: Array, rates: Array, groups: list[NDArray[np.int64]], seed: int
) -> dict[str, Any]:
    report: dict[str, Any] = {}
    for name, score in (("spearman", spearman), ("auc", auc)):

        def statistic(indices: NDArray[np.int64], score: _Score = score) -> float:
            return score(predictions[indices], rates[indices])

        report[name] = round(score(predictions, rates), 4)
        report[f"{name}_95"] = _compute_interval(_bootstrap_statistic(statistic, groups, seed))
    return report


def _bootstrap_statistic(
    statistic: Callable[[NDArray[np.int64]], float], groups: list[NDArray[np.int64]], seed: int
) -> Array:
    """Return the statistic of samples of families, drawn with replacement."""
    generator = np.random.Generator(np.random.PCG64(seed))
    values = []
    for _ in range(DRAWS):
        draws = generator.integers(0, len(groups), len(groups))
        values.append(statistic(np.concatenate([groups[number] for number in draws])))
    return np.array(values)


def _compute_interval(values: Array) -> list[float]:
    low, high = np.nanpercentile(values, [2.5, 97.5])
    return [round(float(low), 4), round(float(high), 4)]


def rank_values(values: Array) -> Array:
    """Ranks from 1; ties get their mean rank."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: Array = (ends - (counts - 1) / 2)[inverse]
    return ranks


def spearman(first_values: Array, second_values: Array) -> float:
    """Rank correlation; 0 where the values of one are all equal."""
    first_ranks, second_ranks = rank_values(first_values), rank_values(second_values)
    first_ranks, second_ranks = first_ranks - first_ranks.mean(), second_ranks - second_ranks.mean()
    norm = float(np.sqrt((first_ranks**2).sum() * (second_ranks**2).sum()))
    return float((first_ranks * second_ranks).sum()) / norm if norm else 0.0


def auc(predictions: Array, rates: Array) -> float:
    """Area under the ROC curve for rates above the median; 0.5 if no rate or every rate is above
    it."""
    high = rates > np.median(rates)
    positive, negative = int(high.sum()), int((~high).sum())
    if not positive or not negative:
        return 0.5
    total = float(rank_values(predictions)[high].sum())
    return (total - positive * (positive + 1) / 2) / (positive * negative)
