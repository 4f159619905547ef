"""How does the cost grow: with workers, tests, solutions, the size of an input?

    python benchmarks/scale.py [--quick] [--only PART ...] [--rounds N] [--out NAME]

workers     1, 2, 4: milliseconds on the clock and of CPU per solution (10 tests each)
tests       1 to 1,000 per solution: CPU per test
solutions   1 to 100,000 in one run, one tiny test each: CPU and clock per solution, and memory
input       1 B to 100 MB, read whole: CPU per solution

Where start-up is not part of the question, a figure is the difference of a long run and a short
one, as in overhead.py. Memory: the most that a worker, or a fork server of it, has had resident.
Exit 1 when a test of 1,000 costs more than 1.2 times what one of 100 costs, or when a worker has
grown by more than a tenth (and 2 MiB) from 1,000 solutions to the most there were.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from checkout import run_script
from evaluators import MICROCODER, judge_jobs
from loads import LOADS
from measurement import Usage, interleave, open_session, subtract_runs
from publication import Spread, format_table, make_parser, publish_table

RUN_LIMIT_S = 3000.0
PER_TEST_LIMIT = 1.2
GROWTH_FROM = 1000
READER = "# {number}\nimport sys\nprint(len(sys.stdin.buffer.read()))\n"
Jobs = Callable[[int, int], list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Point:
    """One size of one part. counts: solutions in the short and in the long run; a short run of
    none: start-up is part of the figure. divide: how many of a part's unit a solution is."""

    part: str
    size: int
    workers: int
    counts: tuple[int, int]
    jobs: Jobs
    divide: int = 1


@dataclass(frozen=True, slots=True)
class Part:
    """The meaning of a size, and the name of a unit of work."""

    title: str
    axis: str
    unit: str


PARTS = {
    "workers": Part("workers", "workers", "solution"),
    "tests": Part("tests per solution", "tests", "test"),
    "solutions": Part("solutions in a run", "solutions", "solution"),
    "input": Part("bytes of input", "bytes", "solution"),
}


def make_stdin_jobs(tests: int) -> Jobs:
    """Make tiny programs with ``tests`` tests each."""
    return replace(LOADS[0], name=f"scale{tests}", tests=tests, tests_run=tests).jobs


def make_input_jobs(size: int) -> Jobs:
    """Make programs that read one input of ``size`` bytes."""

    def jobs(count: int, seed: int) -> list[dict[str, Any]]:
        codes = [READER.format(number=f"{seed}.{index}") for index in range(count)]
        tests = [{"input": "x" * size, "output": f"{size}\n"}]
        return [{"kind": "stdin", "codes": codes, "tests": tests}]

    return jobs


def list_points(quick: bool) -> list[Point]:
    """Return all points, cheapest first."""
    plan = [
        Point("workers", n, n, (20, 120 if quick else 420), make_stdin_jobs(10)) for n in (1, 2, 4)
    ]
    for tests, many in ((1, 320), (10, 220), (100, 64), (1000, 12)):
        counts = (2, many // 4 if quick else many)
        plan.append(Point("tests", tests, 1, counts, make_stdin_jobs(tests), divide=tests))
    for count in (1, 10, 100, 1000, 2000 if quick else 10_000, *(() if quick else (100_000,))):
        plan.append(Point("solutions", count, 2, (0, count), make_stdin_jobs(1)))
    for size in (1, 1000, 10**6, 10**7, 10**8):
        many = 4 if size >= 10**7 else 100
        plan.append(
            Point("input", size, 1, (2, many if quick else 2 * many), make_input_jobs(size))
        )
    return plan


class Bench:
    """The figures so far, by part and size."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options = options
        self.folder = folder
        self.core_ms: dict[tuple[str, int], list[float]] = defaultdict(list)
        self.wall_ms: dict[tuple[str, int], list[float]] = defaultdict(list)
        self.memory: dict[tuple[str, int], dict[str, float]] = {}
        self.about: dict[str, Any] = {}

    def measure(self, number: int, point: Point) -> None:
        """Measure a long run minus a short one."""
        print(f"{point.part} {point.size:,}", file=sys.stderr)
        usage = subtract_runs(partial(self._run, point), point.counts, number)
        key = (point.part, point.size)
        self.core_ms[key].append(1000 * usage.cpu_s / point.divide)
        self.wall_ms[key].append(1000 * usage.wall_s / point.divide)

    def _run(self, point: Point, count: int, seed: int) -> Usage:
        usage, answer = judge_jobs(
            MICROCODER, point.jobs(count, seed), True, self.folder, RUN_LIMIT_S,
            workers=point.workers, isolation=self.options.isolation,
        )  # fmt: skip
        self.about = {key: answer[key] for key in ("sandbox_level", "isolation")}
        sizes = answer["memory_mb"]
        self.memory[point.part, point.size] = {
            "caller": sizes["caller"],
            "worker": max(sizes["workers"]),
            "server": max(sizes["servers"]),
        }
        return Usage(usage.cpu_s, answer["wall_s"])

    def compute_ratio(self, part: str, largest: int, least: int) -> float | None:
        """Return cost at one size over cost at another; None if one was not measured."""
        costs = [self.core_ms.get((part, size)) for size in (largest, least)]
        if not all(costs):
            return None
        return Spread.of(costs[0] or []).median / Spread.of(costs[1] or []).median


def check_requirements(bench: Bench) -> list[tuple[str, bool]]:
    """Return the requirements, and whether each holds."""
    lines = []
    if (ratio := bench.compute_ratio("tests", 1000, 100)) is not None:
        words = f"a test of 1,000 costs {ratio:.2f} times one of 100 (at most {PER_TEST_LIMIT})"
        lines.append((words, ratio <= PER_TEST_LIMIT))
    largest = max((size for part, size in bench.memory if part == "solutions"), default=0)
    if largest > GROWTH_FROM:
        least = bench.memory["solutions", GROWTH_FROM]["worker"]
        worker_mb = bench.memory["solutions", largest]["worker"]
        words = (
            f"a worker has {least:.1f} MiB after {GROWTH_FROM:,} solutions, "
            f"{worker_mb:.1f} MiB after"
        )
        lines.append((f"{words} {largest:,}", worker_mb <= 1.1 * least + 2))
    return lines


def report(bench: Bench) -> str:
    """Format a table for each part, and the checks."""
    parts = []
    for name, part in PARTS.items():
        rows = [
            [
                f"{size:,}",
                str(Spread.of(bench.core_ms[key])),
                str(Spread.of(bench.wall_ms[key])),
                *(
                    f"{bench.memory[key][process]:.1f}"
                    for process in ("worker", "server", "caller")
                ),
            ]
            for key in sorted(bench.core_ms)
            for at, size in [key]
            if at == name
        ]
        head = [part.title, f"core-ms/{part.unit}", f"wall-ms/{part.unit}"]
        if rows:
            parts.append(format_table([*head, "worker MiB", "server MiB", "caller MiB"], rows))
    checks = [
        f"{'holds' if good else 'DOES NOT HOLD'}: {words}"
        for words, good in check_requirements(bench)
    ]
    return "\n\n".join([*parts, "\n".join(checks)])


def record(bench: Bench, facts: dict[str, Any]) -> dict[str, Any]:
    """Return all figures for the result file."""
    results: dict[str, Any] = {}
    for (part, size), values in bench.core_ms.items():
        results.setdefault(part, {})[str(size)] = {
            "core_ms": Spread.of(values),
            "wall_ms": Spread.of(bench.wall_ms[part, size]),
            "rounds_core_ms": [round(value, 4) for value in values],
            "memory_mb": bench.memory[part, size],
        }
    return {
        "machine": facts,
        "packages": {"microcoder": MICROCODER.versions()},
        "options": {key: value for key, value in vars(bench.options).items() if key != "out"},
        "microcoder": bench.about,
        "parts": results,
        "checks": [{"check": words, "holds": good} for words, good in check_requirements(bench)],
    }


def main() -> int:
    """Run, print and save; return 0 if the checks hold."""
    parser = make_parser(__doc__)
    parser.add_argument("--quick", action="store_true", help="1 round, up to 2,000 solutions")
    parser.add_argument("--rounds", type=int, help="default 3; 100,000 solutions are run once")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    parser.add_argument("--isolation", choices=["test", "batch"], help="default: as the API")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 3)
    selection = [point for point in list_points(options.quick) if point.part in options.only]
    with open_session() as (facts, folder):
        bench = Bench(options, folder)

        def run(number: int, point: Point) -> None:
            if number == 0 or point.counts[1] < 100_000:
                bench.measure(number, point)

        interleave(options.rounds, selection, run)
    text = report(bench)
    print(text)
    publish_table("scale", options.out, record(bench, facts), "How the cost grows", text)
    return 0 if all(good for _words, good in check_requirements(bench)) else 1


if __name__ == "__main__":
    run_script(main)
