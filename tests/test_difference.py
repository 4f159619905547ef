"""Two runs compared: the figures against what one can count by hand, or scipy-free formulas."""

from __future__ import annotations

from itertools import product

import pytest

from microcoder_eval.results.difference import bootstrap_interval, mcnemar_p_value


@pytest.mark.parametrize("regressions", range(6))
@pytest.mark.parametrize("gains", range(6))
def test_p_is_the_share_of_coin_flips_at_least_as_uneven(regressions: int, gains: int) -> None:
    count = regressions + gains
    flips = [abs(2 * sum(flip) - count) for flip in product((0, 1), repeat=count)]
    share = sum(uneven >= abs(regressions - gains) for uneven in flips) / len(flips)
    assert mcnemar_p_value(regressions, gains) == pytest.approx(share)


def test_p_of_many_is_close_to_exact() -> None:
    assert mcnemar_p_value(480, 520) == pytest.approx(mcnemar_p_value(481, 520), abs=0.05)
    assert mcnemar_p_value(5000, 5400) < 1e-3


def test_the_interval_holds_the_mean_and_narrows_with_more_problems() -> None:
    few, many = [0.0, 1.0, 0.0, 0.0] * 5, [0.0, 1.0, 0.0, 0.0] * 500
    low, high = bootstrap_interval(few)
    assert low <= 0.25 <= high
    narrow = bootstrap_interval(many)
    assert narrow[1] - narrow[0] < (high - low) / 5
    assert bootstrap_interval(few) == (low, high)  # a fixed seed
    assert bootstrap_interval([0.5] * 9) == (0.5, 0.5)
