"""What a caller and its judge hold does not grow with the number of different calls.

Every call below differs from all before it in all that may differ: program, problem, limits, sizes,
comparison, text that does not compile, values, failures. The default run makes some of them.
"""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Judge, Limits, judge
from microcoder_sandbox.host.servers import SPECIAL_SERVERS
from tests.commands import ENVIRONMENT
from tests.processes import list_descendants

MIB = 1 << 20
FAST, FULL = 40, 1000
Call = Callable[[Judge, int], Any]


def processes() -> list[int]:
    return [os.getpid(), *list_descendants(os.getpid())]


def descriptors() -> int:
    """Of this process and all that it started, as far as we may look."""
    return sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in processes() if is_readable(pid))


def is_readable(pid: int) -> bool:
    try:
        os.listdir(f"/proc/{pid}/fd")
    except OSError:
        return False
    return True


def memory() -> int:
    """Bytes that are ours alone, in all of them; shared pages divided among those who share."""
    total = 0
    for pid in processes():
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total << 10


def stdin_problem(number: int, **fields: Any) -> dict[str, Any]:
    tests = [{"input": f"{number}\n", "output": f"{number}\n"}, {"input": "1\n", "output": "1\n"}]
    return {"problem_id": f"p{number}", "kind": "stdin", "tests": tests, **fields}


def varied_limits(judge: Judge, number: int) -> object:
    limits = {"time_s": 1 + number / 1000, "memory_mb": 64 + number, "output_mb": 1 + number / 1000}
    return judge.judge({"code": "print(input())"}, stdin_problem(number, limits=limits))


def varied_files(judge: Judge, number: int) -> object:
    limits = {"files_mb": 1 + number / 256}
    code = "open('f', 'w').write('x' * 100)\nprint(input())"
    return judge.judge({"code": code}, stdin_problem(number, limits=limits))


def varied_calls(judge: Judge, number: int) -> object:
    tests = [{"input": [[number] * 50], "output": number}]
    problem = {"problem_id": f"c{number}", "entry_point": "f", "tests": tests}
    return judge.judge({"code": f"def f(a):\n    return max(a) + {number % 2}"}, problem)


def varied_asserts(judge: Judge, number: int) -> object:
    code = f"assert f({number}) == {number}\nx = [f(1)]\nassert x == [1]"
    problem = {"problem_id": f"a{number}", "entry_point": "f", "test_code": code}
    return judge.judge({"code": "def f(a):\n    return a"}, problem)


def varied_failures(judge: Judge, number: int) -> object:
    text = ("def (", f"raise ValueError({number})", "import os; os._exit(3)", "print('x' * 99)")
    return judge.judge({"code": f"{text[number % 4]}\n# {number}"}, stdin_problem(number))


def varied_checkers(judge: Judge, number: int) -> object:
    source = f"def check(input, output, expected):\n    return len(output) < {number + 10}\n"
    checker = {"source": source, "language": "python"}
    return judge.judge({"code": "print(input())"}, stdin_problem(number, checker=checker))


def varied_graders(judge: Judge, number: int) -> object:
    source = f"rows = [input(), input()]\nprint('AC', {number % 5})\n"
    group = {"name": "all", "tests": [0, 1], "points": 5, "aggregation": "grader"}
    fields = {"grader": {"source": source}, "groups": [group]}
    return judge.judge({"code": f"print(input())  # {number}"}, stdin_problem(number, **fields))


def varied_runs(judge: Judge, number: int) -> object:
    return judge.run(f"print({number})", limits=Limits(files_mb=1 + number / 256))


def varied_options(_judge: Judge, number: int) -> object:
    return judge(
        {"code": "print(input())"},
        stdin_problem(number),
        limits=Limits(time_s=1 + number / 1000),
        compare={"name": "floats", "rel": number * 1e-9},
        time_scale=1 + number / 1000,
        stop=("first_failure", "never")[number % 2],
        isolation=("batch", "test")[number % 3 % 2],
        adaptive=bool(number % 2),
    )


CALLS: tuple[Call, ...] = (
    varied_limits,
    varied_files,
    varied_calls,
    varied_asserts,
    varied_failures,
    varied_checkers,
    varied_graders,
    varied_runs,
    varied_options,
)


@pytest.mark.parametrize(
    ("level", "count"),
    [
        (4, FAST),
        pytest.param(4, FULL, marks=pytest.mark.slow),
        pytest.param(3, FAST, marks=pytest.mark.sandbox),
    ],
)
def test_nothing_adds_up_over_calls_that_all_differ(level: int, count: int) -> None:
    with Judge(workers=1, max_level=level, min_level=3) as held:
        for number in range(2 * SPECIAL_SERVERS):  # what is kept is there after these
            for call in CALLS:
                call(held, number)
        before = (len(processes()), threading.active_count(), descriptors(), memory())
        for number in range(2 * SPECIAL_SERVERS, 2 * SPECIAL_SERVERS + count // len(CALLS)):
            for call in CALLS:
                call(held, number)
        gc.collect()
        after = (len(processes()), threading.active_count(), descriptors(), memory())
    # Fewer where what earlier tests left has ended in between.
    assert all(later <= earlier for later, earlier in zip(after[:2], before[:2], strict=True))
    assert after[2] <= before[2] + 4  # inputs that are held for the problem at hand
    assert after[3] - before[3] < 24 * MIB + count * 8192  # results and problems that are kept


POOLS = """
import os
from microcoder_eval import run
from microcoder_eval.api import MAX_POOLS
from microcoder_eval.pool.cores import usable_cores
from microcoder_sandbox.host.compiler_tree import list_children
from tests.processes import wait_until

for number in range(3 * MAX_POOLS):
    assert run("print(1)", packages=[f"no_such_package_{number}"]).stdout == "1\\n"
    # A pool that made room ends its workers in the background.
    assert wait_until(lambda: len(list_children(os.getpid())) <= MAX_POOLS * usable_cores())
"""


@pytest.mark.slow
def test_pools_for_packages_do_not_add_up() -> None:
    """In a process that has no other children."""
    subprocess.run([sys.executable, "-c", POOLS], check=True, env=ENVIRONMENT)


@pytest.mark.slow
def test_who_waits_for_a_full_queue_takes_no_thread() -> None:
    slow = {"code": "import time\ntime.sleep(0.3)\nprint(input())"}

    async def ask(held: Judge) -> tuple[int, list[Any]]:
        tasks = [asyncio.create_task(held.ajudge(slow, stdin_problem(n))) for n in range(8)]
        before = threading.active_count()
        await asyncio.sleep(0.2)
        during = threading.active_count() - before
        tasks[-1].cancel()  # gives up its place, and nobody else's
        return during, await asyncio.gather(*tasks, return_exceptions=True)

    with Judge(workers=1, max_pending=2, isolation="test") as held:
        threads, judgements = asyncio.run(ask(held))
        assert threads == 0
        assert [str(judgement.verdict) for judgement in judgements[:-1]] == ["AC"] * 7
        assert isinstance(judgements[-1], asyncio.CancelledError)
        assert held.judge(slow, stdin_problem(9)).passed
