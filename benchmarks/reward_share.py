"""What judging adds to a training step: the seconds between the last token and the last reward.

    python benchmarks/reward_share.py                   # a fake rollout, a minute
    python benchmarks/reward_share.py --model FOLDER    # a few steps of SmolLM2-135M

fake: 512 samples, each a program of its own, finish evenly over 60 s; every tenth never ends and
is stopped at its limit of 2 s CPU. Through the trainer's RewardJudge and the real judge. Looked
for: a wait of at most one time limit and a second.

--model: the recipe of learn_smollm.py for some steps (--steps, 3) from the model as it is; the
wait's share of sampling, judging and updating. Looked for: below 2 %.

The programs that never end want 104 CPU seconds of a minute: on two cores the machine must have
nothing else to do. Exit 1 when a figure is missed; the load is in the record.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from checkout import BenchmarkError
from learn_smollm import MINI, RECIPE
from publication import save_record

from microcoder_eval.formats import problem_from
from microcoder_train.config import Data, Reward
from microcoder_train.config_layers import load_settings
from microcoder_train.environment.prompts import Prompt, Template
from microcoder_train.environment.reward import RewardJudge
from microcoder_train.learner.scorer import Scorer
from microcoder_train.run.log import read_metrics
from microcoder_train.run.sampling import JudgedEngine
from microcoder_train.run.tiny import tiny_tokenizer
from microcoder_train.run.trainer import Trainer
from microcoder_train.samples import Request, Sample, Sampling

SAMPLES, SECONDS, LIMIT = 512, 60.0, 2.0
ENDLESS = 10  # every tenth
MOST_WAIT = LIMIT + 1.0
MOST_SHARE = 0.02
PHASES = ("gen", "reward_wait", "old_logp", "update", "sync")
PROBLEM = {
    "problem_id": "seven",
    "kind": "stdin",
    "starter_code": "print(",
    "tests": [{"input": "", "output": "7\n"}],
    "limits": {"time_s": LIMIT},
}


class Prepared(Template):
    """Programs for all samples, all different, so that caches have no effect."""

    def make_judge_input(self, sample: Sample, prompt: Prompt) -> dict[str, str]:
        """Return an endless loop for every tenth sample, else the right answer."""
        program = "while 1: pass" if sample.index % ENDLESS == 0 else "print(7)"
        return {"code": f"{program}  # {sample.index}"}


class Evenly:
    """An engine whose samples finish evenly over a given time."""

    def generate(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        """See Engine."""
        (request,) = requests
        start = time.perf_counter()
        for i in range(request.sampling.n):
            due = start + SECONDS * (i + 1) / request.sampling.n
            threading.Event().wait(max(0.0, due - time.perf_counter()))
            on_finish(Sample(request, i, (1,), (0.0,), "stop", 0))

    def sync(self, scorer: Scorer, version: int) -> dict[str, float]:
        """Do nothing: there are no weights."""
        return {}

    def sleep(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def main() -> int:
    """Measure, print and save; return 1 if a figure misses its bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", help="SmolLM2-135M as a Hugging Face folder")
    parser.add_argument("--steps", type=int, default=3)
    args = parser.parse_args()
    figures = real_steps(args.model, args.steps) if args.model else fake_rollout()
    print(json.dumps(figures, indent=1))
    save_record("reward_share", figures)
    is_met = figures["wait_share"] < MOST_SHARE if args.model else figures["waited_s"] < MOST_WAIT
    return 0 if is_met else 1


def fake_rollout() -> dict[str, Any]:
    """Judge a fake rollout. Raises BenchmarkError if a verdict is wrong."""
    template = Prepared(Data(template="completion"), tiny_tokenizer("\nprint(", ")"))
    prompt = Prompt(problem_from(PROBLEM), "", (1,))
    with RewardJudge(Reward(), template) as reward_judge:
        engine = JudgedEngine(Evenly(), reward_judge)
        groups, waited = engine.sample([prompt], Sampling(SAMPLES, 1.0, 8, (0,)))
    verdicts = Counter(str(episode.judgement.verdict) for episode in groups[0])
    late = math.ceil(SAMPLES / ENDLESS)
    if verdicts != {"AC": SAMPLES - late, "TLE": late}:
        raise BenchmarkError(f"verdicts: {dict(verdicts)}")
    return {
        "samples": SAMPLES,
        "over_s": SECONDS,
        "endless": late,
        "limit_s": LIMIT,
        "waited_s": round(waited, 3),
    }


def real_steps(model: str, steps: int) -> dict[str, Any]:
    """Return the seconds of a step by phase, and the share of waiting."""
    overrides = [
        *RECIPE,
        f"model.path={model}",
        f"data.train={MINI / 'tier_a_train.jsonl'}",
        "data.eval=",
        f"train.steps={steps}",
        "checkpoint.every=1000",
    ]
    with tempfile.TemporaryDirectory() as folder:
        Trainer(load_settings(None, "microcoder", overrides), Path(folder)).run()
        lines = read_metrics(Path(folder))
    spent = {name: sum(line[f"timing_s/{name}"] for line in lines) for name in PHASES}
    return {
        "recipe": RECIPE,
        "steps": steps,
        "seconds_a_step": {name: round(total / steps, 2) for name, total in spent.items()},
        "wait_share": spent["reward_wait"] / sum(spent.values()),
        "rewards": [line["critic/rewards/mean"] for line in lines],
    }


if __name__ == "__main__":
    raise SystemExit(main())
