"""Predicts difficulty: five dimensions, 0 to 10 each, and their weighted mean.

The dimensions are formulas over features, or ratings of a model behind an endpoint.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from microcoder_data.endpoint import Client, EndpointError
from microcoder_data.recipe import Weights

DIMENSIONS = tuple(Weights.model_fields)
_SYSTEM = (
    "You rate how hard programming problems are for a strong programmer. Rate five dimensions from "
    "0 (trivial) to 10 (the hardest contest problems): algorithm (the idea that must be found), "
    "implementation (amount and intricacy of code), mathematics (what must be known or derived), "
    "edge_cases (what a first solution overlooks), reading (how hard it is to understand what is "
    'asked). Answer with one JSON object only, such as {"algorithm": 3, "implementation": 2, '
    '"mathematics": 0, "edge_cases": 4, "reading": 1}.'
)
_OBJECT = re.compile(r"\{[^{}]*\}", re.DOTALL)
_MAX_CHARACTERS = 12_000  # of a statement, sent to the endpoint


def compute_dimensions(features: Mapping[str, float]) -> dict[str, float]:
    """Return the dimensions from features, on a scale that only pass rates can calibrate.

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


def request_dimensions(client: Client, statement: str) -> dict[str, float]:
    """Return the dimensions from an endpoint. Raises EndpointError, also for an answer without
    them."""
    return client.ask(
        [
            {"role": "system", "content": _SYSTEM},
            {"role": "user", "content": statement[:_MAX_CHARACTERS]},
        ],
        parse_dimensions,
    )


def parse_dimensions(answer: str) -> dict[str, float]:
    """Return the last five ratings in a model's answer. Raises EndpointError where there are
    none."""
    for text in reversed(_OBJECT.findall(answer)):
        try:
            value = json.loads(text)
            ratings = {name: float(value[name]) for name in DIMENSIONS}
        except (ValueError, KeyError, TypeError):
            continue
        if all(0 <= rating <= 10 for rating in ratings.values()):
            return ratings
    raise EndpointError(f"no five ratings in the answer {answer[:120]!r}")


def compute_score(dimensions: Mapping[str, Any], weights: Weights) -> float:
    """Return the weighted mean of the dimensions, 0 to 10."""
    weight_values = weights.model_dump()
    total = sum(weight_values.values())
    weighted_sum = sum(weight_values[name] * float(dimensions[name]) for name in DIMENSIONS)
    return round(float(weighted_sum / total), 6)
