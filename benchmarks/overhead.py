"""Measures the cost of judging a solution, in core-milliseconds, beside other evaluators.

    python benchmarks/overhead.py [--quick] [--rounds N] [--loads NAME ...] [--out NAME]
    python benchmarks/overhead.py --against COMMIT [--pairs N] [--loads NAME ...] [--out NAME]

Four loads of tiny tests (loads.py); four evaluators: this judge, LiveCodeBench's, verl's
prime_code and a bare subprocess per test. --against
compares this checkout with another commit; exit 0: it is not slower. README.md describes the
measurement.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import against
from checkout import BenchmarkError, run_script
from evaluators import LIVECODEBENCH, MICROCODER, PRIME_CODE, SUBPROCESS, Evaluator, judge_jobs
from loads import LOADS, Load
from measurement import Usage, interleave, open_session, subtract_runs
from publication import Spread, format_figure, format_table, make_parser, publish_table

RUN_LIMIT_S = 300.0
EVALUATORS = {peer.name: peer for peer in (MICROCODER, LIVECODEBENCH, PRIME_CODE, SUBPROCESS)}
# Solutions in the short and in the long run of each pair: enough for the difference to be a
# second or so of CPU, few enough for a round to last half a minute.
COUNTS = {
    "microcoder": {
        "stdin10": (10, 210),
        "stdin100": (4, 84),
        "wrong10": (20, 320),
        "call20": (10, 210),
    },
    "lcb": {"stdin10": (4, 36), "stdin100": (4, 16), "wrong10": (4, 44), "call20": (4, 44)},
    "prime": {"stdin10": (3, 19), "stdin100": (3, 11), "wrong10": (3, 19), "call20": (3, 19)},
    "subprocess": {"stdin10": (4, 14), "stdin100": (2, 6), "wrong10": (10, 60), "call20": (2, 10)},
}


@dataclass(frozen=True, slots=True)
class Arm:
    """One evaluator on one load."""

    evaluator: Evaluator
    load: Load


class Bench:
    """The evaluators that can run here, and the figures so far."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options = options
        self.folder = folder
        self.loads = [load for load in LOADS if load.name in options.loads]
        self.working: list[Evaluator] = []
        self.notes: dict[str, str] = {}
        self.core_ms: dict[tuple[str, str], list[float]] = defaultdict(list)
        self.wall_ms: dict[tuple[str, str], list[float]] = defaultdict(list)
        self.about: dict[str, Any] = {}

    def prepare(self) -> None:
        """Find out which evaluators work here; record the reason for the others."""
        for evaluator in map(EVALUATORS.__getitem__, self.options.only):
            try:
                # The first call writes bytecode files and fills the page cache; it is not measured.
                self.run(Arm(evaluator, LOADS[0]), count=2, seed=0)
                self.working.append(evaluator)
            except BenchmarkError as error:
                self.notes[evaluator.name] = f"left out: {error}"
                print(f"{evaluator.title} left out: {error}", file=sys.stderr)

    def run(self, arm: Arm, count: int, seed: int) -> Usage:
        """One run of a driver: CPU seconds of its tree, and wall seconds of the judging alone."""
        jobs = arm.load.jobs(count, seed)
        usage, answer = judge_jobs(
            arm.evaluator, jobs, arm.load.passes, self.folder, RUN_LIMIT_S,
            workers=self.options.workers, isolation=self.options.isolation,
        )  # fmt: skip
        if arm.evaluator is MICROCODER:
            self.about = {key: answer[key] for key in ("sandbox_level", "isolation")}
        return Usage(usage.cpu_s, answer["wall_s"])

    def compare(self, number: int, arm: Arm) -> None:
        """Measure a long run minus a short one."""
        print(".", end="", file=sys.stderr, flush=True)
        few, many = COUNTS[arm.evaluator.name][arm.load.name]
        if self.options.quick:
            many = few + (many - few) // 2
        usage = subtract_runs(partial(self.run, arm), (few, many), number)
        key = (arm.evaluator.name, arm.load.name)
        self.core_ms[key].append(1000 * usage.cpu_s)
        self.wall_ms[key].append(1000 * usage.wall_s)


def report(bench: Bench) -> str:
    """Format a line for each load and evaluator, with its ratio to this judge."""
    rows = []
    for load in bench.loads:
        seconds = _median(bench, "microcoder", load)
        for peer in bench.working:
            name = peer.name
            core = Spread.of(bench.core_ms[name, load.name])
            wall = Spread.of(bench.wall_ms[name, load.name])
            ratio = f"{format_figure(core.median / seconds)}x" if seconds else "-"
            rows.append([load.title, peer.title, str(core), str(wall), ratio])
    head = ["load", "evaluator", "core-ms", "wall-ms", "vs MicroCoder"]
    return format_table(head, rows)


def _median(bench: Bench, name: str, load: Load) -> float | None:
    values = bench.core_ms.get((name, load.name))
    return Spread.of(values).median if values else None


def record(bench: Bench, facts: dict[str, Any]) -> dict[str, Any]:
    """Return all figures for the result file."""
    loads: dict[str, Any] = {}
    for load in bench.loads:
        loads[load.name] = {"title": load.title}
        for name in (peer.name for peer in bench.working):
            key = (name, load.name)
            loads[load.name][name] = {
                "core_ms": Spread.of(bench.core_ms[key]),
                "wall_ms": Spread.of(bench.wall_ms[key]),
                "rounds_core_ms": [round(value, 3) for value in bench.core_ms[key]],
                "solutions": COUNTS[name][load.name],
            }
    return {
        "machine": facts,
        "packages": {peer.name: peer.versions() for peer in bench.working},
        "options": {
            "workers": bench.options.workers,
            "rounds": bench.options.rounds,
            "quick": bench.options.quick,
        },
        "microcoder": bench.about,
        "left_out": bench.notes,
        "loads": loads,
    }


def parse() -> argparse.Namespace:
    parser = make_parser(__doc__)
    parser.add_argument("--against", metavar="COMMIT", help="compare with it instead of with peers")
    parser.add_argument(
        "--pairs", type=int, default=20, help="of runs, with --against (default 20)"
    )
    names = [load.name for load in LOADS]
    parser.add_argument(
        "--loads",
        nargs="+",
        choices=names,
        default=names,
        metavar="NAME",
        help=f"some of: {', '.join(names)}",
    )
    parser.add_argument("--quick", action="store_true", help="2 rounds of half the solutions")
    parser.add_argument("--rounds", type=int, help="default 5; 2 with --quick")
    parser.add_argument("--workers", type=int, default=2, help="of each evaluator (default 2)")
    parser.add_argument("--isolation", choices=["test", "batch"], help="default: as the API")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=EVALUATORS,
        default=list(EVALUATORS),
        metavar="NAME",
        help=f"some of: {', '.join(EVALUATORS)}",
    )
    options = parser.parse_args()
    if options.pairs < 2:
        parser.error("--pairs: at least 2")
    if options.rounds is None:
        options.rounds = 2 if options.quick else 5
    return options


def main() -> int:
    options = parse()
    if options.against:
        return against.main(options)
    with open_session() as (facts, folder):
        bench = Bench(options, folder)
        bench.prepare()
        arms = [Arm(peer, load) for load in bench.loads for peer in bench.working]
        interleave(options.rounds, arms, bench.compare)
    print(file=sys.stderr)
    text = (
        f"{report(bench)}\n\n{facts['cpu']}, "
        f"{facts['usable_cores']} cores, load {facts['load_average'][0]} before, "
        f"{facts['load_average_after'][0]} after"
    )
    print(text)
    publish_table("overhead", options.out, record(bench, facts), "What judging costs", text)
    return 0 if not bench.notes else 1


if __name__ == "__main__":
    run_script(main)
