"""LiveCodeBench's problems by its own evaluator and by this judge: pass@1, each disagreement.

    python benchmarks/parity/livecodebench.py [--every 3] [--mutants 2]

Problems and tests are those of the shared corpus; the programs are its programs and mutants of them
(the same for both judges). Both have LiveCodeBench's own limit, 6 seconds a test.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from corpus import make_job, read_all_programs
from evaluators import LIVECODEBENCH, drive
from measurement import adopt_orphans
from parity.comparison import compare, judge_ours

from microcoder_data.verify.mutants import make_mutants
from microcoder_eval import Judge, Limits

PREFIX = "lcb/"
SECONDS = 6
RUN_SECONDS = 1500
Programs = list[tuple[str, str]]  # name, program


def read_problems(every: int, mutants: int) -> Iterator[tuple[dict[str, Any], Programs]]:
    """Every Kth problem with the corpus's Python programs and mutants of the first."""
    programs: dict[str, list[str]] = {}
    problems = {}
    for problem, solution in read_all_programs():
        is_python = solution.get("language", "python") == "python"
        if problem["problem_id"].startswith(PREFIX) and is_python:
            problems[problem["problem_id"]] = problem
            programs.setdefault(problem["problem_id"], []).append(solution["code"])
    for name in list(problems)[::every]:
        texts = [*programs[name], *make_mutants(programs[name][0], mutants, seed=0)]
        yield problems[name], [(f"{name}#{number}", text) for number, text in enumerate(texts)]


def judge_theirs(material: list[tuple[dict[str, Any], Programs]]) -> dict[str, str]:
    """LiveCodeBench's verdict of each sample."""
    # A job each: it wants as many programs of every problem.
    jobs = [make_job(problem, [text]) for problem, samples in material for _, text in samples]
    with tempfile.TemporaryDirectory() as folder:
        job_file = {"jobs": jobs, "workers": 2, "seconds": SECONDS}
        _usage, answer = drive(LIVECODEBENCH, job_file, Path(folder), RUN_SECONDS)
    names = [name for _, samples in material for name, _ in samples]
    verdicts = zip(answer["passed"], answer["verdicts"], strict=True)
    return {
        name: "AC" if passed else verdict
        for name, (passed, verdict) in zip(names, verdicts, strict=True)
    }


def main() -> None:
    """Judge twice, and write a record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=3)
    parser.add_argument("--mutants", type=int, default=2)
    options = parser.parse_args()
    adopt_orphans()
    material = list(read_problems(options.every, options.mutants))
    samples = {
        name: ({"problem_id": problem["problem_id"], "code": text}, problem)
        for problem, programs in material
        for name, text in programs
    }
    with Judge(limits=Limits(time_s=SECONDS), workers=2) as judge:
        compare(
            "livecodebench",
            "AC",
            lambda: judge_theirs(material),
            lambda: judge_ours(judge, samples),
            {"versions": LIVECODEBENCH.versions(), "problems": len(material)},
        )


if __name__ == "__main__":
    main()
