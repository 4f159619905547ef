"""Steps of this trainer without judging, and without EOS, so that all answers have full length."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from steps import Clock, choose_reward, read_job_file, take_steps

from microcoder_eval import Judge
from microcoder_eval.records import Judgement
from microcoder_train.config_layers import load_settings
from microcoder_train.environment.prompts import Prompt
from microcoder_train.environment.reward import PendingReward, RewardJudge, SecondJudgement
from microcoder_train.rollout import Engine
from microcoder_train.run.signals import Stop
from microcoder_train.run.trainer import Trainer
from microcoder_train.samples import Episode, Sample


class PrejudgedRewards(RewardJudge):
    """A reward judge whose judgements are made beforehand, by the sample's position."""

    def __init__(self) -> None:
        self._judgements: dict[float, Judgement] = {}
        with Judge(workers=1) as judge:
            for value in (0.0, 1.0):
                code = {"code": f"print({value:.0f})"}
                self._judgements[value] = judge.judge(code, [{"input": "", "output": "1\n"}])

    def submit(
        self, sample: Sample, prompt: Prompt, second: SecondJudgement | None = None
    ) -> PendingReward:
        return PendingReward(prompt.problem, sample, "", None, None, None, None)

    def finish(self, pending: PendingReward) -> Episode:
        value = choose_reward(pending.sample.index)
        return Episode(pending.sample, "", self._judgements[value], value)

    def close(self) -> None:
        """Do nothing: there are no workers."""


class NoStopTrainer(Trainer):
    """A trainer without stop tokens: answers end at full length only."""

    def _open_engine(self) -> Engine:
        self.stop_ids = frozenset()
        return super()._open_engine()


def make_overrides(settings: dict[str, Any], prompts: int) -> list[str]:
    """Return the settings of the job as arguments."""
    half = settings["dtype"] == "bfloat16"
    return [
        f"model.path={settings['model']}",
        f"model.autocast={'bfloat16' if half else 'none'}",
        f"data.train={settings['problems']}",
        "data.template=completion",
        f"rollout.dtype={'bfloat16' if half else 'master'}",
        f"rollout.n={settings['samples']}",
        f"rollout.response_length={settings['tokens']}",
        "rollout.temperature=1.0",
        "mask.mode=none",  # all answers are cut off
        f"optim.lr={settings['lr']}",
        f"train.train_batch_size={prompts}",
        f"train.ppo_mini_batch_size={prompts // settings['updates']}",
        f"train.tokens_per_micro_batch={settings['rows'] * settings['longest']}",
        "train.steps=1000000",
        "checkpoint.every=1000000",
        "log.samples=0",
    ]


def main() -> None:
    """Load the trainer, then take a step for each line of input."""
    clock, job = Clock(), read_job_file()
    prompts = len(Path(job["problems"]).read_text().splitlines())
    settings = load_settings(None, "microcoder", make_overrides(job, prompts))
    trainer = NoStopTrainer(settings, Path(job["folder"]))
    trainer.reward_judge.close()
    trainer.judged_engine.reward_judge = PrejudgedRewards()
    tokens = prompts * job["samples"] * job["tokens"]

    with Stop() as stop:

        def step() -> int:
            trainer._advance(stop)
            metrics = trainer.record.history[-1]
            if metrics["response_length/mean"] != job["tokens"]:
                raise RuntimeError("an answer ended early")
            if metrics["group/mixed_frac"] != 1:
                raise RuntimeError("a row has no advantage")
            return tokens

        take_steps(clock, step)


if __name__ == "__main__":
    main()
