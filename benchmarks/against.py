"""``overhead.py --against COMMIT``: whether this checkout is slower than another commit.

Both run the same jobs in adjacent runs, pair by pair, so that what slows the machine slows both.
The result is the median ratio of the pairs with its interval; README.md describes the measurement.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import random
import re
import statistics
import subprocess
import sys
import tarfile
import tomllib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from checkout import REPOSITORY, BenchmarkError
from evaluators import MICROCODER, Evaluator, judge_jobs
from loads import LOADS, Load
from measurement import interleave, open_session
from publication import format_figure, format_table, save_record

RUN_LIMIT_S = 300.0
NOT_SLOWER = 1.05  # highest upper bound of the interval that counts as "not slower"
RESAMPLES = 10_000
SIDES = ("here", "there")
# Solutions in the short and in the long run, whose difference holds no start-up. A start varies by
# .1 s of CPU: the long run has five, so that this is 2 % of it. A pair on a load takes 20 s.
COUNTS = {
    "stdin10": (10, 910),
    "stdin100": (4, 304),
    "wrong10": (20, 1320),
    "call20": (10, 610),
}


@dataclass(frozen=True, slots=True)
class Ratio:
    """The cost of this checkout divided by that of the other commit, with a 95 % interval."""

    ratio: float
    low: float
    high: float

    @classmethod
    def of_pairs(cls, current: Sequence[float], baseline: Sequence[float]) -> Ratio:
        """Compute the median of the pairs' ratios, with an interval by bootstrap (fixed seed)."""
        numbers = random.Random(0)
        ratios = [here / there for here, there in zip(current, baseline, strict=True)]
        medians = sorted(
            statistics.median(numbers.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES)
        )
        edge = RESAMPLES // 40
        return cls(statistics.median(ratios), medians[edge], medians[-edge - 1])

    @property
    def not_slower(self) -> bool:
        return self.high <= NOT_SLOWER

    def __str__(self) -> str:
        return f"{self.ratio:.3f} ({self.low:.3f}-{self.high:.3f})"

    @property
    def verdict(self) -> str:
        """Describe the result."""
        if self.not_slower:
            return "not slower"
        return "slower" if self.low > NOT_SLOWER else "not shown: more pairs, or a quieter machine"


class Comparison:
    """Both sides on the chosen loads, and the core-milliseconds of each pair so far."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options = options
        self.folder = folder
        self.commit = _resolve(options.against)
        tree = folder / "commit"
        _export(self.commit, tree)
        self.sides = {"here": _make_evaluator(REPOSITORY), "there": _make_evaluator(tree)}
        self.core_ms: dict[tuple[str, str], list[float]] = defaultdict(list)

    def warm_up(self) -> None:
        """Run both sides once, to write bytecode files and to fill the page cache."""
        for side in SIDES:
            self._measure_cpu_s(side, LOADS[0], count=2, seed=0)

    def run_pair(self, number: int, load: Load) -> None:
        """Run both sides on the same jobs; the order changes from pair to pair."""
        print(".", end="", file=sys.stderr, flush=True)
        few, many = COUNTS[load.name]
        order = SIDES if number % 2 == 0 else SIDES[::-1]
        long = {side: self._measure_cpu_s(side, load, many, 2 * number + 2) for side in order}
        short = {
            side: self._measure_cpu_s(side, load, few, 2 * number + 1) for side in reversed(order)
        }
        for side in SIDES:
            core_ms = 1000 * (long[side] - short[side]) / (many - few)
            self.core_ms[side, load.name].append(core_ms)

    def _measure_cpu_s(self, side: str, load: Load, count: int, seed: int) -> float:
        usage, _answer = judge_jobs(
            self.sides[side], load.jobs(count, seed), load.passes, self.folder, RUN_LIMIT_S,
            workers=self.options.workers, isolation=self.options.isolation,
        )  # fmt: skip
        return usage.cpu_s

    def compute_ratio(self, load: Load) -> Ratio:
        """Compute the ratio of a load from its pairs."""
        return Ratio.of_pairs(*(self.core_ms[side, load.name] for side in SIDES))


def _git(*arguments: str) -> str:
    process = subprocess.run(
        ["git", "-C", str(REPOSITORY), *arguments], capture_output=True, text=True, timeout=60
    )
    if process.returncode != 0:
        raise BenchmarkError(f"git {arguments[0]}: {process.stderr.strip()}")
    return process.stdout.strip()


def _resolve(commit: str) -> str:
    return _git("rev-parse", "--verify", "--end-of-options", f"{commit}^{{commit}}")


def _export(commit: str, tree: Path) -> None:
    """Write the files of a commit to a new folder."""
    archive = tree.with_suffix(".tar")
    _git("archive", "--format=tar", f"--output={archive}", commit)
    with tarfile.open(archive) as file:
        file.extractall(tree, filter="data")
    archive.unlink()


def _make_evaluator(tree: Path) -> Evaluator:
    """The judge of a source tree, run by the tree's own driver in an environment of its own.

    Dependencies have the versions of this interpreter's, on both sides.
    """
    requirements = pin_dependencies(tree)
    digest = hashlib.sha256("\n".join([sys.version, *requirements]).encode()).hexdigest()[:12]
    return replace(
        MICROCODER,
        folder=f"judge-{digest}",
        requirements=requirements,
        pip_options=(),
        benchmarks=tree / "benchmarks",
    )


def pin_dependencies(tree: Path) -> tuple[str, ...]:
    """What the pyproject.toml of a source tree requires, in the versions of this interpreter's."""
    project = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return tuple(sorted(map(_pin, project["dependencies"])))


def _pin(requirement: str) -> str:
    name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
    try:
        return f"{name}=={importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        return requirement


def main(options: argparse.Namespace) -> int:
    """Run, print and save; return 0 if no chosen load is slower."""
    selection = [load for load in LOADS if load.name in options.loads]
    with open_session() as (facts, folder):
        comparison = Comparison(options, folder)
        comparison.warm_up()
        interleave(options.pairs, selection, comparison.run_pair)
        versions = {side: peer.versions() for side, peer in comparison.sides.items()}
    print(file=sys.stderr)
    ratios = {load.name: comparison.compute_ratio(load) for load in selection}
    print(_report(comparison, selection, ratios, facts))
    save_record(
        "against",
        {
            "machine": facts,
            "here": {"commit": _git("rev-parse", "HEAD"), "changed": bool(_git("diff", "HEAD"))},
            "there": {"commit": comparison.commit},
            "packages": versions,
            "options": {
                key: getattr(options, key) for key in ("pairs", "workers", "isolation", "loads")
            },
            "loads": {
                load.name: {
                    "title": load.title,
                    "solutions": COUNTS[load.name],
                    **asdict(ratios[load.name]),
                    "verdict": ratios[load.name].verdict,
                    "pairs_core_ms": {
                        side: [round(value, 3) for value in comparison.core_ms[side, load.name]]
                        for side in SIDES
                    },
                }
                for load in selection
            },
        },
        options.out,
    )
    return 0 if all(ratio.not_slower for ratio in ratios.values()) else 1


def _report(
    comparison: Comparison, selection: list[Load], ratios: dict[str, Ratio], facts: dict[str, Any]
) -> str:
    rows = []
    for load in selection:
        current, baseline = (
            format_figure(statistics.median(comparison.core_ms[side, load.name])) for side in SIDES
        )
        ratio = ratios[load.name]
        rows.append([load.title, current, baseline, str(ratio), ratio.verdict])
    head = ["load", "core-ms here", comparison.commit[:10], "ratio (95 %)", "verdict"]
    slower = [name for name, ratio in ratios.items() if not ratio.not_slower]
    return (
        f"{format_table(head, rows)}\n\n{comparison.options.pairs} pairs; {facts['cpu']}, "
        f"{facts['usable_cores']} cores, load {facts['load_average'][0]} before, "
        f"{facts['load_average_after'][0]} after\n"
        + (f"NOT SHOWN on {', '.join(slower)}" if slower else "not slower")
        + f": an upper bound of at most {NOT_SLOWER} counts as not slower"
    )
