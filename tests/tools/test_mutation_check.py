"""The faults of tools/mutation_check.py can be planted in the code as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutation_check import FAULTS, Fault

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_has_one_place(fault: Fault) -> None:
    code = (ROOT / "microcoder_eval" / fault.file).read_text(encoding="utf-8")
    assert code.count(fault.text) == 1
