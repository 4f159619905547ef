"""A step's answers sampled while the step before is learned: whose weights they are of, and that
the correction sees it."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_train.errors import ConfigError
from microcoder_train.run.log import read_metrics
from microcoder_train.run.trainer import Trainer
from tests.train.digits import Make

STEPS = 4
WORDS = (
    f"train.steps={STEPS}", "rollout.max_staleness=1", "loss.correction=token_truncate",
    "eval.every=2", "eval.n=1", "optim.lr=1e-3", "guard.no_signal_steps=99",
    "train.skip_zero_advantages=false", "guard.honeypots=0.25",
)  # fmt: skip


def test_answers_are_one_update_older_and_the_correction_sees_it(
    settings: Make, tmp_path: Path
) -> None:
    ahead, on_policy = tmp_path / "ahead", tmp_path / "on_policy"
    Trainer(settings(*WORDS), ahead).run()
    Trainer(settings(*WORDS, "rollout.max_staleness=0"), on_policy).run()
    stale, fresh = read_metrics(ahead)[1:], read_metrics(on_policy)[1:]
    assert [line["rollout/staleness"] for line in stale] == [0, 1, 1, 1]
    assert [line["rollout/staleness"] for line in fresh] == [0, 0, 0, 0]
    first = fresh[0]["actor/pg_loss"]  # nothing is older yet
    assert stale[0]["actor/pg_loss"] == pytest.approx(first, rel=1e-3)
    assert all(line["rollout/logp_diff_max"] < 1e-5 for line in (*fresh, stale[0]))
    assert all(line["rollout/logp_diff_max"] > 1e-4 for line in stale[1:])
    assert stale[1]["eval/accuracy"] >= 0  # sampled from the weights of its step, in between
    assert (ahead / "checkpoints" / f"step_{STEPS:06d}").is_dir()


def test_a_resumed_run_begins_with_answers_of_its_own_weights(
    settings: Make, tmp_path: Path
) -> None:
    Trainer(settings(*WORDS, "train.steps=2"), tmp_path).run()
    Trainer(settings(*WORDS), tmp_path).run()
    stale = [line["rollout/staleness"] for line in read_metrics(tmp_path)[1:]]
    assert stale == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["rollout.backend=vllm"], "sleeps while the model learns"),
        (["loss.correction=off"], r"needs loss\.correction"),
    ],
)
def test_what_staleness_does_not_fit_is_said(settings: Make, words: list[str], reason: str) -> None:
    with pytest.raises(ConfigError, match=rf"rollout\.max_staleness=1 .*{reason}"):
        settings(*WORDS, *words)
