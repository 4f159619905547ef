"""Judge tiny programs one after another with one worker, and note when each began and ended.

Runs as: python timeline_driver.py COUNT LOAD RESULT. Times: nanoseconds of CLOCK_MONOTONIC, as perf
can give them, too. The first WARM_UP programs are not noted.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(BENCHMARKS.parent), str(BENCHMARKS.parent / "sandbox"), str(BENCHMARKS)]

WARM_UP = 20


def main(count: str, name: str, result: str) -> None:
    from loads import LOADS

    from microcoder_eval import Judge

    (load,) = (load for load in LOADS if load.name == name)
    times = []
    with Judge(workers=1) as judge:
        for job in load.jobs(WARM_UP + int(count), seed=1):
            problem = {"problem_id": "p", "tests": job["tests"]}
            if "entry_point" in job:
                problem["entry_point"] = job["entry_point"]
            begin = time.monotonic_ns()
            judgement = judge.judge({"code": job["codes"][0]}, problem)
            times.append((begin, time.monotonic_ns()))
            assert judgement.passed is job["passes"], judgement
    Path(result).write_text(json.dumps(times[WARM_UP:]))


if __name__ == "__main__":
    main(*sys.argv[1:])
