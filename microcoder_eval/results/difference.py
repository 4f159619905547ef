"""What differs between two runs over the same solutions or problems, and whether it is chance."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping

from microcoder_eval.records import Judgement, Status
from microcoder_sandbox import record

BOOTSTRAP_ROUNDS = 10_000
_SEED = 20
Key = tuple[str, str]  # problem_id, solution_id


@record
class Comparison:
    """Two runs A and B.

    regressions, gains: (problem_id, solution_id) of solutions that passed in A only, in B only.
    pair_count: solutions that both runs judged; a_only, b_only: that one of them did.
    rate_a, rate_b: pass@1 over the problem_count problems with pairs. interval: 95 % of rate_b -
    rate_a, by a bootstrap over problems. p_value: two-sided, of the exact McNemar test; None where
    problems have several solutions, which are not independent: there the interval decides.
    """

    regressions: list[Key]
    gains: list[Key]
    pair_count: int
    problem_count: int
    a_only: int
    b_only: int
    rate_a: float
    rate_b: float
    interval: tuple[float, float]
    p_value: float | None

    @property
    def is_significant(self) -> bool:
        """Whether chance explains the difference in fewer than 5 of 100 cases."""
        if self.p_value is not None:
            return self.p_value < 0.05
        return self.interval[0] > 0 or self.interval[1] < 0


def compare_runs(run_a: Iterable[Judgement], run_b: Iterable[Judgement]) -> Comparison:
    """Compare the solutions that both runs judged. Raises ValueError if there is none."""
    passed_a, passed_b = _list_passed(run_a), _list_passed(run_b)
    keys = [key for key in passed_a if key in passed_b]
    if not keys:
        raise ValueError("the two files have no judged solution in common")
    differences: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for key in keys:
        differences[key[0]].append((passed_a[key], passed_b[key]))
    rates = [
        (sum(a for a, _ in pairs) / len(pairs), sum(b for _, b in pairs) / len(pairs))
        for pairs in differences.values()
    ]
    regressions = [key for key in keys if passed_a[key] and not passed_b[key]]
    gains = [key for key in keys if passed_b[key] and not passed_a[key]]
    has_single_samples = len(keys) == len(rates)
    return Comparison(
        regressions=regressions,
        gains=gains,
        pair_count=len(keys),
        problem_count=len(rates),
        a_only=len(passed_a) - len(keys),
        b_only=len(passed_b) - len(keys),
        rate_a=math.fsum(a for a, _ in rates) / len(rates),
        rate_b=math.fsum(b for _, b in rates) / len(rates),
        interval=bootstrap_interval([b - a for a, b in rates]),
        p_value=mcnemar_p_value(len(regressions), len(gains)) if has_single_samples else None,
    )


def _list_passed(run: Iterable[Judgement]) -> Mapping[Key, bool]:
    """Whether each solution passed; those that the judge failed at are left out."""
    return {(j.problem_id, j.solution_id): j.passed for j in run if j.status is not Status.ERROR}


def mcnemar_p_value(regressions: int, gains: int) -> float:
    """Return the two-sided p-value of the exact McNemar test: how often a fair coin would split
    the solutions that differ at least as unevenly."""
    count, fewer = regressions + gains, min(regressions, gains)
    if count > 1000:  # the normal approximation with continuity correction: 2**count overflows
        distance = max(0.0, abs(regressions - gains) - 1) / math.sqrt(count)
        return math.erfc(distance / math.sqrt(2))
    tail: int = sum(math.comb(count, i) for i in range(fewer + 1))
    return min(1.0, tail / (1 << (count - 1))) if count else 1.0


def bootstrap_interval(differences: list[float]) -> tuple[float, float]:
    """Return the 95 % percentile interval of the mean, over resamples with a fixed seed."""
    import numpy  # late: judging does not need it

    generator = numpy.random.default_rng(_SEED)
    values = numpy.asarray(differences)
    rows = max(1, 2_000_000 // len(values))  # of resamples at a time: 16 MB
    means: list[float] = []
    while len(means) < BOOTSTRAP_ROUNDS:
        count = min(rows, BOOTSTRAP_ROUNDS - len(means))
        sample = generator.integers(0, len(values), (count, len(values)))
        means += values[sample].mean(axis=1).tolist()
    low, high = numpy.percentile(means, [2.5, 97.5])
    return float(low), float(high)
