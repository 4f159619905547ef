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


def measure_first_verdicts() -> dict[str, Any]:
    """Measure from the interpreter's start (without its own) to verdicts, and memory."""
    from microcoder_eval import judge

    imported = time.perf_counter()
    facts = {"import_s": imported - STARTED, "first_s": _time_judgement(judge, ADD)}
    facts["second_s"] = _time_judgement(judge, "# another\n" + ADD)
    lean = _measure_memory()
    facts["numpy_s"] = _time_judgement(judge, "import numpy\n" + ADD)
    return {**facts, "memory_mb": {"lean": lean, "after numpy": _measure_memory()}}


def _time_judgement(judge: Callable[..., Any], code: str) -> float:
    before = time.perf_counter()
    judgement = judge({"code": code}, ADD_TESTS)
    assert judgement.passed, judgement
    return time.perf_counter() - before


def _measure_memory() -> dict[str, Any]:
    """Return the MiB of one process of each kind: resident, and its own share of it."""
    from processes import list_children, read_proportional_kib, read_status

    workers = list_children(os.getpid())
    servers = [server for worker in workers for server in list_children(worker)]
    return {
        name: [
            {
                "resident": read_status(pid, "VmRSS:") / 1024,
                "share": read_proportional_kib(pid) / 1024,
            }
            for pid in pids
        ]
        for name, pids in (("workers", workers), ("servers", servers))
    }


def make_pairs(count: int, form: str) -> list[Pair]:
    """Make tiny programs with ten tests, SAMPLES for a problem."""
    from loads import LOADS

    from microcoder_eval.records import Kind, Problem, Test

    work: list[Pair] = []
    for number, job in enumerate(LOADS[0].jobs(count // SAMPLES, seed=1)):
        tests = job["tests"]
        problem = Problem(
            f"p{number}", Kind.STDIN, tuple(Test(test["input"], test["output"]) for test in tests)
        )
        for sample in range(SAMPLES):
            code = {"code": f"# {sample}\n{job['codes'][0]}"}
            work.append((code, problem if form == "records" else [dict(test) for test in tests]))
    return work


class Spinner(threading.Thread):
    """Other work of the caller: computes until it is stopped."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.finished = threading.Event()
        self.cpu_s = 0.0

    def run(self) -> None:
        """Compute in slices, so that its CPU time is known soon after its end."""
        while not self.finished.is_set():
            sum(range(1000))
            self.cpu_s = time.thread_time()


def submit_from_threads(judge: Any, work: list[Pair], busy: bool) -> tuple[float, list[float]]:
    """Submit from SUBMITTERS threads; return (CPU outside the judge, CPU of each submission)."""
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


async def submit_from_asyncio(
    judge: Any, work: list[Pair], busy: bool
) -> tuple[float, list[float]]:
    """Submit all at once from an event loop; return (CPU outside the judge, nothing)."""
    finished, delays = asyncio.Event(), [0.0]

    async def compute() -> None:
        while not finished.is_set():
            before = time.thread_time()
            while time.thread_time() < before + SLICE_S:
                sum(range(1000))
            delays[0] += time.thread_time() - before
            await asyncio.sleep(0)

    task = asyncio.create_task(compute()) if busy else None
    judgements = await asyncio.gather(*(judge.ajudge(*pair) for pair in work))
    assert all(judgement.passed for judgement in judgements)
    finished.set()
    if task is not None:
        await task
    return delays[0], []


def measure_submission(way: str, busy: bool, form: str, count: int) -> dict[str, Any]:
    """Return CPU milliseconds of this process for each solution, from submission to result."""
    from microcoder_eval import Judge

    with Judge(workers=2) as judge:
        assert judge.judge({"code": ADD}, ADD_TESTS).passed  # all late imports are done now
        work = make_pairs(count, form)
        before, begin = time.process_time(), time.perf_counter()
        if way == "threads":
            other_s, each = submit_from_threads(judge, work, busy)
        else:
            other_s, each = asyncio.run(submit_from_asyncio(judge, work, busy))
        cpu_s, wall_s = time.process_time() - before - other_s, time.perf_counter() - begin
    facts = {"caller_cpu_ms": 1000 * cpu_s / len(work), "wall_ms": 1000 * wall_s / len(work)}
    if each:
        facts["submit_cpu_ms"] = 1000 * statistics.mean(each)
        facts["submit_cpu_ms_most"] = 1000 * max(each)
    return facts


def main(mode: str, *arguments: str) -> None:
    """Measure once, and write the result as JSON to the last argument."""
    if mode == "first":
        facts = measure_first_verdicts()
    else:
        load, form, count = arguments[:3]
        facts = measure_submission(mode, load == "busy", form, int(count))
    Path(arguments[-1]).write_text(json.dumps(facts))


if __name__ == "__main__":
    main(*sys.argv[1:])
