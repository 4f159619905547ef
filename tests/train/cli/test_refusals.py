"""Losses and models that cannot work are refused before anything is sampled."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer

from tests.files import read_jsonl


def scalar_loss(logp: torch.Tensor, *_: object) -> tuple[torch.Tensor, torch.Tensor]:
    """A loss that takes the mean itself."""
    return logp.mean(), logp.exp()


def undefined_loss(logp: torch.Tensor, *_: object) -> tuple[torch.Tensor, torch.Tensor]:
    """A loss of numbers without a logarithm."""
    return logp.log(), logp.exp()


def unary(logp: torch.Tensor) -> torch.Tensor:
    return logp


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["loss.function=tests.train.cli.test_refusals:scalar_loss"],
            r"must return \(loss, ratio\) of each token: .* not \(\[\], \[2, 32\]\)",
        ),
        (
            ["loss.function=tests.train.cli.test_refusals:unary"],
            r"unary: called with .*, it fails on 2 rows of 32 tokens: TypeError: unary\(\) takes",
        ),
        (
            ["loss.function=tests.train.cli.test_refusals:undefined_loss"],
            r"its loss is not finite where logp equals old_logp",
        ),
        (
            ["model.lora_alpha=64"],
            "model.lora_alpha=64 needs model.lora_rank",
        ),
        (
            ["model.attention=flash_attention_2"],
            r"model.attention=flash_attention_2, model.path=.*",
        ),
        (
            ["rollout.response_length=1000"],
            r"responses of 1000 tokens .* the model's 256 positions",
        ),
    ],
)
def test_what_cannot_work_ends_with_a_sentence_before_anything_is_sampled(
    start: Callable[..., tuple[int, str]], words: list[str], message: str
) -> None:
    code, error = start(*words)
    assert code == 2
    assert re.search(rf"^microcoder-train: .*{message}", error, re.MULTILINE)
    assert "Traceback" not in error
    assert not Path("run/metrics.jsonl").exists()


def test_a_step_whose_update_fails_leaves_its_samples(
    start: Callable[..., tuple[int, str]],
) -> None:
    code, error = start("loss.function=tests.train.learner.test_loss:with_broken_backward")
    assert code == 2
    assert re.search(r"backward: it fails in the backward pass: .*\(test_loss.py:\d+\)", error)
    assert read_jsonl(Path("run/samples/step_000001.jsonl"))
    assert not Path("run/problems.jsonl").exists()


def test_a_model_with_torn_weights_or_without_a_tokenizer_is_refused(
    start: Callable[..., tuple[int, str]], tiny: Path
) -> None:
    model = shutil.copytree(tiny / "model", Path("model"))
    weights = model / "model.safetensors"

    def assert_refused(reason: str) -> None:
        code, error = start("model.path=model")
        assert (code, f"model.path=model: {reason}" in error) == (2, True), error

    weights.write_bytes(weights.read_bytes()[:1000])
    assert_refused("cannot be loaded: Error while ")
    (model / "tokenizer.json").unlink()
    assert_refused("cannot be loaded: Couldn't instantiate the backend tokenizer from one of: (1) ")
    shutil.copy(tiny / "model" / weights.name, weights)
    for name in ("Qwen2Tokenizer", "GemmaTokenizer"):  # no token at all; an unknown one
        (model / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": name}))
        assert_refused("it has no tokenizer (")


def test_a_model_that_is_neither_here_nor_on_the_hub_is_told_in_one_line(
    start: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address of a hub that nobody answers at."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)  # between the hub's ten attempts
    code, error = start("model.path=own/model")
    first, second = error.splitlines()
    assert (code, first) == (2, "microcoder-train: loading the model")
    assert "model.path=own/model: cannot be loaded: no such folder here, and on the " in second


def test_a_tokenizer_of_another_model_is_refused(
    start: Callable[..., tuple[int, str]], tiny: Path
) -> None:
    model = shutil.copytree(tiny / "model", Path("model"))
    tokenizer = AutoTokenizer.from_pretrained(model)
    tokenizer.add_tokens([f"<{i}>" for i in range(30)])
    tokenizer.save_pretrained(model)
    code, error = start("model.path=model")
    assert (code, "they are of different models" in error) == (2, True)
