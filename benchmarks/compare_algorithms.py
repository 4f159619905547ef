"""GRPO, DAPO and MicroCoder at one temperature, and each part alone, where answers are cut off.

    nice -n 10 python benchmarks/compare_algorithms.py --out runs/compare [--minutes 60]

Some six minutes of one core's time; one process, one thread. The same command goes on where it
stopped, within a run, too. After --minutes no run is begun, and the record holds those that are
complete. --trial runs DAPO on a seed that the comparison never uses, and saves nothing: the task
was set by it alone.

The task: the length of an answer is what must be learned. A tiny model prints a number of at least
10 to 42 digits (the prompt's digit decides) and must end it within LIMIT tokens. It was taught
numbers of 1 to LONGEST digits, each length equally often, so that from the first step some answers
are too short and some are cut off. A function of the answer gives the reward; the judge is not
what is compared. All arms of a seed start from one model and one set of problems, and differ in
ARMS only. No arm has a temperature chosen by diversity: random digits are more diverse at every T
than the probe's bound.

Fixed before the first run of the comparison:
* Primary: held-out accuracy, the mean of the evaluations after every second step up to STEPS (18
  problems, 4 samples each, T 1), so the height of the learning curve; paired by seed. The paper's
  ordering, GRPO < DAPO < MicroCoder, is two differences, each at the same T: DAPO - GRPO,
  MicroCoder - DAPO.
* A difference is "shown" if its 95 % interval (Student's t) leaves out 0. Both must be shown for
  the ordering to be. Length, and each part alone (three seeds), are described and not tested.
* At least 5 % of the answers of step 1 must be cut off in the mean over seeds, or nothing is said
  of the mask: it acts on nothing else.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import plot
import torch
from mask_task import prepare_task
from measurement import describe_machine
from publication import format_figure, format_table, publish

from microcoder_eval.records import Judgement, Problem
from microcoder_train.algorithm import counter
from microcoder_train.config_layers import load_settings
from microcoder_train.presets import PRESETS
from microcoder_train.run.log import read_metrics, select_curve
from microcoder_train.run.trainer import Trainer

LIMIT, LONGEST, STEPS, LEAST_TRUNCATED = 48, 52, 20, 0.05
SEEDS, PART_SEEDS, TRIAL_SEED = 5, 3, 100
HELD_OUT = 18
# Of SEEDS seeds: the ordering.
ARMS = {name: PRESETS[name] for name in ("grpo", "dapo", "microcoder")}
# Of PART_SEEDS: one part added to GRPO.
PARTS: dict[str, dict[str, Any]] = {
    "grpo without KL": {**PRESETS["grpo"], "loss.beta": 0},
    "grpo, clip high": {**PRESETS["grpo"], "loss.eps_high": 0.28},
    "grpo, mask": {**PRESETS["grpo"], "mask.mode": "conditional"},
}
COMPARISONS = (("dapo", "grpo"), ("microcoder", "dapo"), ("microcoder", "grpo"))
SETTINGS = (
    f"rollout.response_length={LIMIT}", f"train.steps={STEPS}", "train.threads=1",
    "train.tokens_per_micro_batch=8192", "reward.judge=false", "reward.workers=1",
    "reward.function=compare_algorithms:is_long_enough", "eval.every=2", "eval.n=4",
    "eval.at_start=false", "log.samples=0", "checkpoint.every=20", "checkpoint.keep_last=1",
    "checkpoint.keep_best=false", "optim.lr=5e-4", "guard.no_signal_steps=1000",
    "data.allow_overlap=true",  # problems differ in digit or mark only
)  # fmt: skip
FIGURES = {
    "length": "response_length/mean", "diversity": "diversity/d4",
    "truncated": "mask/truncated_frac", "masked": "mask/applied_frac",
    "reward": "critic/rewards/mean", "clipped": "actor/clipfrac_high",
}  # fmt: skip
# Quantiles .975 of Student's t by degrees of freedom.
T_975 = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26}


def main() -> int:
    """Run what is missing, print the table, and save the record."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", default="runs/compare")
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--trial", action="store_true")
    options = parser.parse_args()
    started_at, load_before, out = time.monotonic(), os.getloadavg(), Path(options.out)
    torch.set_num_threads(1)  # on a busy machine two take minutes
    jobs = [(arm, seed) for seed in range(SEEDS) for arm in ARMS]
    jobs += [(arm, seed) for seed in range(PART_SEEDS) for arm in PARTS]
    if options.trial:
        jobs = [("dapo", TRIAL_SEED)]
    rows: dict[int, dict[str, dict[str, Any]]] = {}
    for arm, seed in jobs:
        if time.monotonic() - started_at > 60 * options.minutes:
            break
        rows.setdefault(seed, {})[arm] = run_arm(out, arm, seed)
    print(format_means(rows))
    if not options.trial:
        save(rows, len(jobs), load_before)
    return 0


def is_long_enough(text: str, problem: Problem, _judgement: Judgement | None) -> float:
    """The reward: 1 for an answer that is closed and has enough digits."""
    digits, closing, rest = text.strip().partition(")")
    least = int(problem.tests[0].output)
    return float(digits.isdigit() and closing == ")" and not rest and len(digits) >= least)


def run_arm(out: Path, arm: str, seed: int) -> dict[str, Any]:
    """The figures of one run, made unless it is complete."""
    task, run = out / f"task_s{seed}", out / f"{arm.replace(', ', '_').replace(' ', '_')}_s{seed}"
    differences = {**{**ARMS, **PARTS}[arm], "rollout.temperature": 1.0}
    if not (run / "checkpoints" / f"step_{STEPS:06d}" / "state.json").exists():
        prepare_task(task, seed, digits_per_level=4, longest=LONGEST, mixed=True)
        hold_out(task, seed)
        words = [
            *SETTINGS, f"model.path={task / 'model'}", f"data.train={task / 'kept.jsonl'}",
            f"data.eval={task / 'held_out.jsonl'}", f"train.seed={seed}",
            *(f"{key}={value}" for key, value in differences.items()),
        ]  # fmt: skip
        Trainer(load_settings(None, "tiny", words), run).run()
    figures = read_figures(run)
    print(arm, seed, json.dumps(figures), flush=True)
    return figures


def hold_out(task: Path, seed: int) -> None:
    """Split the task's problems into kept.jsonl and held_out.jsonl."""
    lines = (task / "train.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    order = counter.permutation(len(lines), seed, "held out")
    for name, indices in (("held_out", order[:HELD_OUT]), ("kept", order[HELD_OUT:])):
        text = "".join(lines[i] for i in sorted(indices))
        (task / f"{name}.jsonl").write_text(text, encoding="utf-8")


def read_figures(run: Path) -> dict[str, Any]:
    """The primary figure of a run, its curves, and means over all steps."""
    lines = [line for line in read_metrics(run) if line["step"] > 0]
    curve = select_curve(lines, "eval/accuracy")
    means = {name: statistics.mean(line[key] for line in lines) for name, key in FIGURES.items()}
    return {
        "accuracy": statistics.mean(curve.values()), **means,
        "truncated_first": lines[0]["mask/truncated_frac"],
        "length_last": statistics.mean(line["response_length/mean"] for line in lines[-10:]),
        "seconds": sum(line["timing_s/step"] for line in lines),
        "curve": curve,
        "lengths": [round(line["response_length/mean"], 1) for line in lines],
    }  # fmt: skip


def compare(
    rows: Mapping[int, Mapping[str, Mapping[str, Any]]], arm: str, other: str
) -> dict[str, Any]:
    """The paired difference in accuracy, its interval, and what so many seeds could have shown."""
    differences = [
        row[arm]["accuracy"] - row[other]["accuracy"]
        for row in rows.values()
        if arm in row and other in row
    ]
    if (count := len(differences)) < 2:
        return {"seeds": count}
    mean, error = statistics.mean(differences), statistics.stdev(differences) / math.sqrt(count)
    quantile = T_975.get(count - 1, 2.26)  # too wide an interval beyond ten seeds
    return {
        "seeds": count, "difference": mean,
        "interval": [mean - quantile * error, mean + quantile * error],
        "shown": abs(mean) > quantile * error, "standard_deviation": error * math.sqrt(count),
        "detectable": (quantile + 0.88) * error,
    }  # fmt: skip


def format_means(rows: Mapping[int, Mapping[str, Mapping[str, Any]]]) -> str:
    """Means over the seeds that an arm has."""
    names = ("accuracy", *FIGURES, "truncated_first", "length_last", "seconds")
    table = []
    for arm in (*ARMS, *PARTS):
        seeds = [row[arm] for row in rows.values() if arm in row]
        if seeds:
            means = [statistics.mean(seed[name] for seed in seeds) for name in names]
            table.append([arm, str(len(seeds)), *map(format_figure, means)])
    return format_table(["arm", "seeds", *names], table)


def save(
    rows: Mapping[int, Mapping[str, Mapping[str, Any]]], planned: int, load: Sequence[float]
) -> None:
    """Save the record of the complete runs, their table and the plot of the ordering's curves."""
    comparisons = {f"{a} - {b}": compare(rows, a, b) for a, b in COMPARISONS}
    truncated = statistics.mean(
        run["truncated_first"] for row in rows.values() for run in row.values()
    )
    record = {
        "machine": {**describe_machine(), "load_before": load},
        "settings": {"steps": STEPS, "limit": LIMIT, "longest_taught": LONGEST},
        "runs": sum(map(len, rows.values())), "runs_planned": planned, "seeds": rows,
        "comparisons": comparisons, "truncated_first": truncated,
        "mask_can_be_judged": truncated >= LEAST_TRUNCATED,
    }  # fmt: skip
    text = f"```\n{format_means(rows)}\n```\n\n```json\n{json.dumps(comparisons, indent=1)}\n```\n"
    print(json.dumps(comparisons, indent=1))
    publish("compare_algorithms", None, record, text, plot_curves(rows))


def plot_curves(rows: Mapping[int, Mapping[str, Mapping[str, Any]]]) -> str:
    """Held-out accuracy by step, of the arms that have a run."""
    curves = {arm: [row[arm]["curve"] for row in rows.values() if arm in row] for arm in ARMS}
    return plot.accuracy_by_step({arm: runs for arm, runs in curves.items() if runs})


if __name__ == "__main__":
    raise SystemExit(main())
