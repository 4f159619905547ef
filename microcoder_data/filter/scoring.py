"""Predicts difficulty: five dimensions, 0 to 10 each, and their weighted mean.

The dimensions are formulas over features, or what a model has rated (review.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# The paper names five dimensions without weights: all are equal here except reading, which the
# statement's length nearly determines.
_WEIGHTS = {
    "algorithm": 1.0, "implementation": 1.0, "mathematics": 1.0, "edge_cases": 1.0, "reading": 0.5,
}  # fmt: skip
DIMENSIONS = tuple(_WEIGHTS)


def compute_dimensions(features: Mapping[str, float]) -> dict[str, float]:
    """Return the dimensions from features. Their scale means nothing by itself (labels.py).

    Features are logarithms of counts (features.py), so a doubled count adds a constant.
    """
    f = features
    values = {
        "algorithm": 1.2 * f["topics"] + 0.9 * f["code_depth"] + 1.0 * f["code_imports"]
        + 0.15 * f["magnitude"] + 0.4 * max(0.0, f["code_nodes"] - 3),
        "implementation": 1.1 * max(0.0, f["code_nodes"] - 2) + 0.8 * f["code_functions"]
        + 0.9 * f["code_branches"] + (0.0 if f["has_code"] else 0.9 * max(0.0, f["words"] - 2.5)),
        "mathematics": 2.0 * f["maths"] + 0.2 * f["magnitude"] + 0.8 * f["variables"],
        "edge_cases": 2.2 * f["edges"] + 1.0 * f["code_branches"] + 0.4 * f["variables"],
        "reading": 2.0 * max(0.0, f["words"] - 2.0) + 0.6 * f["variables"],
    }  # fmt: skip
    return {name: round(min(10.0, max(0.0, values[name])), 4) for name in DIMENSIONS}


def read_ratings(row: Mapping[str, Any]) -> dict[str, float] | None:
    """Return the dimensions that the model of the stage review has given; None without them."""
    review = row.get("review")
    ratings = review.get("difficulty") if isinstance(review, dict) else None
    if not isinstance(ratings, dict) or not ratings.keys() >= set(DIMENSIONS):
        return None
    return {name: float(ratings[name]) for name in DIMENSIONS}


def compute_score(dimensions: Mapping[str, float]) -> float:
    """Return the weighted mean of the dimensions, 0 to 10."""
    weighted_sum = sum(weight * dimensions[name] for name, weight in _WEIGHTS.items())
    return round(weighted_sum / sum(_WEIGHTS.values()), 6)
