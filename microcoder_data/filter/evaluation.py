"""Evaluates the offline scorer of difficulty against measured pass rates.

Cross-validation: a ridge regression on features is fitted on four fifths of the problem families
and ranks the fifth. The baseline is the same on the length of the statement. Intervals come from a
bootstrap over families.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microcoder_data.process.instruction import remove_instruction
from microcoder_data.recipe import Weights
from microcoder_data.rows import Row, draw_number, get_text

from . import scoring
from .features import FEATURE_NAMES, compute_features

FOLDS, DRAWS = 5, 1000
_RIDGE = 10.0  # of standardised features: few problems, many features
MIN_PROBLEMS = 30  # measured problems needed for an evaluation
_LENGTH_FEATURES = ("words",)
Array = NDArray[np.float64]
_Score = Callable[[Array, Array], float]


@dataclass(frozen=True, slots=True)
class Sample:
    """A measured problem."""

    family: str
    features: Mapping[str, float]
    score: float
    rate: float


def make_sample(row: Row, rate: float) -> Sample:
    """Return a row with its measured pass rate. A problem without a family is its own family."""
    features = compute_features(row, remove_instruction(get_text(row, "statement")))
    score = scoring.compute_score(scoring.compute_dimensions(features), Weights())
    return Sample(str(row.get("family") or row["problem_id"]), features, score, rate)


def evaluate_scorer(samples: Sequence[Sample], seed: int) -> dict[str, Any] | None:
    """Spearman and AUC of each scorer with 95 % intervals; None for too few problems.

    AUC: of ranking a problem with a pass rate above the median as easier than one below.
    "weighted": the formula of scoring.py, nothing fitted. "fitted": ridge on all features.
    "length": ridge on the number of words, the baseline.
    """
    families = sorted(
        {sample.family for sample in samples}, key=lambda name: draw_number(seed, "fold", name)
    )
    if len(samples) < MIN_PROBLEMS or len(families) < FOLDS:
        return None
    rates = np.array([sample.rate for sample in samples])
    fold_by_family = {name: number % FOLDS for number, name in enumerate(families)}
    folds = np.array([fold_by_family[sample.family] for sample in samples])
    predictions = {
        "weighted": -np.array([sample.score for sample in samples]),
        "fitted": _predict_out_of_fold(samples, FEATURE_NAMES, rates, folds),
        "length": _predict_out_of_fold(samples, _LENGTH_FEATURES, rates, folds),
    }
    groups = _group_by_family(samples, families)
    report: dict[str, Any] = {"problems": len(samples), "families": len(families)}
    for name, values in predictions.items():
        report[name] = _score_predictions(values, rates, groups, seed)
    differences = _bootstrap_statistic(
        lambda indices: spearman(predictions["fitted"][indices], rates[indices])
        - spearman(predictions["length"][indices], rates[indices]),
        groups, seed,
    )  # fmt: skip
    report["fitted_minus_length"] = {"spearman_95": _compute_interval(differences)}
    report["better_than_length"] = bool(report["fitted_minus_length"]["spearman_95"][0] > 0)
    return report


def _predict_out_of_fold(
    samples: Sequence[Sample], names: Sequence[str], rates: Array, folds: NDArray[np.int64]
) -> Array:
    """Predicted rates, each by a fit without the families of its fold."""
    matrix = np.array([[sample.features[name] for name in names] for sample in samples])
    predictions = np.zeros(len(samples))
    for number in range(FOLDS):
        training, held_out = folds != number, folds == number
        mean, deviation = matrix[training].mean(0), matrix[training].std(0)
        features = (matrix - mean) / np.where(deviation > 0, deviation, 1.0)
        training_features, mean_rate = features[training], rates[training].mean()
        gram = training_features.T @ training_features + _RIDGE * np.eye(len(names))
        weights = np.linalg.solve(gram, training_features.T @ (rates[training] - mean_rate))
        predictions[held_out] = features[held_out] @ weights + mean_rate
    return predictions


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
    """Area under the ROC curve for rates above the median; 0.5 where no rate is, or all are."""
    high = rates > np.median(rates)
    positive, negative = int(high.sum()), int((~high).sum())
    if not positive or not negative:
        return 0.5
    total = float(rank_values(predictions)[high].sum())
    return (total - positive * (positive + 1) / 2) / (positive * negative)
