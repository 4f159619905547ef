"""The evaluators that are compared: what each is called, installed from and driven by.

A driver (peers/) reads a job file and writes an answer, both JSON; all its jobs are
of the same form:

    {"kind", "codes": [program, ...], "entry_point"?, "tests": [{"input", "output"}, ...]}

with one result per program, in the order of jobs and of programs within them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checkout import HERE, BenchmarkError, make_environment, read_versions
from measurement import Usage, measure


@dataclass(frozen=True, slots=True)
class Evaluator:
    """One evaluator. requirements: packages of its environment; none: this interpreter is used.

    benchmarks: the folder whose driver runs it.
    """

    name: str
    title: str
    folder: str = ""
    requirements: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    # The package requires dozens of others that its evaluator does not import.
    pip_options: tuple[str, ...] = ("--no-deps",)
    benchmarks: Path = HERE

    def command(self) -> list[str]:
        """Return interpreter and driver. Raises BenchmarkError if packages cannot be installed."""
        return [self.python(), str(self.benchmarks / "peers" / f"{self.name}_driver.py")]

    def python(self) -> str:
        """Return the interpreter of its environment, which is made on first use."""
        if not self.requirements:
            return sys.executable
        return make_environment(self.folder, self.requirements, *self.pip_options)

    def versions(self) -> dict[str, str]:
        """Return the versions of its packages."""
        return read_versions(self.python(), self.packages)


MICROCODER = Evaluator("microcoder", "MicroCoder", packages=("microcoder", "numpy"))
LIVECODEBENCH = Evaluator(
    "lcb",
    "LiveCodeBench",
    "livecodebench-26.3",
    ("nvidia-livecodebench==26.3", "numpy>=2,<3", "tqdm>=4.66,<5"),
    ("nvidia-livecodebench", "numpy", "tqdm"),
)
PRIME_CODE = Evaluator(
    "prime", "prime_code", "verl-0.9.1", ("verl==0.9.1", "numpy>=2,<3"), ("verl", "numpy")
)
SUBPROCESS = Evaluator("subprocess", "subprocess per test")


def judge_jobs(
    evaluator: Evaluator,
    jobs: Sequence[Mapping[str, Any]],
    passes: bool,
    folder: Path,
    limit_s: float,
    **options: Any,
) -> tuple[Usage, dict[str, Any]]:
    """Drive an evaluator on jobs whose programs all pass, or all fail. Raises BenchmarkError
    where a verdict is not the right one: speed then means nothing."""
    usage, answer = drive(evaluator, {"jobs": jobs, **options}, folder, limit_s)
    if set(answer["passed"]) != {passes}:
        verdicts = " ".join(sorted(set(answer.get("verdicts", ()))))
        raise BenchmarkError(f"{evaluator.title} gives wrong verdicts: {verdicts}")
    return usage, answer


def drive(
    evaluator: Evaluator, job_file: Mapping[str, Any], folder: Path, limit_s: float
) -> tuple[Usage, dict[str, Any]]:
    """Have an evaluator run a job file: what its process tree took, and the answer.

    Call ``adopt_orphans`` first. Raises BenchmarkError as ``measure`` does.
    """
    job, result = folder / "job", folder / "result"
    job.write_text(json.dumps(job_file), encoding="utf-8")
    result.unlink(missing_ok=True)
    usage = measure(
        [*evaluator.command(), str(job), str(result)], limit_s=limit_s, log=folder / "log"
    )
    return usage, json.loads(result.read_text(encoding="utf-8"))
