"""Is the offline scorer any good? Measured against pass rates it has not seen.

A ridge regression on features is fitted on four fifths of the families and ranks the fifth; the
same with the length of the statement alone is the baseline to beat. Intervals come from drawing
families with replacement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microcoder_eval.data.process.instruction import without_instruction
from microcoder_eval.data.recipe import Weights
from microcoder_eval.data.rows import Row, draw, text_of

from . import scoring
from .features import NAMES, features_of

FOLDS, DRAWS = 5, 1000
_RIDGE = 10.0  # of standardised features: few problems, many features
FEW = 30  # measured problems below which nothing is said
_LENGTH = ("words",)
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """A measured problem."""

    family: str
    features: Mapping[str, float]
    score: float
    rate: float


def sample_of(row: Row, rate: float) -> Sample:
    """A row with its measured pass rate. Its family is its own where it names none."""
    features = features_of(row, without_instruction(text_of(row, "statement")))
    score = scoring.score(scoring.offline(features), Weights())
    return Sample(str(row.get("family") or row["problem_id"]), features, score, rate)


def evaluation(samples: Sequence[Sample], seed: int) -> dict[str, Any] | None:
    """Spearman and AUC of each scorer with 95 % intervals; None for too few problems.

    AUC: how often a problem solved more often than the median is ranked as easier than one that
    is not. "weighted": the recipe's formula, nothing fitted. "fitted": ridge on all features.
    "length": ridge on the number of words, the baseline.
    """
    families = sorted({one.family for one in samples}, key=lambda name: draw(seed, "fold", name))
    if len(samples) < FEW or len(families) < FOLDS:
        return None
    rates = np.array([one.rate for one in samples])
    fold = {name: number % FOLDS for number, name in enumerate(families)}
    folds = np.array([fold[one.family] for one in samples])
    predictions = {
        "weighted": -np.array([one.score for one in samples]),
        "fitted": _out_of_fold(samples, NAMES, rates, folds),
        "length": _out_of_fold(samples, _LENGTH, rates, folds),
    }
    groups = _groups(samples, families)
    report: dict[str, Any] = {"problems": len(samples), "families": len(families)}
    for name, predicted in predictions.items():
        report[name] = _judged(predicted, rates, groups, seed)
    gains = _bootstrap(
        lambda some: spearman(predictions["fitted"][some], rates[some])
        - spearman(predictions["length"][some], rates[some]),
        groups, seed,
    )  # fmt: skip
    report["fitted_minus_length"] = {"spearman_95": _interval(gains)}
    report["better_than_length"] = bool(report["fitted_minus_length"]["spearman_95"][0] > 0)
    return report


def _out_of_fold(
    samples: Sequence[Sample], names: Sequence[str], rates: Array, folds: NDArray[np.int64]
) -> Array:
    """Predicted rates, each by a fit that has not seen its family."""
    table = np.array([[one.features[name] for name in names] for one in samples])
    predicted = np.zeros(len(samples))
    for number in range(FOLDS):
        seen, unseen = folds != number, folds == number
        mean, spread = table[seen].mean(0), table[seen].std(0)
        scaled = (table - mean) / np.where(spread > 0, spread, 1.0)
        own = scaled[seen]
        gram = own.T @ own + _RIDGE * np.eye(len(names))
        weights = np.linalg.solve(gram, own.T @ (rates[seen] - rates[seen].mean()))
        predicted[unseen] = scaled[unseen] @ weights + rates[seen].mean()
    return predicted


def _groups(samples: Sequence[Sample], families: Sequence[str]) -> list[NDArray[np.int64]]:
    names = np.array([one.family for one in samples])
    return [np.flatnonzero(names == family) for family in families]


def _judged(
    predicted: Array, rates: Array, groups: list[NDArray[np.int64]], seed: int
) -> dict[str, Any]:
    return {
        "spearman": round(spearman(predicted, rates), 4),
        "spearman_95": _interval(
            _bootstrap(lambda some: spearman(predicted[some], rates[some]), groups, seed)
        ),
        "auc": round(auc(predicted, rates), 4),
        "auc_95": _interval(
            _bootstrap(lambda some: auc(predicted[some], rates[some]), groups, seed)
        ),
    }


def _bootstrap(statistic: Any, groups: list[NDArray[np.int64]], seed: int) -> Array:
    chance = np.random.Generator(np.random.PCG64(seed))
    found = []
    for _ in range(DRAWS):
        drawn = chance.integers(0, len(groups), len(groups))
        found.append(statistic(np.concatenate([groups[number] for number in drawn])))
    return np.array(found)


def _interval(values: Array) -> list[float]:
    low, high = np.nanpercentile(values, [2.5, 97.5])
    return [round(float(low), 4), round(float(high), 4)]


def ranks(values: Array) -> Array:
    """Ranks from 1, ties shared."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    shared: Array = (ends - (counts - 1) / 2)[places]
    return shared


def spearman(one: Array, other: Array) -> float:
    """Rank correlation; 0 where one of them is constant."""
    first, second = ranks(one), ranks(other)
    first, second = first - first.mean(), second - second.mean()
    size = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum()) / size if size else 0.0


def auc(predicted: Array, rates: Array) -> float:
    """Area under the ROC curve for rates above the median; 0.5 where there is one class only."""
    high = rates > np.median(rates)
    positive, negative = int(high.sum()), int((~high).sum())
    if not positive or not negative:
        return 0.5
    total = float(ranks(predicted)[high].sum())
    return (total - positive * (positive + 1) / 2) / (positive * negative)
