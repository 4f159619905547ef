"""Judge a job file with one bare ``subprocess.run`` per test: no sandbox, no limits but a clock.

What most training scripts start with, and the cheapest form of it: the interpreter without
``site``. Runs as: python subprocess_driver.py JOB RESULT.
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
    """All tests in order, up to the first that fails."""
    if job["kind"] == "call":
        code = CALL_FRAME.format(code=code, method=job["entry_point"].rpartition(".")[2])
    return all(passes(code, test, job["kind"]) for test in job["tests"])


def passes(code: str, test: dict[str, Any], kind: str) -> bool:
    text = test["input"] if kind == "stdin" else json.dumps(test["input"])
    expected = test["output"] if kind == "stdin" else json.dumps(test["output"])
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        input=text,
        capture_output=True,
        text=True,
        timeout=SECONDS_PER_TEST,
    )
    return done.returncode == 0 and done.stdout.split() == expected.split()


def main(job_path: str, result_path: str) -> None:
    with open(job_path, encoding="utf-8") as file:
        order = json.load(file)
    started = time.perf_counter()
    with ThreadPoolExecutor(order["workers"]) as threads:
        pairs = [(job, code) for job in order["jobs"] for code in job["codes"]]
        passed = list(threads.map(judge, *zip(*pairs, strict=True)))
    wall_s = time.perf_counter() - started
    with open(result_path, "w", encoding="utf-8") as file:
        json.dump({"passed": passed, "wall_s": wall_s}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
