"""Judges a job file with one ``subprocess.run`` per test: no sandbox, and a wall time limit only.

Most training scripts start with this; here in its cheapest form, an interpreter without ``site``.
Runs as: python subprocess_driver.py JOB RESULT.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

SECONDS_PER_TEST = 6
CALL_FRAME = """\
import json, sys
from typing import List
{code}
print(json.dumps(Solution().{method}(*json.load(sys.stdin))))
"""


def judge(job: dict[str, Any], code: str) -> bool:
    """Run all tests in order, up to the first that fails."""
    if job["kind"] == "call":
        code = CALL_FRAME.format(code=code, method=job["entry_point"].rpartition(".")[2])
    return all(passes(code, test, job["kind"]) for test in job["tests"])


def passes(code: str, test: dict[str, Any], kind: str) -> bool:
    text = test["input"] if kind == "stdin" else json.dumps(test["input"])
    expected = test["output"] if kind == "stdin" else json.dumps(test["output"])
    process = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        input=text,
        capture_output=True,
        text=True,
        timeout=SECONDS_PER_TEST,
    )
    return process.returncode == 0 and process.stdout.split() == expected.split()


def main(job_path: str, result_path: str) -> None:
    with open(job_path, encoding="utf-8") as file:
        job_file = json.load(file)
    start = time.perf_counter()
    with ThreadPoolExecutor(job_file["workers"]) as threads:
        pairs = [(job, code) for job in job_file["jobs"] for code in job["codes"]]
        passes = list(threads.map(judge, *zip(*pairs, strict=True)))
    wall_s = time.perf_counter() - start
    with open(result_path, "w", encoding="utf-8") as file:
        json.dump({"passed": passes, "wall_s": wall_s}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
