"""The loads of overhead.py: tiny programs on tiny tests, so that nearly all cost is the judge's.

Every program is different (in its constants) and has its own tests, so that caches of programs or
tests have no effect. Numbers come from a fixed seed.
"""

from __future__ import annotations

import functools
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

STDIN_PROGRAM = """\
# program {number}
import sys

def main():
    data = sys.stdin.read().split()
    n = int(data[0])
    values = list(map(int, data[1:1 + n]))
    print(sum(values) * {factor} + {offset})

main()
"""

# The same, with modules that have caches.
MODULES_PROGRAM = """\
# program {number}
import io
import re
import sys

def main():
    text = io.TextIOWrapper(sys.stdin.buffer).read()
    n, *values = map(int, re.findall("[0-9]+", text))
    print(sum(values[:n]) * {factor} + {offset})

main()
"""

# Makes as many steps as the input says; 0: endless.
STEPS_PROGRAM = """\
# program {number}
def main():
    steps = int(input())
    while steps == 0:
        pass
    value = {offset}
    for _ in range(steps):
        value = (value + {factor}) % 1000003
    print(value)

main()
"""

CALL_PROGRAM = """\
# program {number}
class Solution:
    def weigh(self, values: List[int], scale: int) -> int:
        total = 0
        for value in values:
            total += value * scale
        return total * {factor} + {offset}
"""
CALL_ENTRY = "Solution.weigh"


@dataclass(frozen=True, slots=True)
class Load:
    """One kind of work. tests_run: how many tests of a solution a judge has to execute.

    limit_s: the time limit of a test, None for the judge's default. steps: how many steps each
    test of STEPS_PROGRAM makes.
    """

    name: str
    title: str
    make: Callable[[Load, random.Random, str], dict[str, Any]]
    tests: int
    tests_run: int
    passes: bool
    program: str = STDIN_PROGRAM
    limit_s: float | None = None
    steps: Callable[[], list[int]] = list

    def jobs(self, count: int, seed: int) -> list[dict[str, Any]]:
        """Make ``count`` different programs with their tests, as plain JSON values."""
        numbers = random.Random(f"{self.name} {seed}")
        return [self.make(self, numbers, f"{seed}.{index}") for index in range(count)]


def _stdin_job(load: Load, numbers: random.Random, number: str) -> dict[str, Any]:
    factor, offset = numbers.randrange(2, 10**6), numbers.randrange(10**6)
    tests = []
    for _ in range(load.tests):
        values = [numbers.randrange(1000) for _ in range(5)]
        answer = sum(values) * factor + offset + (0 if load.passes else 1)
        text = " ".join(map(str, values))
        tests.append({"input": f"{len(values)}\n{text}\n", "output": f"{answer}\n"})
    code = load.program.format(number=number, factor=factor, offset=offset)
    return {"kind": "stdin", "codes": [code], "tests": tests, "passes": load.passes}


def _steps_job(load: Load, numbers: random.Random, number: str) -> dict[str, Any]:
    factor, offset = numbers.randrange(2, 10**6), numbers.randrange(10**6)
    tests = [
        {"input": f"{steps}\n", "output": f"{(offset + steps * factor) % 1000003}\n"}
        for steps in load.steps()
    ]
    code = load.program.format(number=number, factor=factor, offset=offset)
    return {"kind": "stdin", "codes": [code], "tests": tests, "passes": load.passes}


def _call_job(load: Load, numbers: random.Random, number: str) -> dict[str, Any]:
    factor, offset = numbers.randrange(2, 10**6), numbers.randrange(10**6)
    tests = []
    for _ in range(load.tests):
        values, scale = [numbers.randrange(1000) for _ in range(5)], numbers.randrange(1, 9)
        answer = sum(values) * scale * factor + offset + (0 if load.passes else 1)
        tests.append({"input": [values, scale], "output": answer})
    code = CALL_PROGRAM.format(number=number, factor=factor, offset=offset)
    return {
        "kind": "call",
        "codes": [code],
        "entry_point": CALL_ENTRY,
        "tests": tests,
        "passes": load.passes,
    }


@functools.cache
def _steps_per_second() -> float:
    """Measure the speed of the loop of STEPS_PROGRAM: the median of nine trials."""
    steps, value, seconds = 500_000, 0, []
    for _ in range(9):
        start = time.process_time()
        for _ in range(steps):
            value = (value + 7) % 1000003
        seconds.append(time.process_time() - start)
    return steps / statistics.median(seconds)


def _share_of_limit(share: float) -> list[int]:
    return [round(share * STEPS_LIMIT_S * _steps_per_second())] * 3


# Tests that use a share of it are long enough to be measured and short enough to be repeated.
STEPS_LIMIT_S = 0.4
LOADS = (
    Load("stdin10", "10 stdin tests, all pass", _stdin_job, 10, 10, True),
    Load("stdin100", "100 stdin tests, all pass", _stdin_job, 100, 100, True),
    Load("wrong10", "10 stdin tests, first fails", _stdin_job, 10, 1, False),
    Load("call20", "20 call tests, all pass", _call_job, 20, 20, True),
)
# Here a judge that runs several tests in one process must decide when it may not.
SHARING_LOADS = (
    Load(
        "modules10",
        "10 stdin tests, program uses io and re",
        _stdin_job,
        tests=10,
        tests_run=10,
        passes=True,
        program=MODULES_PROGRAM,
    ),
    *(
        Load(
            f"share{percent}",
            f"3 stdin tests, each at .{percent // 10} of its time limit",
            _steps_job,
            tests=3,
            tests_run=3,
            passes=True,
            program=STEPS_PROGRAM,
            limit_s=STEPS_LIMIT_S,
            steps=functools.partial(_share_of_limit, percent / 100),
        )
        for percent in (30, 60)
    ),
    Load(
        "endless2",
        "2 stdin tests, endless loop on the second",
        _steps_job,
        tests=2,
        tests_run=2,
        passes=False,
        program=STEPS_PROGRAM,
        limit_s=STEPS_LIMIT_S,
        steps=lambda: [1, 0],
    ),
)
