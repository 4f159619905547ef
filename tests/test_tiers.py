"""No tier is forgotten: what a plain `pytest` leaves out runs in CI, or is asked for by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import FOLDER_MARKERS, ON_REQUEST

ROOT = Path(__file__).resolve().parents[1]


def test_ci_runs_what_a_plain_run_leaves_out(pytestconfig: pytest.Config) -> None:
    default = next(word for word in pytestconfig.getini("addopts") if word.startswith("not ("))
    left_out = re.findall(r"\w+", default.removeprefix("not "))
    in_ci = re.search(r"^others='(.*)'$", (ROOT / ".ci/run").read_text(), re.MULTILINE)
    assert in_ci
    assert set(in_ci[1].split(" or ")) == set(left_out) - {"or"}
    assert set(FOLDER_MARKERS.values()) <= {*left_out, *ON_REQUEST}
