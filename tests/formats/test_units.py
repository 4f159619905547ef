"""Limits in the units that data sets write them in; what cannot be read is told, never dropped."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.errors import DataError
from microcoder_eval.formats.datasets.units import read_limits


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        (2, 2.0),
        (1.5, 1.5),
        ("2", 2.0),
        ("2.0 seconds", 2.0),
        ("1 second", 1.0),
        ("2.5s", 2.5),
        ("500 ms", 0.5),
        ("1500000000ns", 1.5),
        ("1 - 2 seconds", 2.0),
        ({"seconds": 1, "nanos": 500_000_000}, 1.5),
        ({"seconds": 0, "nanos": 250_000_000}, 0.25),
        ({"seconds": 3}, 3.0),
    ],
)
def test_a_time_limit_is_seconds(written: Any, seconds: float) -> None:
    assert read_limits(written) == {"time_s": pytest.approx(seconds)}


@pytest.mark.parametrize(
    ("written", "unit", "mebibytes"),
    [
        (256, "megabytes", 256.0),
        (256.0, "megabytes", 256.0),
        ("256.0 megabytes", "megabytes", 256.0),
        ("64 MB", "megabytes", 64.0),
        ("1 gigabyte", "megabytes", 1024.0),
        ("65536 KB", "megabytes", 64.0),
        ("268435456 bytes", "megabytes", 256.0),
        (268435456, "bytes", 256.0),
        ("268435456", "bytes", 256.0),
        ("256 MB", "bytes", 256.0),
    ],
)
def test_a_memory_limit_is_mebibytes(written: Any, unit: str, mebibytes: float) -> None:
    assert read_limits(memory=written, memory_unit=unit) == {"memory_mb": pytest.approx(mebibytes)}


@pytest.mark.parametrize("unknown", [None, "", 0, 0.0, "0 s", {"seconds": 0, "nanos": 0}, {}])
def test_what_says_nothing_is_no_limit(unknown: Any) -> None:
    assert read_limits(unknown) == {}


@pytest.mark.parametrize(
    "written",
    ["soon", "2 furlongs", "-1", -1, True, [2], "1e9", float("inf"), float("nan"), "2 s or so"],
)
def test_what_cannot_be_read_is_told(written: Any) -> None:
    with pytest.raises(DataError, match=r"the time limit .* cannot be read; write it as a number"):
        read_limits(written)
    with pytest.raises(DataError, match="the memory limit"):
        read_limits(memory=written)


@pytest.mark.parametrize("parts", [{"seconds": "1"}, {"nanos": -1}, {"seconds": True}])
def test_a_duration_needs_numbers(parts: dict[str, Any]) -> None:
    with pytest.raises(DataError, match='numbers in "seconds" and "nanos"'):
        read_limits(parts)


@given(st.floats(0.001, 1e6), st.sampled_from(["", "s", " seconds"]))
def test_seconds_come_back_as_they_were(seconds: float, unit: str) -> None:
    assert read_limits(f"{seconds:.6f}{unit}")["time_s"] == pytest.approx(seconds, abs=1e-6)
