"""Measures the cost and the verdicts of hostile and unlucky programs.

    python benchmarks/pathological.py [--quick] [--only CASE ...] [--out NAME]

Each case is one program on ten tests (one if they are huge) and after it one that adds two
numbers, with one worker and 2 s for each test, judged by this judge and by LiveCodeBench's
evaluator in turn, each time in a new process tree. Measured are wall time, CPU time of the tree
(both minus those of adding twice), and the verdict, with the other program's if that was not AC.
The programs cannot harm the machine: forks and memory are bounded, LiveCodeBench's tree has an
address space limit, and each run a wall time limit. Exit 1: a verdict of this judge is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checkout import BenchmarkError, read_table, run_script
from evaluators import LIVECODEBENCH, MICROCODER, Evaluator, drive
from measurement import interleave, open_session
from publication import Spread, format_figure, format_table, make_parser, publish_table

SECONDS = 2
MEMORY_MB = 512
TESTS = 10
RUN_LIMIT_S = 100.0
ADD = "a, b = map(int, input().split())\nprint(a + b)\n"
MEGABYTES = 100


@dataclass(frozen=True, slots=True)
class Case:
    """A program of pathological.toml."""

    name: str
    code: str
    right: Sequence[str]
    huge_input: bool = False
    huge_output: bool = False
    guard_gb: float = 4.0

    def make_job(self, megabytes: int) -> dict[str, Any]:
        """Make the job for drivers; ``megabytes`` is the size of huge inputs or outputs."""
        tests = [{"input": f"{n} {n + 1}\n", "output": f"{2 * n + 1}\n"} for n in range(TESTS)]
        if self.huge_input:
            size = megabytes << 20
            tests = [{"input": "x" * (size - 1) + "\n", "output": f"{size}\n"}]
        if self.huge_output:
            size = megabytes << 20
            tests = [{"input": f"{size // 16}\n", "output": "0123456789abcde\n" * (size // 16)}]
        return {"kind": "stdin", "codes": [self.code], "tests": tests}


NOTHING = Case("adds two numbers", ADD, ("AC",))
CASES = [Case(name, **case) for name, case in read_table(__file__).items()]
EVALUATORS = (MICROCODER, LIVECODEBENCH)
Arm = tuple[Evaluator, Case]


class Bench:
    """The results of each evaluator on each case."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options = options
        self.folder = folder
        self.wall_s: dict[tuple[str, str], list[float]] = defaultdict(list)
        self.cpu_s: dict[tuple[str, str], list[float]] = defaultdict(list)
        self.verdicts: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.about: dict[str, Any] = {}

    def run(self, _number: int, arm: Arm) -> None:
        """Run one case once. If it does not end, or breaks its evaluator, that is its verdict."""
        evaluator, case = arm
        key = (evaluator.name, case.name)
        job_file = {
            "workers": 1,
            "seconds": SECONDS,
            "memory_mb": MEMORY_MB,
            "guard_gb": case.guard_gb,
            "jobs": [case.make_job(10 if self.options.quick else MEGABYTES), NOTHING.make_job(0)],
        }
        try:
            usage, answer = drive(evaluator, job_file, self.folder, RUN_LIMIT_S)
        except BenchmarkError as error:
            self.verdicts[key].add(str(error).partition(":")[0])
            return
        verdict, after = answer["verdicts"]
        self.verdicts[key].add(verdict if after == "AC" else f"{verdict} (then {after})")
        self.wall_s[key].append(answer["wall_s"])
        self.cpu_s[key].append(usage.cpu_s)
        if evaluator is MICROCODER:
            self.about = {name: answer[name] for name in ("sandbox_level", "isolation")}

    def join_verdicts(self, evaluator: Evaluator, case: Case) -> str:
        """Return the verdict, or all different ones."""
        return " / ".join(sorted(self.verdicts[evaluator.name, case.name]))

    def subtract_start(
        self, figures: dict[tuple[str, str], list[float]], evaluator: Evaluator, case: Case
    ) -> Spread | None:
        """Spread of a figure without the cost of judging nothing; None if a run did not end."""
        values = figures.get((evaluator.name, case.name))
        base = figures.get((evaluator.name, NOTHING.name))
        if not values or not base:
            return None
        start = Spread.of(base).median
        return Spread.of([max(0.0, value - start) for value in values])

    def list_wrong(self, cases: Sequence[Case]) -> list[str]:
        """Return the cases with a wrong verdict of this judge."""
        return [
            f"{case.name}: {self.join_verdicts(MICROCODER, case)}"
            for case in cases
            if not self.verdicts[MICROCODER.name, case.name] <= set(case.right)
        ]


def report(bench: Bench, cases: Sequence[Case]) -> str:
    """Format a line for each case."""
    rows = []
    for case in cases:
        row = [case.name]
        for evaluator in EVALUATORS:
            row.append(bench.join_verdicts(evaluator, case))
            for figures in (bench.wall_s, bench.cpu_s):
                spread = bench.subtract_start(figures, evaluator, case)
                row.append("-" if spread is None else format_figure(spread.median))
        rows.append(row)
    head = ["", "ours", "wall s", "CPU s", "LiveCodeBench", "wall s", "CPU s"]
    return format_table(head, rows)


def record(bench: Bench, cases: Sequence[Case], facts: dict[str, Any]) -> dict[str, Any]:
    """Return all figures for the result file."""
    return {
        "machine": facts,
        "packages": {peer.name: peer.versions() for peer in EVALUATORS},
        "options": {"rounds": bench.options.rounds, "quick": bench.options.quick},
        "limits": {"seconds": SECONDS, "memory_mb": MEMORY_MB, "run_s": RUN_LIMIT_S},
        "microcoder": bench.about,
        "cases": {
            case.name: {
                peer.name: {
                    "verdict": bench.join_verdicts(peer, case),
                    "wall_s": bench.subtract_start(bench.wall_s, peer, case),
                    "cpu_s": bench.subtract_start(bench.cpu_s, peer, case),
                }
                for peer in EVALUATORS
            }
            for case in cases
        },
        "wrong": bench.list_wrong(cases),
    }


def main() -> int:
    """Run, print and save; return 0 if all verdicts of this judge are right."""
    parser = make_parser(__doc__)
    parser.add_argument("--quick", action="store_true", help="1 round, 10 MB instead of 100")
    parser.add_argument("--rounds", type=int, help="default 3; 1 with --quick")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="cases with a word in the name")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 3)
    selection = [
        case
        for case in CASES
        if not options.only or any(word in case.name for word in options.only)
    ]
    with open_session() as (facts, folder):
        bench = Bench(options, folder)
        arms = [(peer, case) for case in (NOTHING, *selection) for peer in EVALUATORS]
        for peer in EVALUATORS:
            bench.run(0, (peer, NOTHING))  # fills the page cache; not measured
            for figures in (bench.wall_s, bench.cpu_s):
                figures[peer.name, NOTHING.name].clear()

        def run(number: int, arm: Arm) -> None:
            print(f"{arm[0].title}: {arm[1].name}", file=sys.stderr)
            bench.run(number, arm)

        interleave(options.rounds, arms, run)
    wrong = bench.list_wrong(selection)
    text = report(bench, selection)
    if wrong:
        text += "\n\nnot right: " + "; ".join(wrong)
    print(text)
    title = "Hostile and unlucky programs"
    publish_table("pathological", options.out, record(bench, selection, facts), title, text)
    return 1 if wrong else 0


if __name__ == "__main__":
    run_script(main)
