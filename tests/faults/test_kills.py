"""SIGKILL to each of our processes at each step of a judgement."""

from __future__ import annotations

import pytest

from tests.faults.faults import bring_about, kill
from tests.faults.steps import EVERYWHERE

DEADLINE_SECONDS = 20.0


@pytest.mark.parametrize(("step", "part"), EVERYWHERE)
def test_a_process_that_is_killed_once_changes_no_result(step: str, part: str) -> None:
    assert bring_about(step, part, kill, DEADLINE_SECONDS).judge_errors == ()
