"""Low-rank adapters: the base never moves, saved and pushed weights are merged, resume is exact."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from microcoder_train.config_layers import Settings
from microcoder_train.errors import ConfigError
from microcoder_train.learner import lora
from microcoder_train.learner.pretrained import load_model
from microcoder_train.rollout.sync import iterate_weights
from microcoder_train.run.log import read_metrics
from microcoder_train.run.sampling import open_sampling
from microcoder_train.run.trainer import Trainer
from tests.train.digits import Make

pytest.importorskip("peft")
LORA = (
    "model.lora_rank=4", "optim.lr=1e-2", "data.eval=", "checkpoint.every=1",
    "guard.no_signal_steps=99",
)  # fmt: skip
IDS = torch.tensor([[12, 9, 22, 5]])


def run_training(settings: Settings, out: Path) -> Trainer:
    trainer = Trainer(settings, out)
    trainer.run()
    return trainer


# peft reads an attribute that transformers renamed.
@pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing.:FutureWarning")
def test_only_adapters_are_trained_and_the_checkpoint_has_them_merged_and_apart(
    settings: Make, tmp_path: Path, tiny: Path
) -> None:
    trainer = run_training(settings(*LORA, "train.steps=2"), tmp_path)
    base = AutoModelForCausalLM.from_pretrained(tiny / "model")
    trained = dict(trainer.policy.model.named_parameters())
    for name, weight in base.named_parameters():
        frozen = trained.get(name, trained.get(name.replace(".weight", ".base_layer.weight")))
        assert torch.equal(weight, frozen)
    saved = tmp_path / "checkpoints" / "step_000002"
    with torch.no_grad():
        logits = trainer.policy.model.eval()(IDS).logits
        merged = AutoModelForCausalLM.from_pretrained(saved / "hf")(IDS).logits
        assert not torch.allclose(base(IDS).logits, logits, atol=1e-3)
        torch.testing.assert_close(merged, logits, rtol=0, atol=1e-5)
        from peft import PeftModel

        apart = PeftModel.from_pretrained(base, str(saved / "adapter")).eval()(IDS).logits
    torch.testing.assert_close(apart, logits, rtol=0, atol=1e-5)


def test_engines_are_pushed_whole_weights_under_their_plain_names(
    settings: Make, tmp_path: Path, tiny: Path
) -> None:
    model = run_training(settings(*LORA, "train.steps=1"), tmp_path).policy.model
    pushed = dict(iterate_weights(model, torch.float32))
    plain = AutoModelForCausalLM.from_pretrained(tiny / "model")
    assert pushed.keys() == dict(plain.named_parameters()).keys()
    plain.load_state_dict(pushed, strict=False)
    with torch.no_grad():
        torch.testing.assert_close(plain(IDS).logits, model.eval()(IDS).logits, rtol=0, atol=1e-5)


def test_a_resumed_run_equals_an_uninterrupted_one(settings: Make, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run_training(settings(*LORA, "train.steps=3"), whole)
    run_training(settings(*LORA, "train.steps=1"), parts)
    run_training(settings(*LORA, "train.steps=3"), parts)
    for name in ("actor/pg_loss", "critic/rewards/mean", "actor/grad_norm"):
        curves = [[line[name] for line in read_metrics(out)] for out in (whole, parts)]
        assert curves[0] == curves[1]


def test_a_rank_that_no_layer_has_is_refused(settings: Make) -> None:
    with pytest.raises(ConfigError, match=r"model\.lora_rank=65: no layer of this model has more"):
        load_model(settings("model.lora_rank=65").config.model)


def test_without_peft_the_extra_is_named(settings: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "peft", None)
    with pytest.raises(ConfigError, match=r"model.lora_rank needs peft: pip install '\.\[lora\]'"):
        load_model(settings(*LORA).config.model)
    assert lora.merge_weight(torch.nn.Linear(1, 1), "a.lora_A.default.weight", IDS) is None


def test_an_evaluation_needs_no_adapter(
    settings: Make, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The merged weights of a checkpoint, with the settings of their run."""
    monkeypatch.setitem(__import__("sys").modules, "peft", None)
    config = settings(*LORA, f"data.eval={tiny / 'eval.jsonl'}").config
    with open_sampling(config, "eval", 4, tmp_path) as (_engine, prompts):
        assert prompts.prompts
