"""Programs composed at random, judged for real, and looked at from outside.

pytest tests/fuzz/test_programs.py -m long                               # five minutes a level
MICROCODER_FUZZ_SECONDS=3600 pytest tests/fuzz/test_programs.py -m long
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from hypothesis import HealthCheck, given, note, seed, settings
from hypothesis.strategies import SearchStrategy

from microcoder_eval import Judge, Limits
from tests.fuzz.plain_programs import plain_programs
from tests.fuzz.programs import MARK, programs

SECONDS = float(os.environ.get("MICROCODER_FUZZ_SECONDS", "300"))
LIMITS = Limits(time_s=0.5, wall_s=3.0, memory_mb=128, output_mb=1)
PROBLEM = {"problem_id": "p", "tests": [{"input": f"{n}\n", "output": f"{n * n}"} for n in (3, 4)]}
# The first test accepts the right output, the second any other one: what fails after other tests is
# run again alone, so that only a test which passes shows a leak.
DIFFERS = {
    "source": "def check(input, output, expected): return (output == expected) == (input < '2')",
    "language": "python",
    "protocol": "python",
}
INNOCENT = "print(int(input()) ** 2)"
TICK = 1 / os.sysconf("SC_CLK_TCK")
PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/", os.getcwd())


Check = Callable[["Watched", str], None]


class Watched:
    """Judges of both isolations at one level, and what can be seen of them from outside."""

    def __init__(self, level: int) -> None:
        self._others = set(psutil.Process().children())  # of other tests' fixtures
        self.judges = [
            Judge(
                workers=1, reuse=False, stop="never", limits=LIMITS, isolation=isolation,
                min_level=level, max_level=level,
            )
            for isolation in ("batch", "test")
        ]  # fmt: skip
        for judge in self.judges:
            for imports in ("", "import random\n", "import ctypes\n", "import numpy\n"):
                judge.judge(imports + INNOCENT, PROBLEM)

    def close(self) -> None:
        for judge in self.judges:
            judge.close(cancel=True)

    def ours(self) -> list[psutil.Process]:
        """Workers and fork servers."""
        workers = [each for each in psutil.Process().children() if each not in self._others]
        return [*workers, *(server for worker in workers for server in worker.children())]

    def descriptors(self) -> dict[int, int]:
        """How many each of our processes holds."""
        return {process.pid: process.num_fds() for process in self.ours()}

    def programs_left(self) -> list[psutil.Process]:
        """What lives on below the fork servers a moment after all programs have ended."""
        for _ in range(20):
            servers = self.ours()[len(self.judges) :]
            left = [program for server in servers for program in server.children(recursive=True)]
            if not left:
                break
            time.sleep(0.05)
        return left

    def cpu_of_programs(self) -> dict[int, float]:
        """What the kernel says that all children of each fork server have used."""
        return {
            process.pid: process.cpu_times().children_user + process.cpu_times().children_system
            for process in self.ours()[len(self.judges) :]
        }


@pytest.fixture(scope="module", params=[4, 3], ids=["level 4", "level 3"])
def judges(request: pytest.FixtureRequest) -> Iterator[Watched]:
    """Both kinds of judge, warm."""
    warm_judges = Watched(request.param)
    yield warm_judges
    warm_judges.close()


def check(judges: Watched, program: str) -> None:
    """All that must hold of any program."""
    batch, alone = judges.judges
    descriptors, cpu = judges.descriptors(), judges.cpu_of_programs()
    result = alone.run(program, "3\n")
    after = judges.cpu_of_programs()
    if cpu.keys() == after.keys():  # else a server was lost, or started
        used = sum(after.values()) - sum(cpu.values())
        assert abs(used - result.cpu_s) <= 4 * TICK + 0.02 * used, f"{used} s, told {result.cpu_s}"
    assert 0 <= result.memory_mb <= 128 + 64 + 64
    assert len(str(result.stdout)) <= 2 << 20

    for judgement in (batch.judge(program, PROBLEM), alone.judge(program, PROBLEM)):
        note(str(judgement.tests))
        assert str(judgement.verdict) != "JE", judgement.error

    assert judges.programs_left() == []
    for pid, count in judges.descriptors().items():
        assert count <= descriptors.get(pid, count), f"process {pid}"
    assert not [Path(place, MARK) for place in PLACES if MARK in os.listdir(place)]
    assert alone.judge(INNOCENT, PROBLEM).passed
    assert batch.judge(INNOCENT, PROBLEM).passed


def check_session(judges: Watched, program: str) -> None:
    """In one child for all tests a plain program prints what it prints in a child for each."""
    batch, alone = judges.judges
    tests = [{"input": f"{n}\n", "output": alone.run(program, f"{n}\n").stdout} for n in (1, 2)]
    judgement = batch.judge(program, {"problem_id": "plain", "tests": tests, "checker": DIFFERS})
    assert [str(test.verdict) for test in judgement.tests_run] == ["AC", "WA"]


def attack(
    judges: Watched, seconds: float, examples: int, check: Check, source: SearchStrategy[str]
) -> int:
    """Check programs for that long; how many."""
    count = 0

    def check_counting(program: str) -> None:
        nonlocal count
        count += 1
        note(program)
        check(judges, program)

    start = random.SystemRandom().randrange(2**32)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        start += 1
        composed = given(source)(check_counting)
        limited = settings(
            max_examples=examples,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        )(composed)
        seed(start)(limited)()
    return count


@pytest.mark.parametrize(
    ("seconds", "examples"),
    [(5, 5), pytest.param(SECONDS, 50, marks=pytest.mark.long, id="for long")],
)
@pytest.mark.parametrize(
    ("check", "source"),
    [(check, programs()), (check_session, plain_programs())],
    ids=["any programs", "plain programs"],
)
def test_programs_composed_at_random_harm_neither_judge_nor_machine(
    judges: Watched, seconds: float, examples: int, check: Check, source: SearchStrategy[str]
) -> None:
    count = attack(judges, seconds, examples, check, source)
    print(f"{count} programs in {seconds:.0f} s")
    assert count >= seconds / 30
