"""Judge a job file with LiveCodeBench's own evaluator, called the way its users call it.

Runs in an environment with the package ``nvidia-livecodebench``: python lcb_driver.py JOB RESULT.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from typing import Any

from livecodebench.evaluation import codegen_metrics

SECONDS_PER_TEST = 6  # its default
# Its codes, by the letters used here. A program that brought its process down has no code.
VERDICTS = {-1: "lost", -2: "WA", -3: "TLE", -4: "RE", -5: "failed"}


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


def verdict(results: list[Any]) -> str:
    """Of one program: its results are True for each passed test, then a code for the failure."""
    failed = next((result for result in results if result is not True), None)
    return "AC" if failed is None else VERDICTS.get(failed, "WA")


def main(job_path: str, result_path: str) -> None:
    with open(job_path, encoding="utf-8") as file:
        order = json.load(file)
    if order.get("guard_gb"):
        # It sets no limit on memory: without one, a bomb takes the machine along.
        size = int(order["guard_gb"] * 2**30)
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    samples = [sample(job) for job in order["jobs"]]
    started = time.perf_counter()
    _, results, _ = codegen_metrics(
        samples,
        [job["codes"] for job in order["jobs"]],
        k_list=[1],
        num_process_evaluate=order["workers"],
        timeout=order.get("seconds") or SECONDS_PER_TEST,
    )
    wall_s = time.perf_counter() - started
    passed, verdicts = [], []
    for index, job in enumerate(order["jobs"]):
        for result in results[index]:
            passed.append(result == [True] * len(job["tests"]))
            verdicts.append(verdict(result))
    with open(result_path, "w", encoding="utf-8") as file:
        json.dump({"passed": passed, "verdicts": verdicts, "wall_s": wall_s}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
