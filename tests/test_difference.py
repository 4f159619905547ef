"""Two runs compared: the figures against what one can count by hand, or scipy-free formulas."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import cast

import pytest

from microcoder_eval.records import Judgement, Status
from microcoder_eval.results.difference import bootstrap_interval, compare_runs, mcnemar_p_value


@pytest.mark.parametrize("regressions", range(6))
@pytest.mark.parametrize("gains", range(6))
def test_p_is_the_share_of_coin_flips_at_least_as_uneven(regressions: int, gains: int) -> None:
    count = regressions + gains
    flips = [abs(2 * sum(flip) - count) for flip in product((0, 1), repeat=count)]
    share = sum(uneven >= abs(regressions - gains) for uneven in flips) / len(flips)
    assert mcnemar_p_value(regressions, gains) == pytest.approx(share)


def test_p_of_many_is_close_to_exact() -> None:
    tail = sum(math.comb(1000, fewer) for fewer in range(451)) / 2**999
    assert mcnemar_p_value(450, 550) == pytest.approx(tail, rel=1e-12)
    tail = sum(math.comb(1001, fewer) for fewer in range(451)) / 2**1000
    assert mcnemar_p_value(450, 551) == pytest.approx(tail, rel=0.01)
    assert mcnemar_p_value(480, 520) == pytest.approx(mcnemar_p_value(481, 520), abs=0.05)
    assert mcnemar_p_value(5000, 5400) < 1e-3


def test_the_interval_holds_the_mean_and_narrows_with_more_problems() -> None:
    few, many = [0.0, 1.0, 0.0, 0.0] * 5, [0.0, 1.0, 0.0, 0.0] * 500
    low, high = bootstrap_interval(few)
    assert low <= 0.25 <= high
    narrow = bootstrap_interval(many)
    assert narrow[1] - narrow[0] < (high - low) / 5
    margin = 1.96 * math.sqrt(0.25 * 0.75 / len(many))
    assert narrow == pytest.approx((0.25 - margin, 0.25 + margin), abs=0.0008)
    assert bootstrap_interval(few) == (low, high)  # a fixed seed
    assert bootstrap_interval([0.5] * 9) == (0.5, 0.5)


@dataclass(frozen=True)
class Judged:
    """What a comparison reads of a judgement."""

    problem_id: str
    solution_id: str
    passed: bool
    status: Status = Status.CORRECT


def run_of(*rows: tuple[str, str, bool]) -> list[Judgement]:
    return cast(list[Judgement], [Judged(*row) for row in rows])


def test_only_solutions_that_both_runs_judged_are_compared() -> None:
    run_a = run_of(("p", "1", True), ("q", "1", False), ("r", "1", True), ("x", "1", True))
    run_b = run_of(("p", "1", False), ("q", "1", True), ("r", "1", True), ("y", "1", True))
    failed = cast(Judgement, Judged("r", "2", False, Status.ERROR))
    result = compare_runs([*run_a, failed], [*run_b, failed])
    assert (result.regressions, result.gains) == ([("p", "1")], [("q", "1")])
    assert (result.pair_count, result.problem_count) == (3, 3)
    assert (result.a_only, result.b_only) == (1, 1)
    assert (result.rate_a, result.rate_b) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert result.p_value == 1.0
    assert result.interval[0] == -result.interval[1] < 0
    assert not result.is_significant


def test_of_several_solutions_a_problem_the_interval_decides() -> None:
    run_a = run_of(*((f"p{n}", name, False) for n in range(20) for name in "ab"))
    run_b = run_of(*((f"p{n}", name, name == "a") for n in range(20) for name in "ab"))
    result = compare_runs(run_a, run_b)
    assert result.p_value is None
    assert (result.rate_a, result.rate_b, result.interval) == (0.0, 0.5, (0.5, 0.5))
    assert result.is_significant
    assert compare_runs(run_b, run_a).is_significant


def test_an_interval_that_ends_at_zero_is_no_difference() -> None:
    run_a = run_of(*((f"p{n}", name, True) for n in range(20) for name in "ab"))
    run_b = run_of(*((f"p{n}", name, (n, name) != (3, "a")) for n in range(20) for name in "ab"))
    results = compare_runs(run_a, run_b), compare_runs(run_b, run_a)
    assert (results[0].interval[1], results[1].interval[0]) == (0.0, 0.0)
    assert not any(result.is_significant for result in results)


@pytest.mark.parametrize(("gains", "significant"), [(5, False), (6, True)])
def test_of_one_solution_a_problem_the_p_value_decides(gains: int, significant: bool) -> None:
    run_a = run_of(*((f"p{n}", "a", n >= gains) for n in range(20)))
    run_b = run_of(*((f"p{n}", "a", True) for n in range(20)))
    result = compare_runs(run_a, run_b)
    assert result.p_value == pytest.approx(2 / 2**gains)
    assert result.is_significant is significant


def test_runs_without_a_common_solution_are_refused() -> None:
    with pytest.raises(ValueError, match="in common"):
        compare_runs(run_of(("p", "1", True)), run_of(("p", "2", True)))
