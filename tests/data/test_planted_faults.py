"""A small run of benchmarks/faults/run.py: what is wrong is found, what is right is kept."""

from __future__ import annotations

import pytest


@pytest.mark.slow
def test_planted_faults_are_found_and_nothing_else() -> None:
    from benchmarks.faults import run

    report = run.Report()
    # Mutants find no fault: they choose the tests that stay.
    run.run_experiment(report, 12, 1, 96, 0, 56, {"mutants": 0})
    figures = run.summarize(report)
    assert figures["kinds"] >= 30
    assert figures["recall"] >= 0.9, report.missed
    assert figures["false_alarm_share"] <= 0.02, report.alarms
