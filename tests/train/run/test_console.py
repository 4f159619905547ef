"""The lines of a run in a log."""

from __future__ import annotations

import pytest

from microcoder_train.run.console import Progress


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
