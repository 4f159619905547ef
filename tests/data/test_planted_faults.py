"""A small run of benchmarks/faults/run.py: what is wrong is found, what is right is kept."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "faults" / "run.py"


def benchmark() -> ModuleType:
    """The benchmark as a module."""
    spec = importlib.util.spec_from_file_location("planted_faults", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["planted_faults"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_planted_faults_are_found_and_nothing_else() -> None:
    faults = benchmark()
    report = faults.merged(faults.experiment(seed, 1, 96, 0, 56) for seed in (12,))
    assert report["kinds"] >= 30
    assert report["recall"] >= 0.9, report["missed"]
    assert report["false_alarm_share"] <= 0.02, report["alarms"]
