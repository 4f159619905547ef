"""Judge a job file with LiveCodeBench's own evaluator, called the way its users call it.

Runs in an environment with the package ``nvidia-livecodebench``: python lcb_driver.py JOB RESULT.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from livecodebench.evaluation import codegen_metrics

SECONDS_PER_TEST = 6  # its default


def sample(job: dict[str, Any]) -> dict[str, str]:
    """A job as LiveCodeBench's problem: one JSON text; call arguments one a line."""
    if job["kind"] == "stdin":
        content = {
            "inputs": [test["input"] for test in job["tests"]],
            "outputs": [test["output"] for test in job["tests"]],
            "fn_name": None,
        }
    else:
        content = {
            "inputs": ["\n".join(map(json.dumps, test["input"])) for test in job["tests"]],
            "outputs": [json.dumps(test["output"]) for test in job["tests"]],
            "fn_name": job["entry_point"].rpartition(".")[2],
        }
    return {"input_output": json.dumps(content)}


def main(job_path: str, result_path: str) -> None:
    with open(job_path, encoding="utf-8") as file:
        order = json.load(file)
    samples = [sample(job) for job in order["jobs"]]
    started = time.perf_counter()
    _, results, _ = codegen_metrics(
        samples,
        [[job["code"]] for job in order["jobs"]],
        k_list=[1],
        num_process_evaluate=order["workers"],
        timeout=SECONDS_PER_TEST,
    )
    wall_s = time.perf_counter() - started
    # A result is a list with True per passed test and a negative code for the one that failed.
    passed = [
        results[index][0] == [True] * len(job["tests"]) for index, job in enumerate(order["jobs"])
    ]
    with open(result_path, "w", encoding="utf-8") as file:
        json.dump({"passed": passed, "wall_s": wall_s}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
