"""Groups without signal are drawn again from other prompts, a bounded number of times."""

from __future__ import annotations

from pathlib import Path

from microcoder_train.config_layers import Settings
from microcoder_train.run.log import read_lines, read_metrics
from microcoder_train.run.trainer import Trainer
from tests.train.digits import Make

STEPS = ("train.steps=2", "train.train_batch_size=8", "data.eval=", "guard.no_signal_steps=99")


def run_training(settings: Settings, out: Path) -> tuple[list[dict[str, float]], list[set[str]]]:
    """The metrics of each step, and its problems."""
    Trainer(settings, out).run()
    return read_metrics(out), [set(line["passed"]) for line in read_lines(out / "problems.jsonl")]


def test_groups_without_signal_are_replaced_by_those_of_other_prompts(
    settings: Make, tmp_path: Path
) -> None:
    plain, names = run_training(settings(*STEPS), tmp_path / "plain")
    lines, other_names = run_training(settings(*STEPS, "rollout.resample=3"), tmp_path / "again")
    assert plain[0]["group/mixed_frac"] < 1
    assert lines[0]["group/mixed_frac"] > plain[0]["group/mixed_frac"]
    mixed = plain[0]["group/mixed_frac"] + lines[0]["group/replaced"] / 8
    assert lines[0]["group/mixed_frac"] == mixed
    assert len(other_names[0]) == 8  # no problem twice
    assert len(other_names[0] - names[0]) == lines[0]["group/replaced"]


def test_the_number_of_rounds_is_bounded(settings: Make, tmp_path: Path) -> None:
    # At temperature 0.01 the samples of a group are equal: no redrawing helps.
    lines, _ = run_training(
        settings(*STEPS, "rollout.resample=2", "rollout.temperature=0.01"), tmp_path
    )
    assert [line["group/redrawn"] for line in lines] == [16.0, 16.0]
    assert [line["group/replaced"] for line in lines] == [0.0, 0.0]
