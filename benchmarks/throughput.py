"""How many executions and tasks a core judges in a second, here and through Ray.

    python benchmarks/throughput.py [--quick] [--only PART ...] [--tasks N] [--out NAME]

executions  tiny programs, all layers of isolation on: fresh programs that stop at their first
            test, and tests of one program, in a child each and sharing a child
tasks       N reference programs (default 8,192) on all tests of their problems, as ScaleBox's
            public load is counted; programs and tests are those of datasets/microcoder-mini
ray         the same load by one local judge of two workers, and by Ray on two nodes of this
            machine with a worker each: what Ray adds to each solution, from the CPU time of the
            whole machine

Executions and Ray: a long run minus a short one, as in overhead.py, so start-up is in no figure.
Tasks: the whole run. Exit 1: a part was left out.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from against import pin_dependencies
from checkout import REPOSITORY, BenchmarkError, run_script
from evaluators import MICROCODER, Evaluator, judge_jobs
from loads import LOADS, Load
from measurement import Usage, interleave, open_session, subtract_runs
from publication import Spread, format_figure, format_table, make_parser, publish_table

RUN_LIMIT_S = 1800.0
WORKERS = 2
RAY_COUNTS = (20, 1020)
LOADS_BY_NAME = {load.name: load for load in LOADS}
PARTS = ("executions", "tasks", "ray")


@dataclass(frozen=True, slots=True)
class Executions:
    """Runs of tiny programs. counts: of solutions in the short and in the long run."""

    title: str
    load: Load
    isolation: str
    counts: tuple[int, int]


EXECUTIONS = (
    Executions("fresh program, first test", LOADS_BY_NAME["wrong10"], "test", (20, 820)),
    Executions("tests of one program, a child each", LOADS_BY_NAME["stdin100"], "test", (2, 22)),
    Executions("tests of one program, one child", LOADS_BY_NAME["stdin100"], "batch", (4, 104)),
)


@dataclass(frozen=True, slots=True)
class Engine:
    """How the load of the part ``ray`` is judged. workers: of the judge, or of each node."""

    title: str
    evaluator: Evaluator
    workers: int


def make_engines() -> tuple[Engine, Engine]:
    """One local judge, and Ray, both in the environment that has Ray."""
    packages = ("ray==2.60.0", *pin_dependencies(REPOSITORY))
    local = Evaluator("microcoder", "local", "ray-2.60", packages, ("ray",), ())
    ray = Evaluator("ray", "Ray", "ray-2.60", packages, ("ray",), ())
    return Engine("local, two workers", local, WORKERS), Engine("Ray, two nodes", ray, 1)


class Bench:
    """The figures so far: usage of each unit (an execution, a task, a solution) by title."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options = options
        self.folder = folder
        self.core_ms: dict[str, list[float]] = defaultdict(list)
        self.wall_ms: dict[str, list[float]] = defaultdict(list)
        self.notes: dict[str, str] = {}
        self.about: dict[str, Any] = {}

    def run_part(self, part: str) -> None:
        """Measure a part in all its rounds; note why where that is not possible."""
        try:
            if part == "executions":
                interleave(self.options.rounds, EXECUTIONS, self._measure_executions)
            elif part == "tasks":
                interleave(self.options.rounds, ["tasks"], self._measure_tasks)
            else:
                interleave(self.options.rounds, make_engines(), self._measure_engine)
        except BenchmarkError as error:
            self.notes[part] = f"left out: {error}"
            print(f"{part} left out: {error}", file=sys.stderr)

    def _measure_executions(self, number: int, arm: Executions) -> None:
        def run(count: int, seed: int) -> Usage:
            jobs = arm.load.jobs(count, seed)
            return self._drive(MICROCODER, jobs, arm.load.passes, isolation=arm.isolation)

        self._subtract(arm.title, number, arm.counts, arm.load.tests_run, run)

    def _measure_engine(self, number: int, engine: Engine) -> None:
        load = LOADS_BY_NAME["stdin10"]

        def run(count: int, seed: int) -> Usage:
            jobs = load.jobs(count, seed)
            before = read_busy_s()
            usage = self._drive(engine.evaluator, jobs, load.passes, workers=engine.workers)
            return Usage(read_busy_s() - before, usage.wall_s)

        self._subtract(engine.title, number, RAY_COUNTS, 1, run)

    def _measure_tasks(self, _number: int, title: str) -> None:
        usage = self._drive(MICROCODER, make_tasks(self.options.tasks), passes=True)
        self.core_ms[title].append(1000 * usage.cpu_s / self.options.tasks)
        self.wall_ms[title].append(1000 * usage.wall_s / self.options.tasks)

    def _subtract(
        self,
        title: str,
        number: int,
        counts: tuple[int, int],
        units: int,
        run: Callable[[int, int], Usage],
    ) -> None:
        """Note what a unit takes in a long run beyond a short one."""
        few, many = counts
        if self.options.quick:
            many = few + (many - few) // 5
        usage = subtract_runs(run, (few, many), number)
        self.core_ms[title].append(1000 * usage.cpu_s / units)
        self.wall_ms[title].append(1000 * usage.wall_s / units)
        print(f"{title}: {format_figure(self.core_ms[title][-1])} core-ms", file=sys.stderr)

    def _drive(
        self, evaluator: Evaluator, jobs: list[dict[str, Any]], passes: bool, **options: Any
    ) -> Usage:
        """CPU seconds of the whole tree and wall seconds of the judging."""
        options = {"workers": WORKERS, **options}
        usage, answer = judge_jobs(evaluator, jobs, passes, self.folder, RUN_LIMIT_S, **options)
        self.about = {"sandbox_level": answer["sandbox_level"]}
        return Usage(usage.cpu_s, answer["rewards_s"])

    def per_second(self, title: str, values: dict[str, list[float]]) -> Spread:
        """Units in a second, of a core or of the clock."""
        return Spread.of([1000 / value for value in values[title]])

    def added(self, values: dict[str, list[float]]) -> float | None:
        """What Ray adds to a solution, as a share of the local judge's: the median of the rounds,
        each of which compares two adjacent runs. None: not measured."""
        local, ray = (values.get(engine.title, []) for engine in make_engines())
        ratios = [with_ray / alone for alone, with_ray in zip(local, ray, strict=False)]
        return Spread.of(ratios).median - 1 if ratios else None


def read_busy_s() -> float:
    """Return the CPU seconds of this process's control group (cpuacct), or, in the root group, of
    the whole machine (proc_stat(5)): nobody is told those of processes that Ray ends. Little else
    may run there."""
    groups = Path("/proc/self/cgroup").read_text(encoding="ascii")
    if group := re.search(r":cpuacct:/(.+)", groups):
        usage = Path("/sys/fs/cgroup/cpuacct", group[1], "cpuacct.usage")
        return int(usage.read_text(encoding="ascii")) / 1e9
    fields = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
    user, nice, system, _idle, _iowait, irq, softirq = map(int, fields[:7])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def make_tasks(count: int) -> list[dict[str, Any]]:
    """Jobs of ``count`` different right programs in all: each reference program in turn, with a
    comment of its own."""
    references = []
    for path in sorted((REPOSITORY / "datasets" / "microcoder-mini").glob("tier_*.jsonl")):
        for problem in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            codes = [row["code"] for row in problem["solutions"] if row["verdict"] == "AC"]
            references += [(problem, code) for code in codes]
    jobs = []
    for number in range(count):
        problem, code = references[number % len(references)]
        job = {key: problem[key] for key in ("kind", "entry_point", "tests") if key in problem}
        jobs.append({**job, "codes": [f"# task {number}\n{code}"]})
    return jobs


def report(bench: Bench) -> str:
    """Format the tables."""
    rows = [
        [
            title,
            str(bench.per_second(title, bench.core_ms)),
            str(bench.per_second(title, bench.wall_ms)),
            str(Spread.of(bench.core_ms[title])),
        ]
        for title in bench.core_ms
    ]
    head = [f"{WORKERS} workers", "per core-second", "per second", "core-ms each"]
    shares = ((name, bench.added(values)) for name, values in _values(bench).items())
    lines = [f"Ray adds {100 * share:.1f} % of {name}" for name, share in shares if share]
    lines += [f"{part}: {note}" for part, note in bench.notes.items()]
    return "\n".join([format_table(head, rows), "", *lines])


def _values(bench: Bench) -> dict[str, dict[str, list[float]]]:
    return {"CPU": bench.core_ms, "wall time": bench.wall_ms}


def record(bench: Bench, facts: dict[str, Any]) -> dict[str, Any]:
    """Return all figures for the result file."""
    return {
        "machine": facts,
        "packages": {"microcoder": MICROCODER.versions()},
        "options": {key: value for key, value in vars(bench.options).items() if key != "out"},
        "microcoder": bench.about,
        "left_out": bench.notes,
        "core_ms": {title: Spread.of(values) for title, values in bench.core_ms.items()},
        "wall_ms": {title: Spread.of(values) for title, values in bench.wall_ms.items()},
        "rounds_core_ms": bench.core_ms,
        "rounds_wall_ms": bench.wall_ms,
        "ray_adds": {name: bench.added(values) for name, values in _values(bench).items()},
    }


def parse() -> argparse.Namespace:
    parser = make_parser(__doc__)
    parser.add_argument("--quick", action="store_true", help="1 round, a fifth of the solutions")
    parser.add_argument("--rounds", type=int, help="default 5")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    parser.add_argument("--tasks", type=int, help="default 8192; 512 with --quick")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 5)
    options.tasks = options.tasks or (512 if options.quick else 8192)
    return options


def main() -> int:
    """Run, print and save; return 0 if every part was measured."""
    options = parse()
    with open_session() as (facts, folder):
        bench = Bench(options, folder)
        for part in options.only:
            bench.run_part(part)
    text = report(bench)
    print(text)
    figures = record(bench, facts)
    publish_table("throughput", options.out, figures, "Executions and tasks in a second", text)
    return 1 if bench.notes else 0


if __name__ == "__main__":
    run_script(main)
