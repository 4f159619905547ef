"""What a caller of this checkout's judge pays, measured from within a fresh process of its own.

Runs as: python startup_driver.py first RESULT
         python startup_driver.py threads|asyncio idle|busy lists|records COUNT RESULT

first: seconds to the first verdict of a cold ``judge()``, to a second one, and to the first of a
program that imports numpy; what worker and fork servers then hold. The others: CPU of this
process, all threads, for COUNT solutions submitted; busy: while it computes something else, whose
own CPU is not counted. lists: tests as plain lists; records: one Problem for eight solutions.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

STARTED = time.perf_counter()
BENCHMARKS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(BENCHMARKS.parent), str(BENCHMARKS.parent / "sandbox"), str(BENCHMARKS)]

SAMPLES = 8
ADD = "a, b = map(int, input().split())\nprint(a + b)\n"
ADD_TESTS = [{"input": "1 2\n", "output": "3\n"}]
SUBMITTERS = 8
SLICE_S = 0.002
Pair = tuple[dict[str, str], Any]


def first() -> dict[str, Any]:
    """From the interpreter's start (less its own) to verdicts, and memory."""
    from microcoder_eval import judge

    imported = time.perf_counter()
    facts = {"import_s": imported - STARTED, "first_s": _seconds(judge, ADD)}
    facts["second_s"] = _seconds(judge, "# another\n" + ADD)
    lean = _memory()
    facts["numpy_s"] = _seconds(judge, "import numpy\n" + ADD)
    return {**facts, "memory_mb": {"lean": lean, "after numpy": _memory()}}


def _seconds(judge: Callable[..., Any], code: str) -> float:
    before = time.perf_counter()
    judgement = judge({"code": code}, ADD_TESTS)
    assert judgement.passed, judgement
    return time.perf_counter() - before


def _memory() -> dict[str, Any]:
    """MiB of the one kind of process each: resident, and its own share of what is resident."""
    from processes import children, proportional_kib, status

    workers = children(os.getpid())
    servers = [server for worker in workers for server in children(worker)]
    return {
        name: [
            {"resident": status(pid, "VmRSS:") / 1024, "share": proportional_kib(pid) / 1024}
            for pid in pids
        ]
        for name, pids in (("workers", workers), ("servers", servers))
    }


def pairs(count: int, form: str) -> list[Pair]:
    """Tiny programs with ten tests, SAMPLES of a problem."""
    from loads import LOADS

    from microcoder_eval.records import Kind, Problem, Test

    found: list[Pair] = []
    for number, job in enumerate(LOADS[0].jobs(count // SAMPLES, seed=1)):
        tests = job["tests"]
        problem = Problem(
            f"p{number}", Kind.STDIN, tuple(Test(test["input"], test["output"]) for test in tests)
        )
        for sample in range(SAMPLES):
            code = {"code": f"# {sample}\n{job['codes'][0]}"}
            found.append((code, problem if form == "records" else [dict(test) for test in tests]))
    return found


class Spinner(threading.Thread):
    """Other work of the caller: computes until told to stop."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.finished = threading.Event()
        self.cpu_s = 0.0

    def run(self) -> None:
        """In slices, so that its CPU time is known soon after it ends."""
        while not self.finished.is_set():
            sum(range(1000))
            self.cpu_s = time.thread_time()


def from_threads(judge: Any, work: list[Pair], busy: bool) -> tuple[float, list[float]]:
    """SUBMITTERS threads submit: (CPU that is not the judge's, CPU seconds of each submit)."""
    spinner = Spinner()
    if busy:
        spinner.start()

    def submit(pair: Pair) -> tuple[Future[Any], float]:
        before = time.thread_time()
        future = judge.submit(*pair)
        return future, time.thread_time() - before

    with ThreadPoolExecutor(SUBMITTERS) as threads:
        submitted = list(threads.map(submit, work))
    assert all(future.result().passed for future, _cpu_s in submitted)
    spinner.finished.set()
    if busy:
        spinner.join()
    return spinner.cpu_s, [cpu_s for _future, cpu_s in submitted]


async def from_asyncio(judge: Any, work: list[Pair], busy: bool) -> tuple[float, list[float]]:
    """All at once from an event loop: (CPU that is not the judge's, nothing)."""
    finished, other = asyncio.Event(), [0.0]

    async def compute() -> None:
        while not finished.is_set():
            before = time.thread_time()
            while time.thread_time() < before + SLICE_S:
                sum(range(1000))
            other[0] += time.thread_time() - before
            await asyncio.sleep(0)

    task = asyncio.create_task(compute()) if busy else None
    found = await asyncio.gather(*(judge.ajudge(*pair) for pair in work))
    assert all(judgement.passed for judgement in found)
    finished.set()
    if task is not None:
        await task
    return other[0], []


def submitting(how: str, busy: bool, form: str, count: int) -> dict[str, Any]:
    """CPU milliseconds of this process for each solution, from submission to result."""
    from microcoder_eval import Judge

    with Judge(workers=2) as judge:
        assert judge.judge({"code": ADD}, ADD_TESTS).passed  # what is imported late is there now
        work = pairs(count, form)
        before, started = time.process_time(), time.perf_counter()
        if how == "threads":
            other_s, each = from_threads(judge, work, busy)
        else:
            other_s, each = asyncio.run(from_asyncio(judge, work, busy))
        cpu_s, wall_s = time.process_time() - before - other_s, time.perf_counter() - started
    facts = {"caller_cpu_ms": 1000 * cpu_s / len(work), "wall_ms": 1000 * wall_s / len(work)}
    if each:
        facts["submit_cpu_ms"] = 1000 * statistics.mean(each)
        facts["submit_cpu_ms_most"] = 1000 * max(each)
    return facts


def main(mode: str, *rest: str) -> None:
    """One measurement, written as JSON to the last argument."""
    if mode == "first":
        facts = first()
    else:
        load, form, count = rest[:3]
        facts = submitting(mode, load == "busy", form, int(count))
    Path(rest[-1]).write_text(json.dumps(facts))


if __name__ == "__main__":
    main(*sys.argv[1:])
