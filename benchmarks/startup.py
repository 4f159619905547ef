"""What it takes until the judge judges, and what submitting costs its caller.

    python benchmarks/startup.py [--quick] [--rounds N] [--no-submitting] [--out NAME]

import      `import microcoder_eval`, `from microcoder_eval import Judge` and `import
            microcoder_train`: seconds of an interpreter that does it less those of one that does
            nothing; and what -X importtime says, module by module
verdict     the first of a cold `judge()`, in a process of its own, the second, and the first of a
            program that imports numpy; and the command `microcoder-eval` on one solution, to
            its verdict and to its end
memory      resident MiB of a worker and of its fork servers, and the share that is theirs
submitting  512 tiny solutions from 8 threads and from an event loop, both idle and computing
            something else, tests as plain lists and as Problem records: milliseconds of CPU of
            the caller's process per solution, from submission to result, workers apart
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import re
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from checkout import HERE, REPOSITORY, read_commit, run_script
from evaluators import MICROCODER
from measurement import interleave, measure, open_session
from publication import Spread, format_figure, format_table, make_parser, publish_table

SUBMISSIONS = 512
RUN_LIMIT_S = 120.0
HEAVIEST = 12
IMPORTS = {
    "nothing": "pass",
    "import microcoder_eval": "import microcoder_eval",
    "from microcoder_eval import Judge": "from microcoder_eval import Judge",
    "import microcoder_train": "import microcoder_train",
}
PROBLEM = {"problem_id": "p", "tests": [{"input": "1 2\n", "output": "3\n"}]}
SOLUTION = {"problem_id": "p", "code": "a, b = map(int, input().split())\nprint(a + b)\n"}
LINE = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \| ( *)(\S+)")
CALLERS = tuple(itertools.product(("threads", "asyncio"), ("idle", "busy"), ("lists", "records")))
Arm = tuple[str, ...]


class FirstLine(threading.Thread):
    """Waits for the first line of a file. seconds: from its start to then."""

    def __init__(self, path: Path) -> None:
        super().__init__(daemon=True)
        self.path = path
        self.seconds = math.nan
        self._begin = time.perf_counter()

    def run(self) -> None:
        """Look every millisecond."""
        while time.perf_counter() - self._begin < RUN_LIMIT_S:
            with suppress(OSError):
                if self.path.stat().st_size:
                    self.seconds = time.perf_counter() - self._begin
                    return
            time.sleep(0.001)


class Bench:
    """The figures of all rounds, by what was measured."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options = options
        self.folder = folder
        self.imports: dict[str, list[float]] = defaultdict(list)
        self.firsts: dict[str, list[float]] = defaultdict(list)
        self.memory: dict[str, Any] = {}
        self.submitting: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))

    def run(self, number: int, arm: Arm) -> None:
        """Measure once, in a process of its own."""
        kind, *arguments = arm
        if kind == "import":
            self._import(arguments[0])
        elif kind == "command":
            self._run_command()
        elif kind == "first":
            facts = self._drive("first")
            self.memory = facts.pop("memory_mb")
            for name, value in facts.items():
                self.firsts[name].append(value)
        elif number < max(1, self.options.rounds // 2):
            facts = self._drive(*arguments, str(SUBMISSIONS))
            for name, value in facts.items():
                self.submitting[", ".join(arguments)][name].append(value)

    def _import(self, name: str) -> None:
        command = [sys.executable, "-c", IMPORTS[name]]
        usage = measure(command, limit_s=RUN_LIMIT_S, log=self.folder / "log")
        self.imports[f"{name}, wall"].append(usage.wall_s)
        self.imports[f"{name}, CPU"].append(usage.cpu_s)

    def _run_command(self) -> None:
        files = []
        for name, row in (("solutions.jsonl", SOLUTION), ("tests.jsonl", PROBLEM)):
            files.append(str(self.folder / name))
            Path(files[-1]).write_text(json.dumps(row) + "\n")
        command = [sys.executable, "-m", "microcoder_eval", files[0], "--tests", files[1]]
        usage = measure(command, limit_s=RUN_LIMIT_S, log=self.folder / "log")
        self.firsts["command_s"].append(usage.wall_s)
        results, journal = self.folder / "results.jsonl", self.folder / "results.part"
        results.unlink(missing_ok=True)
        watcher = FirstLine(journal)
        watcher.start()
        measure([*command, "-o", str(results)], limit_s=RUN_LIMIT_S, log=self.folder / "log")
        watcher.join()
        self.firsts["command_first_s"].append(watcher.seconds)

    def _drive(self, *arguments: str) -> dict[str, Any]:
        result = self.folder / "result"
        result.unlink(missing_ok=True)
        driver = [sys.executable, str(HERE / "peers" / "startup_driver.py")]
        command = [*driver, *arguments, str(result)]
        measure(command, limit_s=RUN_LIMIT_S, log=self.folder / "log")
        return dict(json.loads(result.read_text()))

    def import_ms(self, name: str, clock: str) -> Spread:
        """Return milliseconds beyond those of an interpreter that imports nothing."""
        base = Spread.of(self.imports[f"nothing, {clock}"]).median
        return Spread.of([1000 * (s - base) for s in self.imports[f"{name}, {clock}"]])


def import_times(statement: str) -> list[tuple[str, float, float]]:
    """Return (module, own ms, ms with its imports), heaviest first, from -X importtime."""
    process = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", statement],
        capture_output=True,
        text=True,
        check=True,
        timeout=RUN_LIMIT_S,
    )
    modules = [
        (match[4], int(match[1]) / 1000, int(match[2]) / 1000)
        for match in LINE.finditer(process.stderr)
    ]
    start = next((at for at, row in enumerate(modules) if row[0] == "site"), -1) + 1
    return sorted(modules[start:], key=lambda row: -row[1])


def report(bench: Bench, modules: Sequence[tuple[str, float, float]]) -> str:
    """Format a table for each question."""
    imports = [
        [name, str(bench.import_ms(name, "wall")), str(bench.import_ms(name, "CPU"))]
        for name in IMPORTS
        if name != "nothing"
    ]
    heavy = [
        [name, format_figure(seconds), format_figure(total)]
        for name, seconds, total in modules[:HEAVIEST]
    ]
    firsts = [
        [words, str(Spread.of([1000 * value for value in bench.firsts[key]]))]
        for key, words in (
            ("import_s", "from microcoder_eval import judge"),
            ("first_s", "first verdict of a cold judge()"),
            ("second_s", "second verdict"),
            ("numpy_s", "first verdict of a program that imports numpy"),
            ("command_first_s", "microcoder-eval on one solution, to its verdict"),
            ("command_s", "microcoder-eval on one solution, from start to end"),
        )
    ]
    checks = [
        [
            f"{kind[:-1]} {number}, {when}",
            format_figure(row["resident"]),
            format_figure(row["share"]),
        ]
        for when, kinds in bench.memory.items()
        for kind, rows in kinds.items()
        for number, row in enumerate(rows)
    ]
    callers = [
        [
            name,
            *(
                str(Spread.of(facts[key])) if facts.get(key) else "-"
                for key in ("caller_cpu_ms", "submit_cpu_ms", "submit_cpu_ms_most", "wall_ms")
            ),
        ]
        for name, facts in bench.submitting.items()
    ]
    head = ["submitting", "caller's CPU ms", "in submit()", "most in one", "wall ms"]
    return "\n\n".join(
        [
            format_table(["import", "wall ms", "CPU ms"], imports),
            format_table(["modules of Judge", "own ms", "with its imports"], heavy),
            format_table(["in a fresh process", "wall ms"], firsts),
            format_table(["memory", "resident MiB", "share MiB"], checks),
            format_table(head, callers),
        ]
    )


def record(bench: Bench, modules: Sequence[Any], facts: dict[str, Any]) -> dict[str, Any]:
    """Return all figures for the result file."""
    return {
        "benchmark": "startup",
        "machine": facts,
        "commit": read_commit(),
        "packages": {"microcoder": MICROCODER.versions()},
        "options": {"rounds": bench.options.rounds, "quick": bench.options.quick},
        "import_ms": {
            name: {clock: bench.import_ms(name, clock) for clock in ("wall", "CPU")}
            for name in IMPORTS
            if name != "nothing"
        },
        "importtime_ms": modules,
        "first_s": {name: Spread.of(values) for name, values in bench.firsts.items()},
        "memory_mb": bench.memory,
        "submitting": {
            name: {key: Spread.of(values) for key, values in facts.items()}
            for name, facts in bench.submitting.items()
        },
    }


def main() -> int:
    """Run, print and save."""
    parser = make_parser(__doc__)
    parser.add_argument("--quick", action="store_true", help="3 rounds")
    parser.add_argument("--rounds", type=int, help="default 15; of submitting half as many")
    parser.add_argument("--no-submitting", action="store_true", help="leave that part out")
    options = parser.parse_args()
    options.rounds = options.rounds or (3 if options.quick else 15)
    os.environ["PYTHONPATH"] = f"{REPOSITORY}:{REPOSITORY / 'sandbox'}"
    modules = import_times("from microcoder_eval import Judge")  # and to write bytecode files
    arms: list[Arm] = [("import", name) for name in IMPORTS]
    arms += [("first",), ("command",)]
    if not options.no_submitting:
        arms += [("submit", *caller) for caller in CALLERS]
    with open_session() as (facts, folder):
        bench = Bench(options, folder)
        interleave(options.rounds, arms, bench.run)
    text = report(bench, modules)
    print(text)
    figures = record(bench, modules, facts)
    publish_table("startup", options.out, figures, "Starting and submitting", text)
    return 0


if __name__ == "__main__":
    run_script(main)
