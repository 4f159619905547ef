"""What it takes until the judge judges.

    python benchmarks/startup.py [--quick] [--rounds N] [--out NAME]

import      `import microcoder_eval`, `from microcoder_eval import Judge` and `import
            microcoder_train`: seconds of an interpreter that does it less those of one that does
            nothing
verdict     the first of a cold `judge()`, in a process of its own, the second, and the first of a
            program that imports numpy; and the command `microcoder-eval` on one solution, to
            its verdict and to its end
memory      resident MiB of a worker and of its fork servers, and the share that is theirs
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import threading
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Any

from checkout import HERE, REPOSITORY, run_script
from evaluators import MICROCODER
from measurement import interleave, measure, open_session
from publication import Spread, format_figure, format_table, make_parser, publish_table

RUN_LIMIT_S = 120.0
IMPORTS = {
    "nothing": "pass",
    "import microcoder_eval": "import microcoder_eval",
    "from microcoder_eval import Judge": "from microcoder_eval import Judge",
    "import microcoder_train": "import microcoder_train",
}
PROBLEM = {"problem_id": "p", "tests": [{"input": "1 2\n", "output": "3\n"}]}
SOLUTION = {"problem_id": "p", "code": "a, b = map(int, input().split())\nprint(a + b)\n"}


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

    def run(self, _number: int, arm: str) -> None:
        """Measure once, in a process of its own."""
        if arm == "command":
            self._run_command()
        elif arm == "first":
            self._run_driver()
        else:
            self._import(arm)

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

    def _run_driver(self) -> None:
        result = self.folder / "result"
        command = [sys.executable, str(HERE / "peers" / "startup_driver.py"), str(result)]
        measure(command, limit_s=RUN_LIMIT_S, log=self.folder / "log")
        facts = json.loads(result.read_text())
        self.memory = facts.pop("memory_mb")
        for name, value in facts.items():
            self.firsts[name].append(value)

    def import_ms(self, name: str, clock: str) -> Spread:
        """Return milliseconds beyond those of an interpreter that imports nothing."""
        base = Spread.of(self.imports[f"nothing, {clock}"]).median
        return Spread.of([1000 * (s - base) for s in self.imports[f"{name}, {clock}"]])


def report(bench: Bench) -> str:
    """Format a table for each question."""
    imports = [
        [name, str(bench.import_ms(name, "wall")), str(bench.import_ms(name, "CPU"))]
        for name in IMPORTS
        if name != "nothing"
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
    return "\n\n".join(
        [
            format_table(["import", "wall ms", "CPU ms"], imports),
            format_table(["in a fresh process", "wall ms"], firsts),
            format_table(["memory", "resident MiB", "share MiB"], checks),
        ]
    )


def record(bench: Bench, facts: dict[str, Any]) -> dict[str, Any]:
    """Return all figures for the result file."""
    return {
        "machine": facts,
        "packages": {"microcoder": MICROCODER.versions()},
        "options": {"rounds": bench.options.rounds, "quick": bench.options.quick},
        "import_ms": {
            name: {clock: bench.import_ms(name, clock) for clock in ("wall", "CPU")}
            for name in IMPORTS
            if name != "nothing"
        },
        "first_s": {name: Spread.of(values) for name, values in bench.firsts.items()},
        "memory_mb": bench.memory,
    }


def main() -> int:
    """Run, print and save."""
    parser = make_parser(__doc__)
    parser.add_argument("--quick", action="store_true", help="3 rounds")
    parser.add_argument("--rounds", type=int, help="default 15")
    options = parser.parse_args()
    options.rounds = options.rounds or (3 if options.quick else 15)
    os.environ["PYTHONPATH"] = f"{REPOSITORY}:{REPOSITORY / 'sandbox'}"
    with open_session() as (facts, folder):
        bench = Bench(options, folder)
        interleave(options.rounds, [*IMPORTS, "first", "command"], bench.run)
    text = report(bench)
    print(text)
    figures = record(bench, facts)
    publish_table("startup", options.out, figures, "Until the judge judges", text)
    return 0


if __name__ == "__main__":
    run_script(main)
