"""What ``strengthen`` costs beside ``verify``: CPU seconds of both on the same problems.

    python benchmarks/strengthen_cost.py [--problems 24] [--out FILE]

Problems of the shared corpus, drawn by name, that have a statement and a right Python program; all
their programs and labels. Seconds are those of the command, of its workers and of all programs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import tempfile
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus import DATA, read_labelled_programs
from publication import write_report

from microcoder_data.cli import main as cli
from microcoder_eval.api import Judge, RunResult
from microcoder_eval.records import Judgement


def select_problems(count: int) -> list[dict[str, Any]]:
    """Return problems with a statement, without which there are no tests, and a right program, in
    an order that their names decide."""
    rows = {
        row["problem_id"]: row
        for row, _, is_right in read_labelled_programs()
        if is_right and row.get("statement")
    }
    names = sorted(rows, key=lambda name: hashlib.sha256(name.encode()).digest())
    return [rows[name] for name in names[:count]]


@dataclass(slots=True)
class Clock:
    """Adds up what programs use, which no process of ours waits for."""

    seconds: float = 0.0

    def add_judgement(self, future: Future[Judgement]) -> None:
        """Add the tests of one program."""
        if not future.cancelled() and future.exception() is None:
            self.seconds += sum(test.cpu_s for test in future.result().tests_run)

    def watch(self) -> None:
        """Count every program that any judge runs from here on."""
        submit, run = Judge.submit, Judge.run

        def submit_and_count(judge: Judge, *args: Any, **options: Any) -> Future[Judgement]:
            future = submit(judge, *args, **options)
            future.add_done_callback(self.add_judgement)
            return future

        def run_and_count(judge: Judge, *args: Any, **options: Any) -> RunResult:
            result = run(judge, *args, **options)
            self.seconds += result.cpu_s
            return result

        setattr(Judge, "submit", submit_and_count)  # noqa: B010 (mypy refuses the plain form)
        setattr(Judge, "run", run_and_count)  # noqa: B010


def measure(stage: str, folder: Path, clock: Clock) -> float:
    """Return the CPU seconds of a stage on the problems of a folder."""
    before, programs_before = os.times(), clock.seconds
    corpus = DATA / "corpus"
    cli([stage, str(folder / "in.jsonl"), "-o", str(folder / f"{stage}.jsonl"), "--workers", "2",
         "--solutions", str(corpus / "solutions.jsonl.gz"),
         "--labels", str(corpus / "labels.jsonl.gz")])  # fmt: skip
    own = sum(os.times()[:4]) - sum(before[:4])
    return own + clock.seconds - programs_before


def main() -> None:
    """Measure, print and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--problems", type=int, default=24)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    clock = Clock()
    clock.watch()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = select_problems(args.problems)
        (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        seconds = {
            stage: round(measure(stage, folder, clock), 1) for stage in ("verify", "strengthen")
        }
        strong = [json.loads(line) for line in (folder / "strengthen.jsonl").open()]
    figures = {
        "problems": len(rows),
        "strengthened": sum(bool(row["strengthened"].get("added")) for row in strong),
        "cpu_seconds": seconds,
        "ratio": round(seconds["strengthen"] / seconds["verify"], 2),
    }
    write_report("strengthen_cost", figures, args.out)


if __name__ == "__main__":
    main()
