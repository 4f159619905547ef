"""The lines of a run in a log."""

from __future__ import annotations

import pytest

from microcoder_train.run.console import Progress, draw_sparkline


def test_a_remaining_time_is_told_once_a_step_has_been_timed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    progress = Progress(1000)
    progress.show({"step": 0.0})
    progress.show({"step": 10.0, "timing_s/step": 6.0})
    progress.show({"step": 990.0, "timing_s/step": 6.0})
    first, second, last = capsys.readouterr().err.splitlines()
    assert first.startswith("step 0/1000")
    assert "left" not in first
    assert second.startswith("step 10/1000, 1.6 h left")
    assert last.startswith("step 990/1000, 60 s left")


def test_sparklines_fit_their_width() -> None:
    assert draw_sparkline([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█"
    assert draw_sparkline([1.0] * 3) == "▁▁▁"
    assert len(draw_sparkline(list(map(float, range(1000))))) == 48
