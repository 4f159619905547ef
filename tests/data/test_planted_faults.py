"""A small run of benchmarks/faults/run.py: what is wrong is found, what is right is kept."""

from __future__ import annotations

import pytest


@pytest.mark.slow
def test_planted_faults_are_found_and_nothing_else() -> None:
    from benchmarks.faults import run

    # Mutants find no fault: they choose the tests that stay.
    report = run.merged([run.experiment(12, 1, 96, 0, 56, {"mutants": 0})])
    assert report["kinds"] >= 30
    assert report["recall"] >= 0.9, report["missed"]
    assert report["false_alarm_share"] <= 0.02, report["alarms"]
