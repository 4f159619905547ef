"""CPU time of the corpus's contest programs in CPython and in PyPy.

    python benchmarks/pypy_times.py [--every 30]

Every Kth Python program of the shared corpus's contests, and those that its labels call too slow
for CPython, each on the test with the longest input; limits are ten seconds.
"""

from __future__ import annotations

import argparse
import gzip
import json
from statistics import median
from typing import Any

from common import HERE, describe_machine, make_stamped_name, read_commit, save
from corpus import DATA, all_programs

from microcoder_eval import Judge, Judgement, Limits
from microcoder_sandbox.toolchains.toolchain import require_toolchain

SECONDS = 10
LONG_S = 0.5  # shorter runs are mostly the interpreter's start and its compiler's


def keep_longest_test(problem: dict[str, Any]) -> dict[str, Any]:
    """The problem with one test and no limits of its own."""
    return {
        **problem,
        "limits": {},
        "tests": [max(problem["tests"], key=lambda t: len(t["input"]))],
    }


def find_cpu_s(judgement: Judgement) -> float:
    """CPU seconds of a program's test."""
    return max((test.cpu_s for test in judgement.tests if test is not None), default=0.0)


def main() -> None:
    """Judge in both, and write a record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=30)
    every = parser.parse_args().every
    with gzip.open(DATA / "corpus" / "labels.jsonl.gz", "rt", encoding="utf-8") as file:
        labels = {row["solution_id"]: row for row in map(json.loads, file)}
    pairs = [
        (problem, solution)
        for problem, solution in all_programs()
        if problem["problem_id"].startswith("kattis/")
        and solution.get("language", "python") == "python"
        and labels[solution["solution_id"]]["accept"]
    ]
    slow = [pair for pair in pairs if labels[pair[1]["solution_id"]]["validation"] == "environment"]
    chosen = [*slow, *(pair for pair in pairs[::every] if pair not in slow)]
    rows = []
    with Judge(limits=Limits(time_s=SECONDS, memory_mb=2048), workers=2) as judge:
        futures = [
            [
                judge.submit({**solution, "language": language}, keep_longest_test(problem))
                for language in ("python", "pypy")
            ]
            for problem, solution in chosen
        ]
        for (problem, solution), both in zip(chosen, futures, strict=True):
            cpython, pypy = (future.result() for future in both)
            rows.append(
                {
                    "solution_id": solution["solution_id"],
                    "limit_s": problem["limits"]["time_s"],
                    "python": [str(cpython.verdict), round(find_cpu_s(cpython), 3)],
                    "pypy": [str(pypy.verdict), round(find_cpu_s(pypy), 3)],
                }
            )
    ratios = [
        row["python"][1] / max(row["pypy"][1], 0.01)
        for row in rows
        if row["python"][0] == row["pypy"][0] == "AC" and row["python"][1] >= LONG_S
    ]
    record = {
        "machine": describe_machine(),
        "commit": read_commit(),
        "pypy": require_toolchain("pypy").version,
        "programs": len(rows),
        "long": len(ratios),
        "cpython_by_pypy": [round(value, 2) for value in sorted(ratios)],
        "median": round(median(ratios), 2) if ratios else None,
        "rows": rows,
    }
    print(json.dumps({key: record[key] for key in ("programs", "long", "cpython_by_pypy")}))
    save(HERE / "results" / f"{make_stamped_name('pypy_times')}.json", record)


if __name__ == "__main__":
    main()
