"""The rule that makes a limit of the slowest right program."""

from __future__ import annotations

import pytest

from microcoder_eval.audit.calibration import Calibration, SlowestProgram


@pytest.mark.parametrize(
    ("slowest_s", "highest_s", "limit_s"),
    [(0.2, 6.0, 2.0), (0.01, 6.0, 1.0), (0.9, 6.0, 6.0), (0.01, 0.5, 0.5), (0.12312, 6.0, 1.231)],
)
def test_a_limit_is_a_multiple_between_the_floor_and_the_limit_that_holds(
    slowest_s: float, highest_s: float, limit_s: float
) -> None:
    calibration = Calibration(multiplier=10.0, floor_s=1.0)
    slowest = SlowestProgram("slow", slowest_s)
    assert calibration.derive_time_limit(slowest, highest_s)[0] == limit_s
