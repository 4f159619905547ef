"""It learns: a model of random weights, warmed up on syntax alone, taught by the real judge."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from microcoder_train.config_layers import load_settings
from microcoder_train.learner.advantages import Advantages
from microcoder_train.run.tiny import write_tiny
from microcoder_train.run.trainer import Trainer
from microcoder_train.samples import Episode
from tests.files import make_once

PLAIN = ("checkpoint.every=1000", "checkpoint.keep_best=false", "data.eval=")
SYNTAX_ONLY = 0.2  # the most that the warm start may give
LEARNED = 0.6
History = Callable[..., list[dict[str, float]]]


class InverseReward(Trainer):
    """Rewards what is wrong."""

    def learn(
        self, groups: Sequence[Sequence[Episode]], advantages: Advantages
    ) -> dict[str, float]:
        return super().learn(groups, replace(advantages, advantages_PG=-advantages.advantages_PG))


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    """history(out, trainer, *overrides): what a run of preset tiny in that folder writes down."""
    seed = load_settings(None, "tiny", PLAIN).config.train.seed
    warm = make_once(tmp_path_factory, "warm", lambda folder: write_tiny(folder, seed))

    def train(out: Path, trainer: type[Trainer], *overrides: str) -> list[dict[str, float]]:
        shutil.copytree(warm, out / "tiny")
        run = trainer(load_settings(None, "tiny", [*PLAIN, *overrides]), out)
        run.run()
        return run.record.history

    return train


def mean(lines: Sequence[Mapping[str, float]], name: str = "critic/rewards/mean") -> float:
    return sum(line[name] for line in lines) / len(lines)


@pytest.mark.slow
def test_it_learns_and_shows_what_the_paper_is_about(history: History, tmp_path: Path) -> None:
    """Diversity falls, answers are cut off and some of them masked, until they end in time. Without
    remembered verdicts the run is the same."""
    lines = history(tmp_path / "on", Trainer, "train.steps=50")
    others = history(tmp_path / "off", Trainer, "train.steps=5", "reward.reuse=false")
    assert [mean([line]) for line in lines[:5]] == [mean([line]) for line in others]
    first, last = lines[:5], lines[-10:]
    assert mean(first) <= SYNTAX_ONLY
    assert mean(last) > LEARNED
    assert all(10 <= line["response_length/mean"] <= 40 for line in lines)
    assert mean(first, "mask/truncated_frac") > 0.05
    assert sum(line["mask/applied_frac"] for line in lines) > 0
    assert mean(first, "diversity/d4") > 0.95
    assert mean(last, "diversity/d4") < 0.93


@pytest.mark.slow
def test_a_higher_temperature_is_more_diverse(history: History, tmp_path: Path) -> None:
    low, high = (
        history(tmp_path / T, Trainer, f"rollout.temperature={T}", "train.steps=1")[0]
        for T in ("0.5", "1.5")
    )
    assert low["diversity/d4"] < high["diversity/d4"]


@pytest.mark.slow
def test_with_the_advantages_sign_flipped_nothing_is_learned(
    history: History, tmp_path: Path
) -> None:
    lines = history(tmp_path, InverseReward, "train.steps=20", "guard.no_signal_steps=1000")
    assert mean(lines[-10:]) <= SYNTAX_ONLY
