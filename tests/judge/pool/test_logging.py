"""What the library says, it says to the logger "microcoder", and to nobody unasked."""

from __future__ import annotations

import logging
import sys

import pytest

from microcoder_eval import Judge
from tests.commands import execute

# A judge whose worker is killed under a running program, so that its task is done again.
LOSES_A_WORKER = """
import os, signal, sys, psutil
from microcoder_eval import Judge
with Judge(workers=1) as judge:
    judge.judge({"code": "print(1)"}, [{"input": "", "output": "1\\n"}])
    psutil.Process().children()[0].send_signal(signal.SIGKILL)
    assert judge.judge({"code": "print(2 - 1)"}, [{"input": "", "output": "1\\n"}]).passed
"""


def test_a_pool_tells_its_level_when_asked(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "microcoder"), Judge(workers=1) as judge:
        level = judge.sandbox_level
    assert ("microcoder.pool", logging.INFO, f"1 judge workers at isolation level {level}") in (
        caplog.record_tuples
    )


@pytest.mark.parametrize(
    ("configured", "said"), [("", ""), ("import logging; logging.basicConfig()\n", "lost")]
)
@pytest.mark.slow
def test_a_lost_worker_is_a_warning_for_those_who_listen(configured: str, said: str) -> None:
    done = execute([sys.executable, "-c", configured + LOSES_A_WORKER])
    assert (done.returncode, done.stdout) == (0, "")
    assert (said in done.stderr) if said else (done.stderr == "")


PRINTS_ITSELF = """
import logging
from microcoder_eval.console.guard import configure_logging
configure_logging("microcoder-train")
library = logging.getLogger("library")
library.addHandler(logging.StreamHandler())
library.warning("retrying")
logging.getLogger("microcoder.pool").warning("lost")
"""


def test_a_command_prints_its_own_warnings_and_not_those_of_libraries_again() -> None:
    done = execute([sys.executable, "-c", PRINTS_ITSELF])
    assert done.stderr == "retrying\nmicrocoder-train: lost\n"
