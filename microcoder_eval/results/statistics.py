"""What chance explains: intervals of rates and of differences, and the exact test of two runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

Interval = tuple[float, float]
# Additions of the exact test at most, and sums that it tells apart, each of some 40 bytes;
# otherwise the normal distribution is used.
_MAX_EXACT_STEPS, _MAX_EXACT_SUMS = 10**9, 10**7
_Z = 1.959963984540054  # the normal distribution holds 95 % within this distance


def compute_difference_interval(differences: Sequence[float], samples: int = 1) -> Interval:
    """Return the 95 % interval of the mean difference of paired rates, each from -1 to 1.

    samples: of each problem, the fewest. Two problems are added, in which one sample changes in
    each direction. Otherwise few problems, or problems that all change alike, could give an
    interval of width 0 (Bonett and Price 2012, for one sample per problem).
    """
    return _student_interval([*differences, -1 / samples, 1 / samples], -1.0)


def compute_rate_interval(rates: Sequence[float]) -> Interval:
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


def compute_paired_p_value(differences: Sequence[Fraction]) -> float:
    """Return the two-sided p-value of the exact paired permutation test.

    The p-value is the probability of a sum at least as far from 0 if a fair coin decides the sign
    of each problem's difference. With one sample a problem it is the exact McNemar test. If this
    takes too much time or memory, the normal distribution with the same variance is used.
    """
    import numpy  # late: judging does not need it

    scale = math.lcm(*(d.denominator for d in differences))
    sizes = [abs(int(d * scale)) for d in differences if d]
    total, observed = sum(sizes), abs(int(sum(differences) * scale))
    if not sizes:
        return 1.0
    if total > _MAX_EXACT_SUMS or len(sizes) * total > _MAX_EXACT_STEPS:
        variance = math.fsum(float(d) ** 2 for d in differences)
        return math.erfc(abs(float(sum(differences))) / math.sqrt(2 * variance))
    # Chances[i]: the probability that the differences with a plus sign sum to i.
    chances = numpy.zeros(total + 1)
    chances[0], end = 1.0, 0
    for size in sizes:
        end += size
        moved = chances[: end + 1 - size] / 2
        chances[: end + 1] /= 2
        chances[size : end + 1] += moved
    sums = 2 * numpy.arange(total + 1) - total
    return min(1.0, float(chances[numpy.abs(sums) >= observed].sum()))
