"""How many plausible wrong programs do the tests of microcoder-mini, tiers B and C, refuse?

    python benchmarks/mini_wrong.py [--folder datasets/microcoder-mini] [--out FILE]

The programs (tests/tools/plausible_wrong_programs.jsonl) were written from the statements alone,
before the writer looked at any task's tables. Those that proved right afterwards have a line
``right_after_all`` that says why; they are counted apart.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "sandbox"), str(REPOSITORY / "benchmarks")]

from common import describe_machine  # noqa: E402

from microcoder_eval import Judge  # noqa: E402

PROGRAMS = REPOSITORY / "tests" / "tools" / "plausible_wrong_programs.jsonl"
FILES = [f"tier_{tier}_{split}.jsonl" for tier in "bc" for split in ("train", "heldout")]


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of JSON Lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def measure(folder: Path) -> dict[str, Any]:
    """The verdicts of all programs on the problems of a folder."""
    problems = {row["problem_id"]: row for name in FILES for row in read_rows(folder / name)}
    programs = read_rows(PROGRAMS)
    with Judge(workers=2) as judge:
        futures = [
            judge.submit({"code": program["code"]}, problems[program["problem_id"]])
            for program in programs
        ]
        verdicts = [str(future.result().verdict) for future in futures]
    pairs = list(zip(programs, verdicts, strict=True))
    wrong = [(program, verdict) for program, verdict in pairs if "right_after_all" not in program]
    return {
        "written": len(programs),
        "right_after_all": len(programs) - len(wrong),
        "wrong": len(wrong),
        "refused": sum(verdict != "AC" for _, verdict in wrong),
        "verdicts": dict(Counter(verdict for _, verdict in wrong)),
        "accepted": [
            f"{program['solution_id']}: {program['mistake']}"
            for program, verdict in wrong
            if verdict == "AC"
        ],
    }


def main() -> None:
    """Measure, print and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = REPOSITORY / "datasets" / "microcoder-mini"
    parser.add_argument("--folder", type=Path, default=default)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    text = json.dumps({"machine": describe_machine(), **measure(args.folder)}, indent=1)
    print(text)
    if args.out:
        args.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
