"""Intervals of rates over problems, and of the difference of two runs."""

from __future__ import annotations

import math
from collections.abc import Sequence

Interval = tuple[float, float]
_Z = 1.959963984540054  # the normal distribution holds 95 % within this distance


def difference_interval(differences: Sequence[float], samples: int = 1) -> Interval:
    """Return the 95 % interval of the mean difference of paired rates, each from -1 to 1.

    samples: of each problem, the fewest. Two problems are added, in which one sample changes in
    each direction. Otherwise few problems, or problems that all change alike, could give an
    interval of width 0 (Bonett and Price 2012, for one sample per problem).
    """
    return _student_interval([*differences, -1 / samples, 1 / samples], -1.0)


def rate_interval(rates: Sequence[float]) -> Interval:
    """Return the 95 % interval of a mean of rates. Two problems that pass and two that fail are
    added (Agresti and Coull 1998, for one sample per problem)."""
    return _student_interval([*rates, 0.0, 0.0, 1.0, 1.0], 0.0)


def _student_interval(values: Sequence[float], lowest: float) -> Interval:
    """Return the mean with 95 % of Student's distribution around it, from ``lowest`` to 1."""
    count = len(values)
    mean = math.fsum(values) / count
    # The variance is divided by the count, as in both sources, and not by one less.
    error = math.sqrt(math.fsum((value - mean) ** 2 for value in values)) / count
    freedom = count - 1
    # Student's quantile from the normal one: the Cornish-Fisher expansion.
    distance = error * (
        _Z + (_Z**3 + _Z) / (4 * freedom) + (5 * _Z**5 + 16 * _Z**3 + 3 * _Z) / (96 * freedom**2)
    )
    return max(lowest, mean - distance), min(1.0, mean + distance)
