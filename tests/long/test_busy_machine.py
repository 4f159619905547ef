"""A busy machine changes no verdict: programs near their CPU limit beside 16 busy loops.

pytest -m long tests/long/test_busy_machine.py
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from microcoder_eval import Judge, Judgement
from tests.delays import BUSY_LOOP

PROGRAMS = int(os.environ.get("BUSY_PROGRAMS", "200"))
LOOPS = 16
LEAST_SHARE, LARGEST_SHARE = 0.5, 0.95  # of the CPU limit
BURN = "import time\nwhile time.process_time() < {seconds}: pass\nprint({answer})\n"
TESTS = [{"input": "", "output": "1"}]
pytestmark = [pytest.mark.long, pytest.mark.timeout(4 * 3600)]


@pytest.fixture
def busy_loops() -> Iterator[None]:
    """Sixteen endless loops on two cores, until the end of the test."""
    before = os.sched_getaffinity(0)
    loops: list[subprocess.Popen[bytes]] = []
    try:
        os.sched_setaffinity(0, sorted(before)[:2])  # the loops and the workers inherit it
        for _ in range(LOOPS):
            loops.append(subprocess.Popen([sys.executable, "-c", BUSY_LOOP]))
        yield
    finally:
        os.sched_setaffinity(0, before)
        for loop in loops:
            loop.kill()
            loop.wait()


def make_programs() -> list[str]:
    """Return programs of evenly spread times; every fifth answers wrong."""
    step = (LARGEST_SHARE - LEAST_SHARE) / max(1, PROGRAMS - 1)
    return [
        BURN.format(seconds=LEAST_SHARE + step * i, answer=2 if i % 5 == 0 else 1) + f"# {i}\n"
        for i in range(PROGRAMS)
    ]


def describe(judgement: Judgement) -> tuple[str, str | None, tuple[str, ...]]:
    detail = judgement.tests_run[0].detail if judgement.tests_run else judgement.error
    return str(judgement.verdict), detail, judgement.flags


@pytest.mark.parametrize("workers", [2, 6, 16])
@pytest.mark.usefixtures("busy_loops")
def test_no_verdict_differs_from_that_of_a_quiet_machine(workers: int) -> None:
    programs = make_programs()
    with Judge(workers=workers, reuse=False, limits={"time_s": 1}) as judge:
        judgements = list(judge.map((program, TESTS) for program in programs))
    again = sum("rerun_alone" in judgement.flags for judgement in judgements)
    print(f"{workers} workers: {again} of {len(judgements)} ran again alone")
    differing = {
        number: describe(judgement)
        for number, judgement in enumerate(judgements)
        if judgement.verdict != ("WA" if number % 5 == 0 else "AC")
    }
    assert not differing
