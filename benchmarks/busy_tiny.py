"""The tiny preset beside busy loops: how many times as long as without them.

    python benchmarks/busy_tiny.py [--steps 100] [--loops 8] [--rounds 1]

Wants a quiet machine: it makes the load itself. The same command runs without and with the loops,
in turn; both take the threads that the trainer chooses. Ten minutes. Exit 1 when the median with
the loops is more than MOST_RATIO times the one without.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from checkout import REPOSITORY, BenchmarkError
from measurement import adopt_orphans, describe_machine
from publication import Spread, format_table, save_record

from microcoder_train.run.log import read_metrics

MOST_RATIO = 10.0  # 35 when every step had two threads (13 s to 8 minutes), fixed beforehand
LOOP = "while True: pass"
FIGURES = ("command_seconds", "step_seconds")


def main() -> int:
    """Measure, print and save; return 1 above MOST_RATIO."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--loops", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    adopt_orphans()  # on SIGTERM, end the loops first
    machine = describe_machine()
    runs: dict[str, list[dict[str, float]]] = {"alone": [], "beside loops": []}
    for _ in range(options.rounds):
        runs["alone"].append(run_tiny(options.steps))
        with busy_loops(options.loops):
            runs["beside loops"].append(run_tiny(options.steps))
    spreads = {
        name: [Spread.of([row[figure] for row in rows]) for figure in FIGURES]
        for name, rows in runs.items()
    }
    pairs = zip(FIGURES, spreads["alone"], spreads["beside loops"], strict=True)
    ratios = {figure: beside.median / alone.median for figure, alone, beside in pairs}
    table = [[name, *map(str, values)] for name, values in spreads.items()]
    table.append(["times", *(f"{ratio:.1f}" for ratio in ratios.values())])
    print(format_table(["the tiny preset", "s, the command", "s, its steps"], table))
    record = {
        "machine": machine, "settings": vars(options), "runs": runs,
        "ratios": ratios, "allowed": MOST_RATIO,
    }  # fmt: skip
    save_record("busy_tiny", record)
    return 0 if max(ratios.values()) <= MOST_RATIO else 1


def run_tiny(steps: int) -> dict[str, float]:
    """One run in a new folder: its seconds, those of its steps, and the threads it chose."""
    environment = {k: v for k, v in os.environ.items() if k != "OMP_NUM_THREADS"}
    paths = (str(REPOSITORY), str(REPOSITORY / "sandbox"))
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    with tempfile.TemporaryDirectory() as folder:
        command = ["--preset", "tiny", "--out", folder, f"train.steps={steps}"]
        started_at = time.perf_counter()
        process = subprocess.run(
            [sys.executable, "-m", "microcoder_train", *command],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        seconds = time.perf_counter() - started_at
        if process.returncode != 0:
            raise BenchmarkError(f"exit {process.returncode}: {process.stderr[-1000:]}")
        lines = [line for line in read_metrics(Path(folder)) if line["step"] > 0]
        (state,) = Path(folder, "checkpoints").glob(f"step_{steps:06d}/state.json")
        threads = json.loads(state.read_text())["threads"]
    step_seconds = sum(line["timing_s/step"] for line in lines)
    return {"command_seconds": seconds, "step_seconds": step_seconds, "threads": threads}


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Processes that compute without end, until the context ends."""
    loops = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
        for loop in loops:
            loop.wait()


if __name__ == "__main__":
    raise SystemExit(main())
