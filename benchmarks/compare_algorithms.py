"""GRPO, DAPO and MicroCoder at one temperature, MicroCoder at its own, and each part alone.

    python benchmarks/compare_algorithms.py --out runs/compare [--seeds 5] [--part-seeds 3]

Up to eight hours on two quiet cores; the same command goes on where it stopped, within a run, too.
--steps 4 --seeds 1 --part-seeds 1 tries it in minutes; its record says so. The task is
mask_task.py's, where the length of an answer is what must be learned, with answers of up to 64
tokens: numbers of at least 11 to 51 digits, by a model that was taught 1 to 14. All arms of a seed
start from one model and one set of problems, and differ in what ARMS says only.

Fixed before the first run:
* Primary: held-out accuracy, the mean of the evaluations after every tenth step up to 80 (18
  problems, 8 samples each, T 1); paired by seed. The paper's ordering, GRPO < DAPO < MicroCoder, is
  two differences, each at the same T: DAPO - GRPO, MicroCoder - DAPO.
* A difference is "shown" if its 95 % interval (Student's t) leaves out 0. Both must be shown for
  the ordering to be. MicroCoder at its own T, and each part alone (three seeds), are described and
  not tested.
* At least 5 % of the answers of step 1 must be cut off in the mean over seeds, or nothing is said
  of the mask: it acts on nothing else. A trial of four steps had none, answers of 5 tokens at
  64: LIMIT or what the model is taught must be set for that before the first run.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import common
import torch
from mask_task import prepare_task
from ten_seeds import FIGURES, SETTINGS, call, compare, hold_out, is_done, probe, read_figures

from microcoder_train.presets import PRESETS
from microcoder_train.run.log import read_metrics

LIMIT, STEPS, LEAST_TRUNCATED = 64, 80, 0.05
OWN_TEMPERATURE = "microcoder, own T"
# Of --seeds seeds: the ordering. Of --part-seeds: one part added to GRPO.
ARMS: dict[str, dict[str, Any]] = {
    "grpo": PRESETS["grpo"],
    "dapo": PRESETS["dapo"],
    "microcoder": PRESETS["microcoder"],
    OWN_TEMPERATURE: PRESETS["microcoder"],
}
PARTS: dict[str, dict[str, Any]] = {
    "grpo without KL": {**PRESETS["grpo"], "loss.beta": 0},
    "grpo, clip high": {**PRESETS["grpo"], "loss.eps_high": 0.28},
    "grpo, mask": {**PRESETS["grpo"], "mask.mode": "conditional"},
}
COMPARISONS = (("dapo", "grpo"), ("microcoder", "dapo"), ("microcoder", "grpo"))
LONGER_ANSWERS = [f"rollout.response_length={LIMIT}", "train.tokens_per_micro_batch=8192"]


def main() -> int:
    """Run what is missing, print the table, and save the record."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", default="runs/compare")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--part-seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time (%(default)s)")
    options = parser.parse_args()
    out, load_before = Path(options.out), os.getloadavg()
    arms = {**ARMS, **PARTS}
    jobs = [(arm, seed) for seed in range(options.seeds) for arm in ARMS]
    jobs += [(arm, seed) for seed in range(min(options.part_seeds, options.seeds)) for arm in PARTS]
    torch.set_num_threads(1)  # on a busy machine two take minutes
    for seed in range(options.seeds):
        task = out / f"task_s{seed}"
        prepare_task(task, seed, digits_per_level=5)
        hold_out(task, seed)
    with ThreadPoolExecutor(options.jobs) as pool:
        figures = list(pool.map(lambda job: run_arm(out, *job, options.steps, arms[job[0]]), jobs))
    rows: list[dict[str, dict[str, Any]]] = [{} for _ in range(options.seeds)]
    for (arm, seed), values in zip(jobs, figures, strict=True):
        rows[seed][arm] = values
    comparisons = {f"{a} - {b}": compare(rows, a, b) for a, b in COMPARISONS}
    truncated = statistics.mean(row["dapo"]["truncated_first"] for row in rows)
    record = {
        "machine": {**common.describe_machine(), "load_before": load_before},
        "commit": common.read_commit(), "settings": {"steps": options.steps, "limit": LIMIT},
        "as_planned": options.steps == STEPS and options.seeds >= 5, "seeds": rows,
        "comparisons": comparisons, "truncated_first": truncated,
        "mask_can_be_judged": truncated >= LEAST_TRUNCATED,
    }  # fmt: skip
    print(format_table(rows, list(arms)))
    print(json.dumps(comparisons, indent=1))
    common.save(common.RESULTS / f"{common.make_stamped_name('compare_algorithms')}.json", record)
    return 0


def run_arm(
    out: Path, arm: str, seed: int, steps: int, differences: dict[str, Any]
) -> dict[str, Any]:
    """The figures of one run, with its curve."""
    task, run = out / f"task_s{seed}", out / f"{arm.replace(', ', '_').replace(' ', '_')}_s{seed}"
    settings = [
        *SETTINGS, *LONGER_ANSWERS, f"model.path={task / 'model'}", f"train.steps={steps}",
        f"data.train={task / 'kept.jsonl'}", f"data.eval={task / 'held_out.jsonl'}",
        f"train.seed={seed}",
    ]  # fmt: skip
    temperature = probe(run, settings) if arm == OWN_TEMPERATURE else 1.0
    differences = {**differences, "rollout.temperature": temperature}
    if not is_done(run, steps):
        call([*settings, *(f"{key}={value}" for key, value in differences.items())], run)
    first = next(line for line in read_metrics(run) if line["step"] == 1)
    values = {"temperature": temperature, **read_figures(run)}
    print(arm, seed, json.dumps(values), flush=True)
    return {**values, "truncated_first": first["mask/truncated_frac"]}


def format_table(rows: Sequence[dict[str, dict[str, Any]]], arms: Sequence[str]) -> str:
    """Means over the seeds that an arm has."""
    names = ("accuracy", "temperature", "truncated_first", *FIGURES, "seconds")
    table = []
    for arm in arms:
        seeds = [row[arm] for row in rows if arm in row]
        if seeds:
            means = [statistics.mean(seed[name] for seed in seeds) for name in names]
            table.append([arm, str(len(seeds)), *map(common.format_figure, means)])
    return common.format_table(["arm", "seeds", *names], table)


if __name__ == "__main__":
    raise SystemExit(main())
