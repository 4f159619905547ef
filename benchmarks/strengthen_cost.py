"""What ``strengthen`` costs beside ``verify``: CPU seconds of both on the same problems.

    python benchmarks/strengthen_cost.py [--problems 24] [--out FILE]

Problems of the shared corpus, drawn by name, that have a right Python program; all their programs
and labels. Seconds are those of all processes of a command, as the kernel counts them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from common import describe_machine, read_commit
from corpus import DATA, programs


def select_problems(count: int) -> list[dict[str, Any]]:
    """Return problems with a right program, in an order that their names decide."""
    rows = {row["problem_id"]: row for row, _, is_right in programs() if is_right}
    names = sorted(rows, key=lambda name: hashlib.sha256(name.encode()).digest())
    return [rows[name] for name in names[:count]]


def measure(stage: str, folder: Path) -> float:
    """Return the CPU seconds of a stage on the problems of a folder."""
    before = os.times()
    corpus = DATA / "corpus"
    subprocess.run(
        [sys.executable, "-m", "microcoder_data", stage, folder / "in.jsonl",
         "-o", folder / f"{stage}.jsonl", "--workers", "2",
         "--solutions", corpus / "solutions.jsonl.gz", "--labels", corpus / "labels.jsonl.gz"],
        check=True,
    )  # fmt: skip
    after = os.times()
    return after.children_user + after.children_system - before[2] - before[3]


def main() -> None:
    """Measure, print and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--problems", type=int, default=24)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = select_problems(args.problems)
        (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        seconds = {stage: round(measure(stage, folder), 1) for stage in ("verify", "strengthen")}
        strong = [json.loads(line) for line in (folder / "strengthen.jsonl").open()]
    report = {
        "machine": describe_machine(),
        "commit": read_commit(),
        "problems": len(rows),
        "strengthened": sum(bool(row["strengthened"].get("added")) for row in strong),
        "cpu_seconds": seconds,
        "ratio": round(seconds["strengthen"] / seconds["verify"], 2),
    }
    print(json.dumps(report, indent=1))
    if args.out:
        args.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
