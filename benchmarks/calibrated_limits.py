"""Time limits of jobs from their right programs, by ``microcoder-eval calibrate`` itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from checkout import REPOSITORY, BenchmarkError

LIMIT_S = 900.0
Job = Mapping[str, Any]


def calibrate_jobs(
    jobs: Sequence[Job], right: Sequence[Sequence[str]], limit_s: float, folder: Path
) -> list[dict[str, Any]]:
    """The jobs with ``limits`` that fit them, at most limit_s a test.

    right: right programs of each job. A job keeps limit_s where none of them passes. Raises
    BenchmarkError when the command fails.
    """
    problems, programs, output = (folder / name for name in ("tests", "right", "calibrated"))
    _write(
        problems,
        [
            {
                "problem_id": str(index),
                "limits": {"time_s": limit_s},
                **{key: value for key, value in job.items() if value and key != "codes"},
            }
            for index, job in enumerate(jobs)
        ],
    )
    _write(
        programs,
        [
            {"problem_id": str(index), "solution_id": f"{index}.{number}", "code": code}
            for index, codes in enumerate(right)
            for number, code in enumerate(codes)
        ],
    )
    output.unlink(missing_ok=True)
    command = [sys.executable, "-m", "microcoder_eval", "calibrate", problems, programs]
    process = subprocess.run(
        [*map(str, command), "-o", str(output)],
        env={**os.environ, "PYTHONPATH": f"{REPOSITORY}:{REPOSITORY / 'sandbox'}"},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
    )
    if process.returncode != 0:
        raise BenchmarkError(f"calibrate: exit {process.returncode}: {process.stderr[-600:]}")
    rows = map(json.loads, output.read_text(encoding="utf-8").splitlines())
    return [{**job, "limits": row["limits"]} for job, row in zip(jobs, rows, strict=True)]


def _write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
