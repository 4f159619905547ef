"""What the library says, it says to the logger "microcoder", and to nobody unasked."""

from __future__ import annotations

import logging
import sys

import pytest

from microcoder_eval import Judge
from tests.commands import execute
from tests.files import read_table

TABLE = read_table(__file__)
# A judge whose worker is killed under a running program, so that its task is done again.
LOSES_A_WORKER = TABLE["loses_a_worker"]


def test_a_pool_tells_its_level_when_asked(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "microcoder"), Judge(workers=1) as judge:
        level = judge.sandbox_level
    assert ("microcoder.pool", logging.INFO, f"1 judge workers at isolation level {level}") in (
        caplog.record_tuples
    )


@pytest.mark.parametrize(
    ("configured", "message"), [("", ""), ("import logging; logging.basicConfig()\n", "lost")]
)
@pytest.mark.slow
def test_a_lost_worker_is_a_warning_for_those_who_listen(configured: str, message: str) -> None:
    result = execute([sys.executable, "-c", configured + LOSES_A_WORKER])
    assert (result.returncode, result.stdout) == (0, "")
    assert (message in result.stderr) if message else (result.stderr == "")


PRINTS_ITSELF = TABLE["prints_itself"]


def test_a_command_prints_its_own_warnings_and_not_those_of_libraries_again() -> None:
    result = execute([sys.executable, "-c", PRINTS_ITSELF])
    assert result.stderr == "retrying\nmicrocoder-train: lost\n"
