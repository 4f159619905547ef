"""Steps of this trainer as it is but for the rewards, which take no time, and for EOS: none."""

from __future__ import annotations

import json
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from steps import Clock, loop, order, reward

from microcoder_eval import Judge
from microcoder_eval.records import Judgement
from microcoder_train.config import load
from microcoder_train.data import Prompt
from microcoder_train.reward import Grader, Pending
from microcoder_train.rollout import Engine
from microcoder_train.samples import Sample
from microcoder_train.signals import Stop
from microcoder_train.trainer import Trainer


class Instant(Grader):
    """Judgements made beforehand, by the sample's place."""

    def __init__(self, problems: list[str]) -> None:
        self.asked = self.remembered = 0
        self._group = {name: i for i, name in enumerate(problems)}
        self._made: dict[float, Future[Judgement]] = {1.0: Future(), 0.0: Future()}
        with Judge(workers=1) as judge:
            for value, future in self._made.items():
                code = {"code": f"print({value:.0f})"}
                future.set_result(judge.judge(code, [{"input": "", "output": "1\n"}]))

    def submit(self, sample: Sample, prompt: Prompt, *, shadow: bool = False) -> Pending:
        value = reward(self._group[sample.problem_id], sample.index)
        return Pending(sample, "", self._made[value], None)

    def close(self) -> None:
        """No workers."""


class Endless(Trainer):
    """Answers end at their full length only."""

    def _engine(self) -> Engine:
        self.stop_ids = frozenset()
        return super()._engine()


def words(wanted: dict[str, Any], prompts: int) -> list[str]:
    """The order as settings."""
    half = wanted["dtype"] == "bfloat16"
    return [
        f"model.path={wanted['model']}",
        f"model.autocast={'bfloat16' if half else 'none'}",
        f"data.train={wanted['problems']}",
        "data.template=completion",
        f"rollout.backend={wanted['backend']}",
        f"rollout.dtype={'bfloat16' if half else 'master'}",
        f"rollout.n={wanted['samples']}",
        f"rollout.response_length={wanted['tokens']}",
        "rollout.temperature=1.0",
        "mask.mode=none",  # every answer is cut off
        f"optim.lr={wanted['lr']}",
        f"train.train_batch_size={prompts}",
        f"train.ppo_mini_batch_size={prompts // wanted['updates']}",
        f"train.tokens_per_micro_batch={wanted['rows'] * wanted['longest']}",
        f"train.skip_zero_advantages={str(wanted['skip']).lower()}",
        "train.steps=1000000",
        "checkpoint.every=1000000",
        "log.samples=0",
    ]


def main() -> None:
    """Load, then step when told to."""
    clock, wanted = Clock(), order()
    names = [json.loads(line)["problem_id"] for line in Path(wanted["problems"]).open()]
    settings = load(None, "microcoder", words(wanted, len(names)))
    trainer = Endless(settings, Path(wanted["folder"]))
    trainer.grader.close()
    trainer.grader = Instant(names)
    tokens = len(names) * wanted["samples"] * wanted["tokens"]

    with Stop() as stop:

        def step() -> int:
            trainer._advance(stop)
            if trainer.history[-1]["response_length/mean"] != wanted["tokens"]:
                raise RuntimeError("an answer ended early")
            return tokens

        loop(clock, step)


if __name__ == "__main__":
    main()
