"""Judge a job file with this checkout's ``Judge``, by its public API only.

Runs as: python microcoder_driver.py JOB RESULT. Exit 3: the judge cannot be imported or started.
The job file's ``arrivals``, seconds from the start, one a program: each is submitted then.
"""

from __future__ import annotations

import json
import os
import sys
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

BENCHMARKS = Path(__file__).resolve().parents[1]
# Measure this checkout, even if the package is installed.
sys.path[:0] = [str(BENCHMARKS.parent), str(BENCHMARKS.parent / "sandbox"), str(BENCHMARKS)]

from processes import list_children, read_status  # noqa: E402


def make_pairs(job_file: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Return (program, tests): a plain list for stdin problems, a problem for calls and for jobs
    with limits of their own."""
    pairs = []
    for index, job in enumerate(job_file["jobs"]):
        tests: Any = job["tests"]
        if job["kind"] == "call" or "limits" in job:
            names = [name for name in ("kind", "entry_point", "tests", "limits") if job.get(name)]
            tests = {"problem_id": f"{job['kind']}-{index}", **{name: job[name] for name in names}}
        pairs += [({"code": code}, tests) for code in job["codes"]]
    return pairs


def judge_at_arrivals(judge: Any, pairs: list[tuple[Any, Any]], arrivals: list[float]) -> list[Any]:
    """Submit each pair at its time; return judgements in the order of the pairs."""
    futures: dict[int, Future[Any]] = {}
    start = time.perf_counter()
    for index in sorted(range(len(pairs)), key=arrivals.__getitem__):
        time.sleep(max(0.0, start + arrivals[index] - time.perf_counter()))
        futures[index] = judge.submit(*pairs[index])
    return [futures[index].result() for index in range(len(pairs))]


def measure_memory() -> dict[str, Any]:
    """Return the peak MiB of the caller, of each worker and of each fork server."""
    workers = list_children(os.getpid())
    servers = [server for worker in workers for server in list_children(worker)]
    return {
        "caller": read_status(os.getpid(), "VmHWM:") / 1024,
        "workers": [read_status(pid, "VmHWM:") / 1024 for pid in workers],
        "servers": [read_status(pid, "VmHWM:") / 1024 for pid in servers],
    }


def judge_file(job_path: str, result_path: str, engine: str = "local") -> None:
    """Judge a job file; write the answer. Exits where the judge cannot be imported."""
    try:
        from microcoder_eval import Judge, Limits
    except ImportError as error:
        print(f"microcoder_eval.Judge cannot be imported: {error}", file=sys.stderr)
        raise SystemExit(3) from None
    with open(job_path, encoding="utf-8") as file:
        job_file = json.load(file)
    options: dict[str, Any] = {}
    if engine != "local":  # an older Judge has no engines
        options["engine"] = engine
    if job_file.get("isolation"):
        options["isolation"] = job_file["isolation"]
    limits = Limits(time_s=job_file.get("seconds"), memory_mb=job_file.get("memory_mb"))
    pairs = make_pairs(job_file)
    arrivals = job_file.get("arrivals")
    start = time.perf_counter()
    with Judge(
        workers=job_file["workers"], stop="first_failure", limits=limits, **options
    ) as judge:
        judgements = (
            judge_at_arrivals(judge, pairs, arrivals) if arrivals else list(judge.map(pairs))
        )
        rewards_s = time.perf_counter() - start
        resident_mb = measure_memory()
    wall_s = time.perf_counter() - start
    answer = {
        "passed": [judgement.passed for judgement in judgements],
        "verdicts": [str(judgement.verdict) for judgement in judgements],
        "programs_cpu_s": sum(t.cpu_s for j in judgements for t in j.tests),
        "tests_run": sum(len(j.tests_run) for j in judgements),
        "rewards_s": rewards_s,
        "wall_s": wall_s,
        "memory_mb": resident_mb,
        "sandbox_level": judgements[0].sandbox_level,
        "isolation": judgements[0].isolation,
    }
    with open(result_path, "w", encoding="utf-8") as file:
        json.dump(answer, file)


if __name__ == "__main__":
    judge_file(*sys.argv[1:])
