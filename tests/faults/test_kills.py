"""SIGKILL to each of our processes at each step of a judgement."""

from __future__ import annotations

import pytest

from tests.faults.faults import kill, play
from tests.faults.steps import PARTS

DEADLINE_SECONDS = 20.0
EVERYWHERE = [(step, part) for step, parts in PARTS.items() for part in parts if part != "compiler"]


@pytest.mark.parametrize(("step", "part"), EVERYWHERE)
def test_a_process_that_is_killed_once_changes_no_result(step: str, part: str) -> None:
    assert play(step, part, kill, DEADLINE_SECONDS).judge_errors == ()


def test_what_a_compiler_started_and_lost_is_a_judge_error_with_its_message() -> None:
    # Only the compiler itself could tell this from a program that does not compile.
    (error,) = play("builds", "compiler", kill, DEADLINE_SECONDS).judge_errors
    assert "Killed signal terminated program cc1plus" in error
