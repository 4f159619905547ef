"""The cells of examples/first_hour.ipynb run, and it is stored without outputs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands import execute
from tests.files import ROOT

NOTEBOOK = json.loads((ROOT / "examples/first_hour.ipynb").read_text(encoding="utf-8"))
CELLS: list[dict[str, Any]] = [one for one in NOTEBOOK["cells"] if one["cell_type"] == "code"]


@pytest.mark.slow
def test_the_cells_of_the_notebook_run(tmp_path: Path) -> None:
    program = tmp_path / "cells.py"
    program.write_text("\n\n".join("".join(cell["source"]) for cell in CELLS))
    result = execute([sys.executable, program], cwd=tmp_path, timeout=300)
    assert result.returncode == 0, result.stderr
    for shown in ("endless TLE", "file RE", "[1.0, 0.0, 0.0]", "True"):
        assert shown in result.stdout


def test_the_notebook_is_stored_without_outputs() -> None:
    assert (NOTEBOOK["nbformat"], len(CELLS)) == (4, 7)
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in CELLS)
