"""Predicts difficulty: five dimensions, 0 to 10 each, and their weighted mean.

The dimensions are formulas over the statement, its constraints and the references, or ratings of a
model (review.py).
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from typing import Any

from microcoder_data.rows import Row, list_right_programs
from microcoder_data.similarity import split_words
from microcoder_eval.syntax import parse_python

# Of texts in lower case: ignoring case takes four times as long.
_TOPICS = re.compile(
    r"\b(?:graph|tree|edge|vertex|vertices|node|path|shortest|cycle|connected|subsequence|"
    r"substring|subarray|permutation|dynamic|optimal|minimum cost|maximum profit|interval|segment|"
    r"queries|query|matrix|grid|palindrom\w+|partition|knapsack|greedy|heap|stack|queue|bipartite|"
    r"flow|probability|expected|game|winner|optimally|lexicographically|binary search|sorted|"
    r"longest|combination)s?\b"
)
_MATHS = re.compile(
    r"\b(?:modulo|mod|prime|divisor|divisible|gcd|lcm|factorial|fibonacci|binomial|power|square|"
    r"cube|triangle|circle|area|volume|angle|polygon|coordinates?|sum|product|digits?|binary|"
    r"hexadecimal|xor|bitwise|roots?|equation|average|mean|median|probability|sequence|series|"
    r"perfect|even|odd)\b"
)
_EDGES = re.compile(
    r"\b(?:empty|negative|zero|impossible|otherwise|except|unless|at least|at most|exactly|no such|"
    r"not exist|cannot|ties?|duplicates?|invalid|distinct|none|ignore|case[- ](?:in)?sensitive|"
    r"rounded?|if there (?:is|are))\b|-1\b"
)
_POWER = re.compile(r"(\d+)\s*\^\s*\(?(\d+)")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?![\w.]*\w)")
_VARIABLE = re.compile(r"(?<![\w'])[A-Za-z](?:_\w)?(?![\w'])")
_HARD_IMPORTS = frozenset({"heapq", "bisect", "itertools", "collections", "functools", "math"})
_BRANCHES = (ast.If, ast.IfExp, ast.BoolOp, ast.Compare)
_CODE_FEATURES = ("code_nodes", "code_depth", "code_branches", "code_functions", "code_imports")
# The paper names five dimensions without weights: all are equal here except reading, which the
# statement's length nearly determines.
_WEIGHTS = {
    "algorithm": 1.0, "implementation": 1.0, "mathematics": 1.0, "edge_cases": 1.0, "reading": 0.5,
}  # fmt: skip
DIMENSIONS = tuple(_WEIGHTS)


def compute_features(row: Row, statement: str, magnitude: float) -> dict[str, float]:
    """Features by name; counts as logarithms. statement: without our instruction."""
    words, text = split_words(statement), statement.lower()
    features = {
        "words": _log_count(len(words)),
        "topics": _log_count(len(set(_TOPICS.findall(text)))),
        "maths": _log_count(len(set(_MATHS.findall(text)))),
        "edges": _log_count(len(set(_EDGES.findall(text)))),
        "variables": _log_count(len(set(_VARIABLE.findall(statement)))),
        "magnitude": magnitude,
    }
    return {**features, **_compute_code_features(row)}


def _log_count(count: float) -> float:
    return round(math.log1p(count), 6)


def find_magnitude(statement: str) -> float:
    """Decimal digits of the largest number in the statement."""
    digits = 0.0
    for base, exponent in _POWER.findall(statement):
        if int(base) > 1 and len(exponent) <= 4:
            digits = max(digits, int(exponent[:4]) * math.log10(int(base[:15])))
    for number in _NUMBER.findall(statement):
        digits = max(digits, float(len(number.replace(",", "").lstrip("0")) or 0))
    return round(min(digits, 40.0), 6)


def _compute_code_features(row: Row) -> dict[str, float]:
    """Features of the shortest reference."""
    candidates = filter(None, map(_measure_code, list_right_programs(row)))
    shortest = min(candidates, key=lambda features: features["code_nodes"], default=None)
    if shortest is None:
        return dict.fromkeys((*_CODE_FEATURES, "has_code"), 0.0)
    return {**shortest, "has_code": 1.0}


def _measure_code(code: str) -> dict[str, float] | None:
    tree = parse_python(code)
    if tree is None:
        return None
    nodes = list(ast.walk(tree))
    branches = sum(isinstance(node, _BRANCHES) for node in nodes)
    functions = sum(isinstance(node, ast.FunctionDef | ast.Lambda) for node in nodes)
    modules = {
        name.partition(".")[0]
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else
                     [alias.name for alias in node.names])
    }  # fmt: skip
    return {
        "code_nodes": _log_count(len(nodes)),
        "code_depth": float(_measure_depth(tree)),
        "code_branches": _log_count(branches),
        "code_functions": _log_count(functions),
        "code_imports": _log_count(len(modules & _HARD_IMPORTS)),
    }


def _measure_depth(node: ast.AST) -> int:
    """How deep loops and comprehensions are nested."""
    is_nested = isinstance(node, ast.For | ast.While | ast.comprehension)
    return is_nested + max(
        (_measure_depth(child) for child in ast.iter_child_nodes(node)), default=0
    )


def compute_dimensions(features: Mapping[str, float]) -> dict[str, float]:
    """Return the dimensions from features. Their scale means nothing by itself (labels.py).

    Features are logarithms of counts, so a doubled count adds a constant.
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
