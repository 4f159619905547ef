"""The loads of overhead.py: tiny programs on tiny tests, so that nearly all cost is the judge's.

Every program is different (in its constants) and has its own tests, so that caches of programs or
tests have no effect. Numbers come from a fixed seed.
"""

from __future__ import annotations

import random
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
    """One kind of work. tests_run: how many tests of a solution a judge has to execute."""

    name: str
    title: str
    make: Callable[[Load, random.Random, str], dict[str, Any]]
    tests: int
    tests_run: int
    passes: bool

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
    code = STDIN_PROGRAM.format(number=number, factor=factor, offset=offset)
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


LOADS = (
    Load("stdin10", "10 stdin tests, all pass", _stdin_job, 10, 10, True),
    Load("stdin100", "100 stdin tests, all pass", _stdin_job, 100, 100, True),
    Load("wrong10", "10 stdin tests, first fails", _stdin_job, 10, 1, False),
    Load("call20", "20 call tests, all pass", _call_job, 20, 20, True),
)
