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
# Verdicts by its codes. A program that ended its process has no code.
VERDICTS = {-1: "lost", -2: "WA", -3: "TLE", -4: "RE", -5: "failed"}


def convert_job(job: dict[str, Any]) -> dict[str, str]:
    """Convert a job to LiveCodeBench's problem: one JSON text, a call argument in each line."""
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


def choose_verdict(results: list[Any]) -> str:
    """Return the verdict of one program from True for each passed test and a code for a failure."""
    failure = next((result for result in results if result is not True), None)
    return "AC" if failure is None else VERDICTS.get(failure, "WA")


def main(job_path: str, result_path: str) -> None:
    with open(job_path, encoding="utf-8") as file:
        job_file = json.load(file)
    if job_file.get("guard_gb"):
        # It sets no limit on memory; without one, a memory bomb would stop the machine.
        size = int(job_file["guard_gb"] * 2**30)
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    samples = [convert_job(job) for job in job_file["jobs"]]
    start = time.perf_counter()
    _, results, _ = codegen_metrics(
        samples,
        [job["codes"] for job in job_file["jobs"]],
        k_list=[1],
        num_process_evaluate=job_file["workers"],
        timeout=job_file.get("seconds") or SECONDS_PER_TEST,
    )
    wall_s = time.perf_counter() - start
    passes, verdicts = [], []
    for index, job in enumerate(job_file["jobs"]):
        for result in results[index]:
            passes.append(result == [True] * len(job["tests"]))
            verdicts.append(choose_verdict(result))
    with open(result_path, "w", encoding="utf-8") as file:
        json.dump({"passed": passes, "verdicts": verdicts, "wall_s": wall_s}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
