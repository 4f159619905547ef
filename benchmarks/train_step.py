"""A whole training step, from prompts to updated weights, beside TRL's GRPOTrainer.

    python benchmarks/train_step.py --tokens 32|256 [--dtype float32] [--model FOLDER]

Without --model, random weights of SmolLM2-135M's shape, whose answers are noise: they take as long
as others. Arithmetic is in bfloat16, the default of both trainers, over float32 weights. Five
minutes (32 tokens) and half an hour (256) on two cores. How it is measured, and what is the same
for both: README.md. Exit 1 when ours is not faster by what was set beforehand, or takes more
memory.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from checkout import HERE, REPOSITORY, BenchmarkError, make_environment, read_versions
from measurement import adopt_orphans, describe_machine, interleave
from publication import Spread, format_figure, format_table, save_record

TRL = ("torch==2.13.0", "trl==1.16.0", "pydantic>=2.6", "psutil", "rich")
PROBLEMS = REPOSITORY / "datasets" / "microcoder-mini" / "tier_a_train.jsonl"
LEAST_RATIO, MOST_MEMORY = 1.5, 1.0  # of TRL's figures, fixed before the first run
LONGEST_PROMPT = 96  # approximate tokens, only to choose the size of a micro-batch


@dataclass(frozen=True, slots=True)
class Arm:
    """One trainer."""

    name: str
    driver: str


PEER = Arm("TRL", "trl_steps.py")
OURS = Arm("MicroCoder", "our_steps.py")


class Driver:
    """A process that takes a step when asked, and waits otherwise."""

    def __init__(self, arm: Arm, python: str, order: dict[str, Any], folder: Path) -> None:
        self.arm, self._log = arm, folder / "log"
        folder.mkdir()
        file = folder / "order.json"
        file.write_text(json.dumps({**order, "folder": str(folder / "run")}))
        paths = (str(REPOSITORY), str(REPOSITORY / "sandbox"))
        with self._log.open("wb") as sink:
            self._process = subprocess.Popen(
                [python, str(HERE / "peers" / arm.driver), str(file)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=sink,
                text=True,
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(paths),
                    "OMP_NUM_THREADS": str(order["threads"]),
                    "HF_HUB_OFFLINE": "1",
                },
            )
        self.steps: list[dict[str, float]] = []

    def wait_until_loaded(self) -> None:
        """Wait until it is loaded. Raises BenchmarkError."""
        self._read_line()

    def take_step(self) -> dict[str, float]:
        """Take one step and wait for its end. Raises BenchmarkError."""
        assert self._process.stdin is not None
        self._process.stdin.write("step\n")
        self._process.stdin.flush()
        return self._read_line()

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def _read_line(self) -> dict[str, float]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            text = self._log.read_text(errors="replace")[-1500:]
            raise BenchmarkError(f"{self.arm.name}: exit {self._process.wait()}: {text}")
        return dict(json.loads(line))


def main() -> int:
    """Measure, print and save; return 1 if a figure misses its bound."""
    options = _parse_options()
    adopt_orphans()  # on SIGTERM, end the drivers first
    load_before = os.getloadavg()
    model_name = f"random, SmolLM2-135M's shape with {options.layers} layers"
    if options.model:
        model_name = Path(options.model).resolve().name
    with tempfile.TemporaryDirectory() as folder:
        if not options.model:
            options.model = _write_random_model(Path(folder) / "model", options)
        drivers = _start_drivers(options, Path(folder))
        try:
            for driver in drivers:  # one after the other, as loading is not measured
                driver.wait_until_loaded()
                driver.take_step()  # nor is the first step, which compiles and allocates
            interleave(options.rounds, drivers, lambda _, d: d.steps.append(d.take_step()))
        finally:
            for driver in drivers:
                driver.end()
    figures = {driver.arm.name: _compute_figures(driver.steps) for driver in drivers}
    _print(figures)
    record = {
        "machine": {**describe_machine(), "load_before": load_before},
        "model": model_name,
        "settings": {
            k: v
            for k, v in vars(options).items()
            if k not in ("model", "trl_python")  # paths of this machine
        },
        "versions": read_versions(
            options.trl_python, ("torch", "transformers", "trl", "accelerate")
        ),
        "steps": {driver.arm.name: driver.steps for driver in drivers},
        "figures": figures,
    }
    save_record("train_step", record)
    peer, ours = figures[PEER.name], figures[OURS.name]
    is_faster = ours["tokens_s"].median >= LEAST_RATIO * peer["tokens_s"].median
    return 0 if is_faster and ours["peak_mb"] <= MOST_MEMORY * peer["peak_mb"] else 1


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", help="a Hugging Face folder; else random weights")
    parser.add_argument("--layers", type=int, default=30, help="of the random model")
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="bfloat16")
    parser.add_argument("--prompts", type=int, default=2)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--tokens", type=int, default=32, help="of every answer")
    parser.add_argument("--updates", type=int, default=1, help="a step")
    parser.add_argument("--rows", type=int, default=8, help="in a micro-batch")
    parser.add_argument("--rounds", type=int, default=5)
    cores = len(os.sched_getaffinity(0))
    parser.add_argument("--threads", type=int, default=cores, help="of torch (%(default)s)")
    parser.add_argument("--trl-python", help="of an environment that has TRL; else one is made")
    options = parser.parse_args()
    options.trl_python = options.trl_python or make_environment("trl-1.16", TRL)
    return options


def _write_random_model(folder: Path, options: argparse.Namespace) -> str:
    """Write a model of SmolLM2-135M's shape, and a tokenizer of the problems' pieces of words."""
    script = str(HERE / "peers" / "random_model.py")
    command = [options.trl_python, script, str(folder), str(PROBLEMS), str(options.layers)]
    subprocess.run(command, check=True)
    return str(folder)


def _start_drivers(options: argparse.Namespace, folder: Path) -> list[Driver]:
    """Start all drivers in turn, in one environment."""
    problems = folder / "problems.jsonl"
    with PROBLEMS.open(encoding="utf-8") as file:
        problems.write_text("".join(islice(file, options.prompts)))
    order = {
        "model": str(Path(options.model).resolve()),
        "problems": str(problems),
        "lr": 1e-6,
        "longest": LONGEST_PROMPT + options.tokens,
        **{
            name: getattr(options, name)
            for name in ("dtype", "samples", "tokens", "updates", "rows", "threads")
        },
    }
    return [
        Driver(arm, options.trl_python, order, folder / str(i))
        for i, arm in enumerate((PEER, OURS))
    ]


def _compute_figures(steps: list[dict[str, float]]) -> dict[str, Any]:
    return {
        "seconds": Spread.of([step["seconds"] for step in steps]),
        "tokens_s": Spread.of([step["tokens"] / step["seconds"] for step in steps]),
        "cpu_seconds": Spread.of([step["cpu_seconds"] for step in steps]),
        "peak_mb": max(step["peak_mb"] for step in steps),
    }


def _print(figures: dict[str, dict[str, Any]]) -> None:
    peer = figures[PEER.name]
    rows = [
        [
            name,
            str(arm_figures["seconds"]),
            str(arm_figures["tokens_s"]),
            f"{arm_figures['tokens_s'].median / peer['tokens_s'].median:.2f}x",
            f"{peer['cpu_seconds'].median / arm_figures['cpu_seconds'].median:.2f}x",
            format_figure(arm_figures["peak_mb"]),
            f"{arm_figures['peak_mb'] / peer['peak_mb']:.2f}x",
        ]
        for name, arm_figures in figures.items()
    ]
    head = ["trainer", "s a step", "tokens/s", "TRL's", "by CPU time", "peak MB", "TRL's"]
    print(format_table(head, rows))


if __name__ == "__main__":
    sys.exit(main())
