"""Judge a job file with this checkout's ``Judge``, by its public API only.

Runs as: python microcoder_driver.py JOB RESULT. Exit 3: the judge cannot be imported or started.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
# This checkout is what is measured, whatever else is installed.
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "sandbox")]


def problem(job: dict[str, Any], index: int) -> Any:
    """Tests as a user would write them: a plain list for stdin, a problem for calls."""
    if job["kind"] == "stdin":
        return job["tests"]
    return {
        "problem_id": f"call-{index}",
        "kind": "call",
        "entry_point": job["entry_point"],
        "tests": job["tests"],
    }


def main(job_path: str, result_path: str) -> None:
    try:
        from microcoder_eval import Judge
    except ImportError as error:
        print(f"microcoder_eval.Judge cannot be imported: {error}", file=sys.stderr)
        raise SystemExit(3) from None
    with open(job_path, encoding="utf-8") as file:
        order = json.load(file)
    options = {"isolation": order["isolation"]} if order.get("isolation") else {}
    pairs = [(job["code"], problem(job, index)) for index, job in enumerate(order["jobs"])]
    started = time.perf_counter()
    with Judge(workers=order["workers"], stop="first_failure", **options) as judge:
        judgements = list(judge.map(pairs))
    wall_s = time.perf_counter() - started
    with open(result_path, "w", encoding="utf-8") as file:
        json.dump(
            {
                "passed": [judgement.passed for judgement in judgements],
                "wall_s": wall_s,
                "verdicts": [str(judgement.verdict) for judgement in judgements],
                "sandbox_level": judgements[0].sandbox_level,
                "isolation": judgements[0].isolation,
            },
            file,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
