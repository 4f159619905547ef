"""Judge a job file with verl's prime_code, called the way verl calls it.

Runs in an environment with the package ``verl`` installed without its dependencies: its packages'
own __init__ files import torch and ray, which the reward function does not need, so they are
passed over; the reward function itself is the package's. python prime_driver.py JOB RESULT.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import time
import types
from pathlib import Path
from typing import Any


def load_reward_function() -> Any:
    """verl.utils.reward_score.prime_code.compute_score."""
    spec = importlib.util.find_spec("verl")
    assert spec is not None
    assert spec.origin is not None
    root = Path(spec.origin).parent
    for name, folder in (
        ("verl", root),
        ("verl.utils", root / "utils"),
        ("verl.utils.reward_score", root / "utils" / "reward_score"),
    ):
        package = types.ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return importlib.import_module("verl.utils.reward_score.prime_code").compute_score


def convert_tests(job: dict[str, Any]) -> dict[str, Any]:
    """Convert the tests of a job to prime_code's form."""
    tests = job["tests"]
    if job["kind"] == "stdin":
        return {"inputs": [t["input"] for t in tests], "outputs": [t["output"] for t in tests]}
    return {
        "inputs": ["\n".join(map(json.dumps, test["input"])) for test in tests],
        "outputs": [json.dumps(test["output"]) for test in tests],
        "fn_name": job["entry_point"].rpartition(".")[2],
    }


def main(job_path: str, result_path: str) -> None:
    """Score each program; 1.0 is a pass."""
    compute_score = load_reward_function()
    job_file = json.loads(Path(job_path).read_text())
    start = time.perf_counter()
    passes = []
    pairs = [(job, code) for job in job_file["jobs"] for code in job["codes"]]
    for job, code in pairs:
        try:
            score, _details = compute_score(f"```python\n{code}\n```", convert_tests(job))
        except BaseException:
            score = False
        passes.append(score is True or score == 1)
    wall_s = time.perf_counter() - start
    Path(result_path).write_text(json.dumps({"passed": passes, "wall_s": wall_s}))


if __name__ == "__main__":
    main(*sys.argv[1:])
