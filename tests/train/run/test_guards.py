"""What must not go wrong in silence: two runs in a folder, another temperature, damaged weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from microcoder_train.errors import ConfigError, NoSignalError, ResumeError, TrainError
from microcoder_train.learner.advantages import Advantages
from microcoder_train.learner.pretrained import load_model
from microcoder_train.learner.threads import set_threads
from microcoder_train.run import checkpoint
from microcoder_train.run.alarms import find_alarms, find_mismatch_alarms
from microcoder_train.run.lock import RunLock
from microcoder_train.run.log import read_metrics
from microcoder_train.run.settings import resolve_temperature
from microcoder_train.run.trainer import Trainer
from microcoder_train.samples import Episode
from tests.files import read_jsonl, write_jsonl
from tests.train.digits import Make

SMALL = (
    "train.steps=2",
    "train.train_batch_size=4",
    "train.ppo_mini_batch_size=4",
    "rollout.n=4",
    "checkpoint.every=1",
    "data.eval=",
)


def list_saved_steps(out: Path) -> list[int]:
    return [saved.step for saved in checkpoint.list_checkpoints(out / "checkpoints")]


def damage(trainer: Trainer) -> None:
    with torch.no_grad():
        trainer.policy.parameters[0].view(-1)[0] = float("nan")


def test_a_folder_takes_one_run_at_a_time(settings: Make, tmp_path: Path) -> None:
    first = RunLock(tmp_path)
    with pytest.raises(TrainError, match=rf"^{tmp_path} is in use by process \d+ on "):
        Trainer(settings(*SMALL), tmp_path)
    assert not (tmp_path / "metrics.jsonl").exists()
    first.release()
    Trainer(settings(*SMALL), tmp_path).run()
    Trainer(settings(*SMALL), tmp_path).close()  # the run has let go of it


@pytest.mark.parametrize("content", [None, '{"temperature": null}', '{"temper', "{}", "[1]"])
def test_probe_without_a_result_never_means_a_temperature(
    settings: Make, tmp_path: Path, content: str | None
) -> None:
    if content is not None:
        (tmp_path / "probe.json").write_text(content)
    with pytest.raises(ConfigError, match=r"or set rollout\.temperature to a number"):
        Trainer(settings(*SMALL, "rollout.temperature=probe"), tmp_path)


def test_a_run_goes_on_at_the_temperature_that_it_began_with(
    settings: Make, tmp_path: Path
) -> None:
    probed = settings(*SMALL, "rollout.temperature=probe")
    (tmp_path / "probe.json").write_text('{"temperature": 0.8}')
    assert resolve_temperature(probed.config, tmp_path).rollout.temperature == 0.8
    Trainer(probed, tmp_path).run()
    (tmp_path / "probe.json").write_text('{"temperature": 1.4}')
    with pytest.raises(ResumeError, match=r"rollout\.temperature was 0\.8, is 1\.4"):
        Trainer(settings(*SMALL, "rollout.temperature=probe", "train.steps=3"), tmp_path)


def test_weights_that_are_not_finite_end_the_run_and_are_not_saved(
    settings: Make, tmp_path: Path
) -> None:
    trainer = Trainer(settings(*SMALL), tmp_path)
    learn = trainer.learn

    def learn_and_break(groups: Any, advantages: Any) -> dict[str, float]:
        metrics = learn(groups, advantages)
        if trainer.step == 1:
            damage(trainer)
        return metrics

    trainer.learn = learn_and_break  # type: ignore[method-assign]
    with pytest.raises(TrainError, match=r"update of step 2: weight .* is not finite; .*1 is"):
        trainer.run()
    assert list_saved_steps(tmp_path) == [1]
    assert [line["step"] for line in read_metrics(tmp_path)] == [1]


def test_a_model_with_damaged_weights_is_refused(
    settings: Make, tiny: Path, tmp_path: Path
) -> None:
    model, tokenizer = load_model(settings(*SMALL).config.model)
    with torch.no_grad():
        next(model.parameters()).view(-1)[0] = float("inf")
    for part in (model, tokenizer):
        part.save_pretrained(tmp_path / "model")
    with pytest.raises(TrainError, match=r"the model that was loaded: weight .* is not finite"):
        Trainer(settings(*SMALL, f"model.path={tmp_path / 'model'}"), tmp_path / "run")


def test_logits_that_are_not_finite_are_no_responses(settings: Make, tmp_path: Path) -> None:
    trainer = Trainer(settings(*SMALL), tmp_path)
    damage(trainer)
    with pytest.raises(TrainError, match="logits are not finite"):
        trainer.run()
    assert list_saved_steps(tmp_path) == []


@pytest.mark.parametrize(
    ("setting", "gap", "ratio", "alarm"),
    [
        ("guard.logp_diff=.2", 0.3, 1.0, "guard.logp_diff=0.2"),
        ("guard.logp_diff=.4", 0.3, 1.0, None),
        ("guard.is_ratio=1.2", 0.0, 0.8, "guard.is_ratio=1.2"),
        ("guard.is_ratio=1.3", 0.0, 0.8, None),
        ("guard.is_ratio=1.3", 0.0, 0.0, None),  # no token was forwarded
    ],
)
def test_an_engine_that_differs_from_the_trainer_is_an_alarm(
    settings: Make, setting: str, gap: float, ratio: float, alarm: str | None
) -> None:
    metrics = {
        "rollout/logp_diff_mean": gap,
        "rollout/logp_diff_max": gap,
        "rollout/is_ratio_mean": ratio,
    }
    messages = find_mismatch_alarms(metrics, settings(setting).config.guard)
    assert len(messages) == (alarm is not None)
    assert alarm is None or alarm in next(iter(messages.values()))


def test_an_update_without_a_finite_gradient_is_an_alarm(settings: Make) -> None:
    groups: Any = [[SimpleNamespace(sample=SimpleNamespace(truncated=False))]]
    names = (
        "step",
        "actor/skipped",
        "diversity/d4",
        "critic/rewards/mean",
        "rollout/is_ratio_mean",
        "actor/pg_loss",
        "actor/clipfrac_low",
    )
    line = {**dict.fromkeys(names, 1.0), "diversity/uninformative": 0.0}
    line |= {"rollout/logp_diff_mean": 0.0, "rollout/logp_diff_max": 0.0}
    alarms = find_alarms([line], groups, frozenset(), settings().config.guard)
    assert alarms.keys() == {"skipped"}
    assert alarms["skipped"].endswith("and was skipped; the mean loss of the step is 1")
    line |= {"actor/skipped": 0.0, "actor/pg_loss": float("nan")}
    assert find_alarms([line], groups, frozenset(), settings().config.guard).keys() == {"loss"}
    line |= {"actor/clipfrac_low": float("nan"), "actor/pg_loss": 0.0}
    alarms = find_alarms([line], groups, frozenset(), settings().config.guard)
    assert alarms.keys() == {"ratio of the loss"}


def test_an_alarm_that_lasts_is_told_once(
    settings: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every answer is cut off at every step: one line, not one a step."""
    Trainer(settings(*SMALL, "train.steps=3", "rollout.response_length=1"), tmp_path).run()
    messages = capsys.readouterr().err
    assert "ALARM step 1: no response ended by itself in 1 tokens" in messages
    assert messages.count("no response ended by itself in 1 tokens") == 1


@pytest.mark.parametrize("at_start", [True, False])
def test_the_untrained_model_is_evaluated_and_the_last_checkpoints_stay_as_the_settings_say(
    settings: Make, tiny: Path, tmp_path: Path, at_start: bool
) -> None:
    options = (f"data.eval={tiny / 'eval.jsonl'}", f"eval.at_start={str(at_start).lower()}")
    keep = ("checkpoint.keep_last=1", "checkpoint.keep_best=false", "eval.every=100", "eval.n=1")
    Trainer(settings(*SMALL, *options, *keep), tmp_path).run()
    steps = [line["step"] for line in read_metrics(tmp_path)]
    assert steps == ([0, 1, 2] if at_start else [1, 2])
    assert list_saved_steps(tmp_path) == [2]


def test_any_error_saves_the_last_recorded_step(settings: Make, tmp_path: Path) -> None:
    trainer = Trainer(settings(*SMALL, "checkpoint.every=100"), tmp_path)
    sample = trainer.sample

    def fail_in_the_second_step(stop: Any) -> Any:
        if trainer.step == 1:
            raise RuntimeError("planted")
        return sample(stop)

    trainer.sample = fail_in_the_second_step  # type: ignore[method-assign]
    with pytest.raises(RuntimeError, match="planted"):
        trainer.run()
    assert list_saved_steps(tmp_path) == [1]


def test_an_error_between_steps_saves_nothing(settings: Make, tmp_path: Path) -> None:
    trainer = Trainer(settings(*SMALL, "checkpoint.every=100"), tmp_path)

    def fail(groups: Any, advantages: Any) -> dict[str, float]:
        raise RuntimeError("planted")

    trainer.learn = fail  # type: ignore[method-assign]
    with pytest.raises(RuntimeError, match="planted"):
        trainer.run()
    assert list_saved_steps(tmp_path) == []


def test_every_end_token_of_the_generation_config_ends_a_response(
    settings: Make, tmp_path: Path
) -> None:
    model, tokenizer = load_model(settings(*SMALL).config.model)
    model.generation_config.eos_token_id = [1, 5]
    for part in (model, tokenizer):
        part.save_pretrained(tmp_path / "model")
    trainer = Trainer(settings(*SMALL, f"model.path={tmp_path / 'model'}"), tmp_path / "run")
    trainer.close()
    trainer.reward_judge.close()
    assert {1, 5} <= trainer.stop_ids


def test_threads_are_measured_said_and_left_to_those_who_chose_them(
    settings: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, _ = load_model(settings(*SMALL).config.model)
    before = torch.get_num_threads()
    try:
        monkeypatch.setenv("OMP_NUM_THREADS", "1")
        assert set_threads(model, None) is None
        monkeypatch.delenv("OMP_NUM_THREADS")
        note = set_threads(model, None)
        assert note is not None
        assert note.startswith(f"torch computes with {torch.get_num_threads()} of ")
        assert set_threads(model, 2) == "torch's threads: 2 (train.threads, or the checkpoint's)"
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_groups_that_are_all_equal_end_the_run_with_what_to_change(
    settings: Make, tiny: Path, tmp_path: Path
) -> None:
    problems = read_jsonl(tiny / "train.jsonl")
    for problem in problems:
        problem["tests"][0]["output"] = "never"
    options = settings(
        f"data.train={write_jsonl(tmp_path / 'impossible.jsonl', *problems)}",
        "data.eval=",
        "guard.no_signal_steps=2",
        "train.train_batch_size=4",
        "train.ppo_mini_batch_size=4",
    )
    trainer = Trainer(options, tmp_path / "run")
    with pytest.raises(NoSignalError) as error:
        trainer.run()
    assert str(error.value) == (
        "no learning signal for 2 steps: in every group all rewards are equal (100% of groups all "
        "wrong, 0% all right or not judged). All wrong: easier problems, a longer "
        "rollout.response_length, another data.template, and a lower optim.lr if there was reward "
        "before; all right: harder problems; either: a higher rollout.temperature, a larger "
        "rollout.n"
    )
    assert (tmp_path / "run/checkpoints/step_000002/hf").is_dir()


class Broken(Trainer):
    """Every weight of the last layer turns into NaN before the second step."""

    def learn(
        self, groups: Sequence[Sequence[Episode]], advantages: Advantages
    ) -> dict[str, float]:
        if self.step == 1:
            with torch.no_grad():
                self.policy.parameters[-1].fill_(float("nan"))
        return super().learn(groups, advantages)


def test_gradients_that_stay_non_finite_end_the_run_by_name(settings: Make, tmp_path: Path) -> None:
    options = settings("guard.max_skipped=2", "data.eval=")
    with pytest.raises(TrainError) as error:
        Broken(options, tmp_path).run()
    text = str(error.value)
    assert text.startswith("step 2: 2 updates in a row had no finite gradient; first non-finite ")
    assert "tensor: weight model.norm.weight" in text
    assert (tmp_path / "non_finite_000002.json").exists()


def steepen(
    logp: torch.Tensor, old_logp: torch.Tensor, advantages: torch.Tensor, *_: object
) -> tuple[torch.Tensor, torch.Tensor]:
    """A finite loss whose gradient is infinite at the old policy, but in the trial."""
    ratio = (logp - old_logp).exp()
    root = (ratio - float(logp.shape[1] not in (32, 20))).abs().sqrt()
    return -ratio * advantages[:, None] + 0 * root, ratio


def test_a_loss_without_a_finite_gradient_ends_the_run_by_name(
    settings: Make, tmp_path: Path
) -> None:
    name = f"{__name__}:steepen"
    options = settings("guard.max_skipped=1", "data.eval=", f"loss.function={name}")
    with pytest.raises(TrainError, match=rf"{name}: its gradient by logp is not finite\. .*: mend"):
        Trainer(options, tmp_path).run()
