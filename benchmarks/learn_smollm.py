"""Does it learn on a real model? SmolLM2-135M on one-line functions, beside a control.

    python benchmarks/learn_smollm.py --model FOLDER --out runs/smollm [--detach]

Hours on two cores. Everything is kept in --out and the same command goes on where it stopped:
runs from their checkpoints, evaluations from their files (another --eval has others). --detach
leaves the terminal. The thresholds below were written before the first run; see README.md.
With --backend vllm (in an environment that has it) one seed is enough to see whether the engine
changes what is learned: --seeds 0 --no-control.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import random
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import common

from microcoder_eval.records import Status
from microcoder_eval.results.lines import judgement_from_json
from microcoder_train.algorithm import counter
from microcoder_train.cli import main as microcoder_train
from microcoder_train.config import load
from microcoder_train.learner.advantages import Advantages
from microcoder_train.run.log import read_metrics
from microcoder_train.run.trainer import Trainer
from microcoder_train.samples import Episode

# Criteria of learning, fixed before the first run.
SEEDS = (0, 1, 2)
STEPS = 40
HELD_OUT_LEAST = 64
LOWER_BOUND = 0.0  # of the paired difference at T 0.6, bootstrap over families, 95 %
SEEDS_LEAST = 2  # of three
CONTROL_MOST = 0.5  # of the smallest gain among the seeds: "nothing comparable"
RESAMPLES = 10_000
PRIMARY = 0.6
EVALUATIONS = {0.6: 8, 1.0: 8, 0.0: 1}  # temperature: samples
UNTRAINED_ALSO = {0.2: 8}  # of the untrained model, the best over T in {0, .2, .6, 1}

MINI = common.REPOSITORY / "datasets" / "microcoder-mini"
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
    f"train.steps={STEPS}",
    "optim.lr=2e-5",
    "optim.weight_decay=0.0",
    "optim.warmup_steps=3",
    "eval.every=1000000",
    "eval.at_start=false",
    "checkpoint.every=5",
    "checkpoint.keep_last=1",
    "checkpoint.keep_best=false",
)
Scores = dict[str, list[bool]]  # problem: did each sample pass


class Permuted(Trainer):
    """The control: every sample gets the judgement of another sample of its batch."""

    def compute_advantages(self, groups: Sequence[Sequence[Episode]]) -> Advantages:
        """Compute advantages from permuted rewards."""
        flat = [episode for group in groups for episode in group]
        order = counter.permutation(len(flat), self.config.train.seed, "control", self.step)
        dealt = iter(
            [
                replace(sample, judgement=flat[i].judgement)
                for sample, i in zip(flat, order, strict=True)
            ]
        )
        return super().compute_advantages([[next(dealt) for _ in group] for group in groups])


def main() -> int:
    """Train every arm, evaluate before and after, and write the record."""
    args = _arguments()
    out = Path(args.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    if args.detach:
        return _detach(out)
    data = [f"data.train={args.train}", f"data.eval={args.eval}"]
    common_words = [f"model.path={args.model}", *data, *RECIPE, f"rollout.backend={args.backend}"]
    held_out = hashlib.sha256(Path(args.eval).read_bytes()).hexdigest()[:8]
    folder = out / f"before-{held_out}"
    evaluations = {PRIMARY: EVALUATIONS[PRIMARY]} if args.primary_only else EVALUATIONS
    also = {} if args.primary_only else UNTRAINED_ALSO
    before = _evaluations(folder, args.model, data, {**evaluations, **also})
    if len(before[PRIMARY]) < HELD_OUT_LEAST:
        raise common.BenchmarkError(f"{args.eval}: fewer than {HELD_OUT_LEAST} problems")
    arms: dict[str, dict[str, Any]] = {}
    wanted_arms: list[tuple[str, type[Trainer], int]]
    wanted_arms = [(f"microcoder_s{seed}", Trainer, seed) for seed in args.seeds]
    wanted_arms += [] if args.no_control else [("control_s0", Permuted, 0)]
    for name, trainer, seed in wanted_arms:
        model = _trained(trainer, out / name, [*common_words, f"train.seed={seed}"])
        after = _evaluations(out / name / f"after-{held_out}", str(model), data, evaluations)
        arms[name] = {
            **_difference(before[PRIMARY], after[PRIMARY], _families(Path(args.eval))),
            "after": {str(t): _average(scores) for t, scores in after.items()},
            "training": _training(out / name),
        }
        print(name, json.dumps(arms[name]), flush=True)
    record = _record(before, arms, args.backend)
    stamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    common.save(common.RESULTS / f"learn_smollm-{stamp}.json", record)
    print(json.dumps(record["conclusion"], indent=1))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="SmolLM2-135M as a Hugging Face folder")
    parser.add_argument("--train", default=str(MINI / "tier_a_train.jsonl"))
    parser.add_argument("--eval", default=str(MINI / "tier_a_heldout.jsonl"))
    parser.add_argument("--out", default="runs/smollm")
    parser.add_argument("--backend", choices=("hf", "vllm"), default="hf")
    parser.add_argument("--seeds", type=_numbers, default=SEEDS, help="default: 0,1,2")
    parser.add_argument("--no-control", action="store_true")
    parser.add_argument("--primary-only", action="store_true", help="evaluate at T 0.6 alone")
    parser.add_argument("--detach", action="store_true")
    return parser.parse_args()


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def _detach(out: Path) -> int:
    command = [sys.executable, __file__, *[text for text in sys.argv[1:] if text != "--detach"]]
    with (out / "log").open("ab") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    print(f"running as {process.pid}; tail -f {out / 'log'}")
    return 0


def _trained(trainer: type[Trainer], out: Path, overrides: list[str]) -> Path:
    model = out / "checkpoints" / f"step_{STEPS:06d}" / "hf"
    if not model.exists():
        trainer(load(None, "microcoder", overrides), out).run()
    return model


def _evaluations(
    folder: Path, model: str, data: list[str], evaluations: Mapping[float, int]
) -> dict[float, Scores]:
    """Sample the held-out problems at each temperature; reuse existing files."""
    folder.mkdir(parents=True, exist_ok=True)
    scores_by_step = {}
    for temperature, n in evaluations.items():
        file = folder / f"t{temperature:g}.jsonl"
        if not file.exists():
            beside = file.with_suffix(".unfinished")
            overrides = [f"model.path={model}", *data, *RECIPE, f"eval.n={n}", "train.seed=1234"]
            overrides += [f"eval.temperature={temperature}", "eval.top_p=1.0"]
            if microcoder_train(["eval", "--samples", str(beside), *overrides]) != 0:
                raise common.BenchmarkError(f"evaluation of {model} failed")
            os.replace(beside, file)
        scores: Scores = defaultdict(list)
        for line in file.read_text(encoding="utf-8").splitlines():
            judgement = judgement_from_json(json.loads(line))
            if judgement.status is not Status.ERROR:
                scores[judgement.problem_id].append(judgement.passed)
        scores_by_step[temperature] = dict(scores)
    return scores_by_step


def _training(out: Path) -> dict[str, Any]:
    """Return the rewards of every step, median times of a step, and the worst engine checks."""
    lines = [line for line in read_metrics(out) if "timing_s/step" in line]
    parts = ("step", "sync", "gen", "reward_wait", "old_logp", "update")
    checks = ("sync/check_maxdiff", "rollout/logp_diff_mean", "rollout/logp_diff_max")
    return {
        "steps": len(lines),
        "rewards": [round(line["critic/rewards/mean"], 4) for line in lines],
        "median_seconds": {p: median(line[f"timing_s/{p}"] for line in lines) for p in parts},
        "pushes_verified": sum("sync/check_maxdiff" in line for line in lines),
        "largest": {c: max(line.get(c, 0.0) for line in lines) for c in checks},
    }


def _families(path: Path) -> dict[str, str]:
    problems = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {p["problem_id"]: str(p.get("family", p["problem_id"])) for p in problems}


def _average(scores: Scores) -> float:
    return sum(sum(passes) / len(passes) for passes in scores.values()) / len(scores)


def _difference(before: Scores, after: Scores, families: Mapping[str, str]) -> dict[str, float]:
    """Mean paired difference of the problems' pass rates, and its 95 % interval by resampling
    whole families: variants of one family are not independent."""
    by_family: dict[str, list[float]] = defaultdict(list)
    for name in before.keys() & after.keys():
        gain = sum(after[name]) / len(after[name]) - sum(before[name]) / len(before[name])
        by_family[families[name]].append(gain)
    gains = [by_family[name] for name in sorted(by_family)]
    noise = random.Random(0)
    means = sorted(
        _mean([gain for family in noise.choices(gains, k=len(gains)) for gain in family])
        for _ in range(RESAMPLES)
    )
    return {
        "difference": _mean([gain for family in gains for gain in family]),
        "low": means[math.floor(0.025 * RESAMPLES)],
        "high": means[math.ceil(0.975 * RESAMPLES) - 1],
        "families": len(gains),
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _record(
    before: dict[float, Scores], arms: dict[str, dict[str, Any]], backend: str
) -> dict[str, Any]:
    untrained = {str(t): _average(scores) for t, scores in before.items()}
    seeds = [arm for name, arm in arms.items() if name.startswith("microcoder")]
    learned = sum(arm["low"] > LOWER_BOUND for arm in seeds) >= SEEDS_LEAST
    smallest = min(arm["difference"] for arm in seeds)
    trained = _mean([arm["after"][str(PRIMARY)] for arm in seeds])
    reading = "new ability" if trained > max(untrained.values()) else "sharpening, not new ability"
    return {
        "machine": common.describe_machine(),
        "recipe": RECIPE,
        "backend": backend,
        "untrained": untrained,
        "arms": arms,
        "conclusion": {
            "learned": learned,
            "control_shows_nothing_comparable": "control_s0" in arms
            and arms["control_s0"]["difference"] < CONTROL_MOST * smallest,
            "trained_avg8": trained,
            "best_untrained": max(untrained.values()),
            "reading": reading if len(untrained) > 1 else "other temperatures not measured",
        },
    }


if __name__ == "__main__":
    raise SystemExit(main())
