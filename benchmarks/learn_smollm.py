"""What a real model learns: SmolLM2-135M on one-line functions, by GRPO, DAPO and MicroCoder.

    python benchmarks/learn_smollm.py --model FOLDER --out runs/smollm [--jobs 10] [key=value ...]

Some minutes of a GPU with --jobs 10; days of two cores. The same command goes on where it stopped:
runs from their checkpoints, evaluations from their files. key=value changes a setting of all runs
(train.steps=40, rollout.backend=vllm).

All arms of a seed start from the same weights, sample at T 1 and differ in their preset only. In
the control a coin decides each reward.

Fixed before the first run:
* A run "learned" if its gain in pass@1 (held-out problems, T .6, 64 samples each) has a lower
  bound above 0; 95 %, by resampling families of problems, since variants are not independent. The
  control must not.
* The paper's ordering, GRPO < DAPO < MicroCoder, is two differences, of the means over the seeds;
  each is shown if its 95 % interval leaves out 0.
* A problem is "new" to a run if none of the 128 samples of the untrained model solved it (64 at
  T .6, 64 at T 1), and at least NEW_LEAST of the 64 afterwards did. Another 64 samples of the
  untrained model tell how many are new by chance.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import random
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import plot
from checkout import REPOSITORY, BenchmarkError
from publication import publish

from microcoder_eval.records import Judgement, Problem, Status
from microcoder_eval.results.lines import judgement_from_json
from microcoder_eval.results.summary import pass_at_k
from microcoder_train.presets import PRESETS
from microcoder_train.run.log import read_metrics, select_curve

SAMPLES, NEW_LEAST, RESAMPLES = 64, 4, 10_000
ALGORITHMS = ("grpo", "dapo", "microcoder")
COIN = 0.3  # the control's mean reward, about that of the other arms
MINI = REPOSITORY / "datasets" / "microcoder-mini"
RECIPE = (
    "data.template=completion",
    "rollout.response_length=24",
    "rollout.temperature=1.0",
    "rollout.n=8",
    "rollout.dtype=bfloat16",
    "model.autocast=bfloat16",
    "train.train_batch_size=16",
    "train.ppo_mini_batch_size=8",
    "train.tokens_per_micro_batch=2048",
    "train.steps=100",
    "optim.lr=2e-5",
    "optim.weight_decay=0.0",
    "optim.warmup_steps=3",
    "eval.every=10",
    "eval.temperature=0.6",
    "eval.top_p=1.0",
    "checkpoint.every=20",
    "checkpoint.keep_last=1",
    "checkpoint.keep_best=false",
    "guard.no_signal_steps=1000",
)
# File of an evaluation: temperature, samples, seed.
DRAWS = {"t0.6": (0.6, SAMPLES, 1), "greedy": (0.0, 1, 1)}
UNTRAINED_DRAWS = {**DRAWS, "t1": (1.0, SAMPLES, 1), "again": (0.6, SAMPLES, 2)}
FIGURES = {
    "reward": "critic/rewards/mean", "length": "response_length/mean",
    "diversity": "diversity/d4", "truncated": "mask/truncated_frac",
    "masked": "mask/applied_frac", "clipped": "actor/clipfrac_high", "seconds": "timing_s/step",
}  # fmt: skip
Passes = dict[str, list[int]]  # problem: samples that passed, samples


def main() -> int:
    """Train every arm that is not trained, evaluate, and publish the record."""
    options = parse_options()
    out, words = Path(options.out).resolve(), [*RECIPE, *options.overrides]
    words += [f"data.train={options.train}", f"data.eval={options.eval}"]
    arms = [(name, seed) for seed in range(options.seeds) for name in ALGORITHMS]
    arms.append(("control", 0))

    def evaluate_untrained() -> dict[str, Passes]:
        return evaluate(out / "untrained", options.model, words, UNTRAINED_DRAWS)

    def run(arm: tuple[str, int]) -> dict[str, Any]:
        folder = out / f"{arm[0]}_s{arm[1]}"
        model = train(folder, *arm, [f"model.path={options.model}", *words])
        return {"passes": evaluate(folder, model, words, DRAWS), **read_curves(folder)}

    with ThreadPoolExecutor(options.jobs) as pool:
        untrained = pool.submit(evaluate_untrained)
        rows = list(pool.map(run, arms))
    runs = {f"{name}_s{seed}": row for (name, seed), row in zip(arms, rows, strict=True)}
    publish_study(untrained.result(), runs, words, read_families(Path(options.eval)))
    return 0


def parse_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", required=True, help="SmolLM2-135M as a Hugging Face folder")
    parser.add_argument("--train", default=str(MINI / "tier_a_train.jsonl"))
    parser.add_argument("--eval", default=str(MINI / "tier_a_heldout.jsonl"))
    parser.add_argument("--out", default="runs/smollm")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time (%(default)s)")
    parser.add_argument("overrides", nargs="*", metavar="key=value", help="settings of all runs")
    return parser.parse_intermixed_args()


def flip_coin(_text: str, _problem: Problem, _judgement: Judgement | None) -> float:
    """The control's reward."""
    return float(random.random() < COIN)


def train(folder: Path, algorithm: str, seed: int, words: Sequence[str]) -> str:
    """Train an arm to its last step, and return the folder of its model."""
    words = [*words, f"train.seed={seed}"]
    if algorithm == "control":
        algorithm = "microcoder"
        words.append("reward.function=learn_smollm:flip_coin")
    run_trainer(folder, ["--preset", algorithm, "--out", str(folder), *words])
    return str(max((folder / "checkpoints").glob("step_*")) / "hf")


def evaluate(
    folder: Path, model: str, words: Sequence[str], draws: Mapping[str, tuple[float, int, int]]
) -> dict[str, Passes]:
    """Sample the held-out problems, or read the files of an earlier evaluation."""
    folder.mkdir(parents=True, exist_ok=True)
    passes: dict[str, Passes] = {}
    for name, (temperature, samples, seed) in draws.items():
        file = folder / f"{name}.jsonl"
        if not file.exists():
            unfinished = file.with_suffix(".unfinished")
            own = [f"eval.temperature={temperature}", f"eval.n={samples}", f"train.seed={seed}"]
            own += ["rollout.max_sequences=512", f"model.path={model}"]
            run_trainer(folder, ["eval", "--samples", str(unfinished), *words, *own])
            os.replace(unfinished, file)
        counts: Passes = defaultdict(lambda: [0, 0])
        for line in file.read_text(encoding="utf-8").splitlines():
            judgement = judgement_from_json(json.loads(line))
            if judgement.status is not Status.ERROR:
                counts[judgement.problem_id][0] += judgement.passed
                counts[judgement.problem_id][1] += 1
        passes[name] = dict(counts)
    return passes


def run_trainer(folder: Path, words: Sequence[str]) -> None:
    """Run microcoder-train in a process of its own; what it prints is in FOLDER/log."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "microcoder_train", *words]
    with (folder / "log").open("a", encoding="utf-8") as log:
        environment = {**os.environ, "PYTHONPATH": paths}
        status = subprocess.call(command, stdout=log, stderr=log, env=environment)
    if status != 0:
        raise BenchmarkError(f"exit status {status}: see {folder / 'log'}")


def read_curves(folder: Path) -> dict[str, Any]:
    """The held-out accuracy by step, and the figures of every step."""
    lines = read_metrics(folder)
    steps = [line for line in lines if line["step"] > 0]
    figures = {name: [round(line[key], 4) for line in steps] for name, key in FIGURES.items()}
    return {"accuracy": select_curve(lines, "eval/accuracy"), **figures}


def read_families(path: Path) -> dict[str, list[str]]:
    """The problems of each family."""
    families: dict[str, list[str]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        problem = json.loads(line)
        families[problem["family"]].append(problem["problem_id"])
    return families


def mean_pass_at_k(passes: Passes, k: int) -> float:
    """pass@k, averaged over the problems."""
    return statistics.mean(pass_at_k(n, passed, min(k, n)) for passed, n in passes.values())


def compare(
    before: Sequence[Passes], after: Sequence[Passes], families: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """The difference in pass@1, averaged over runs, and its interval by resampling families."""

    def rate(runs: Sequence[Passes], name: str) -> float:
        return statistics.mean(run[name][0] / run[name][1] for run in runs)

    gains = [[rate(after, name) - rate(before, name) for name in f] for f in families.values()]
    noise = random.Random(0)
    means = sorted(
        statistics.fmean(gain for family in noise.choices(gains, k=len(gains)) for gain in family)
        for _ in range(RESAMPLES)
    )
    low, high = means[int(0.025 * RESAMPLES)], means[math.ceil(0.975 * RESAMPLES) - 1]
    difference = statistics.fmean(gain for family in gains for gain in family)
    return {"difference": difference, "interval": [low, high], "shown": low > 0 or high < 0}


def publish_study(
    untrained: Mapping[str, Passes], runs: Mapping[str, Mapping[str, Any]],
    words: Sequence[str], families: Mapping[str, Sequence[str]],
) -> None:  # fmt: skip
    """Save the record, with the counts of every problem, its table and its plot."""
    before = untrained["t0.6"]
    never = [n for n, (passed, _) in before.items() if passed == untrained["t1"][n][0] == 0]

    def describe(passes: Passes, greedy: Passes) -> dict[str, Any]:
        figures = {f"pass@{k}": mean_pass_at_k(passes, k) for k in (1, 8, SAMPLES)}
        new = [name for name in never if passes[name][0] >= NEW_LEAST]
        return {**figures, "greedy": mean_pass_at_k(greedy, 1), "new": new}

    def passes_of(algorithm: str) -> list[Passes]:
        return [row["passes"]["t0.6"] for name, row in runs.items() if name.startswith(algorithm)]

    table = {
        "untrained": describe(before, untrained["greedy"]),
        "untrained, again": describe(untrained["again"], untrained["greedy"]),
    }
    for name, row in runs.items():
        after = row["passes"]["t0.6"]
        gain = compare([before], [after], families)
        table[name] = {**describe(after, row["passes"]["greedy"]), "gain": gain}
    order = {
        f"{b} - {a}": compare(passes_of(a), passes_of(b), families)
        for a, b in itertools.pairwise(ALGORITHMS)
    }
    record = {
        "settings": [word.replace(f"{REPOSITORY}/", "") for word in words],
        "presets": {name: PRESETS[name] for name in ALGORITHMS},
        "problems": {"held_out": len(before), "families": len(families), "never": len(never)},
        "table": table, "order": order, "untrained": untrained, "runs": runs,
    }  # fmt: skip
    text = json.dumps({"table": table, "order": order}, indent=1)
    print(text)
    curves = {
        arm: [row["accuracy"] for run, row in runs.items() if run.startswith(arm)]
        for arm in (*ALGORITHMS, "control")
    }
    publish("learn_smollm", None, record, f"```json\n{text}\n```\n", plot.accuracy_by_step(curves))


if __name__ == "__main__":
    raise SystemExit(main())
