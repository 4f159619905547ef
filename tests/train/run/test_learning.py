"""It learns: a model of random weights, warmed up on syntax alone, taught by the real judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from microcoder_train.config import load
from microcoder_train.learner.advantages import Advantages
from microcoder_train.run.trainer import Trainer
from microcoder_train.samples import Episode

PLAIN = ("checkpoint.every=1000", "checkpoint.keep_best=false", "data.eval=")
SYNTAX_ONLY = 0.2  # the most that the warm start may give
LEARNED = 0.6
SEEDS = (0, 1, 2)


class InverseReward(Trainer):
    """Rewards what is wrong."""

    def learn(
        self, groups: Sequence[Sequence[Episode]], advantages: Advantages
    ) -> dict[str, float]:
        return super().learn(groups, replace(advantages, advantages_PG=-advantages.advantages_PG))


def rewards(out: Path, trainer: type[Trainer], *overrides: str) -> list[float]:
    run = trainer(load(None, "tiny", [*PLAIN, *overrides]), out)
    run.run()
    return [line["critic/rewards/mean"] for line in run.history]


@pytest.mark.slow
def test_two_of_three_seeds_learn(tmp_path: Path) -> None:
    successes = 0
    for seed in SEEDS:
        curve = rewards(tmp_path / str(seed), Trainer, f"train.seed={seed}")
        assert sum(curve[:5]) / 5 <= SYNTAX_ONLY
        successes += sum(curve[-25:]) / 25 > LEARNED
    assert successes >= 2


@pytest.mark.slow
def test_with_the_advantages_sign_flipped_nothing_is_learned(tmp_path: Path) -> None:
    curve = rewards(tmp_path, InverseReward, "train.steps=50", "guard.no_signal_steps=1000")
    assert sum(curve[-25:]) / 25 <= SYNTAX_ONLY


@pytest.mark.slow
def test_without_remembered_verdicts_the_run_is_the_same(tmp_path: Path) -> None:
    overrides = ("train.steps=20",)
    off = rewards(tmp_path / "off", Trainer, *overrides, "reward.cache=false")
    assert off == rewards(tmp_path / "on", Trainer, *overrides)
