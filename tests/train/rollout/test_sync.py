"""The check after a push of weights: engines in step pass, stale and half-updated ones do not."""

from __future__ import annotations

import copy
import sys
from pathlib import Path

import pytest
import torch
from transformers import PreTrainedModel

from microcoder_eval.records import Kind, Problem
from microcoder_train.environment.prompts import Prompt
from microcoder_train.errors import ConfigError, SyncError
from microcoder_train.rollout.factory import open_engine
from microcoder_train.rollout.hf import HfEngine
from microcoder_train.rollout.sync import (
    ROLLED_FACTOR,
    TOLERANCES,
    compute_tolerance,
    iterate_weights,
    roll_weights,
    verify_sync,
)
from microcoder_train.rollout.vllm import SPLITTING_OPTIONS
from tests.train.digits import Make
from tests.train.rollout.pushed import disturb, scorer

PROMPT = Prompt(Problem("p", Kind.STDIN), "", (1,))

LONGEST = 200


@pytest.fixture
def engine(model: PreTrainedModel) -> HfEngine:
    """With weights of its own, as vLLM's are."""
    return HfEngine(copy.deepcopy(model), frozenset({1}))


def test_an_engine_in_step_passes(model: PreTrainedModel, engine: HfEngine) -> None:
    disturb(model)
    engine.sync(scorer(model), 1)
    metrics = verify_sync(engine.generate, scorer(model), TOLERANCES["float32"], LONGEST)
    assert metrics["sync/check_maxdiff"] < 1e-4
    assert metrics["sync/check_meandiff"] <= metrics["sync/check_maxdiff"]


@pytest.mark.parametrize("part", ["", "embed_tokens", "layers.1.mlp"])
def test_stale_weights_stop_the_run(model: PreTrainedModel, engine: HfEngine, part: str) -> None:
    disturb(model, part)
    with pytest.raises(SyncError, match=r"not the trainer's.*rollout\.sync_tolerance"):
        verify_sync(engine.generate, scorer(model), TOLERANCES["float32"], LONGEST)


def test_weights_that_are_no_numbers_stop_the_run(model: PreTrainedModel, engine: HfEngine) -> None:
    with torch.no_grad():
        model.model.norm.weight.fill_(torch.nan)
    with pytest.raises(SyncError):
        verify_sync(engine.generate, scorer(model), TOLERANCES["float32"], LONGEST)


@pytest.mark.parametrize("max_sequence_tokens", [2, 7, 17])
def test_short_sequences_can_be_checked_too(
    model: PreTrainedModel, engine: HfEngine, max_sequence_tokens: int
) -> None:
    assert (
        verify_sync(engine.generate, scorer(model), TOLERANCES["float32"], max_sequence_tokens)[
            "sync/check_maxdiff"
        ]
        < 1e-4
    )


def test_the_parity_check_shows_what_a_small_step_hides(
    model: PreTrainedModel, engine: HfEngine
) -> None:
    before = {name: weight.clone() for name, weight in model.named_parameters()}
    verify_sync(
        engine.generate, scorer(model), TOLERANCES["float32"], LONGEST
    )  # nothing changed, so nothing shows
    tolerance = ROLLED_FACTOR * TOLERANCES["float32"]
    for part in ("q_proj", "down_proj", "embed_tokens"):
        with roll_weights(model):
            engine.sync(scorer(model), 0)
            verify_sync(engine.generate, scorer(model), tolerance, LONGEST)
            for name, weight in engine._model.named_parameters():
                if part in name:
                    weight.data.copy_(before[name])
            with pytest.raises(SyncError):
                verify_sync(engine.generate, scorer(model), tolerance, LONGEST)
    assert all(torch.equal(before[name], weight) for name, weight in model.named_parameters())


def test_a_tied_head_is_pushed_once(model: PreTrainedModel) -> None:
    weights = dict(iterate_weights(model, torch.bfloat16))
    assert "model.embed_tokens.weight" in weights
    assert "lm_head.weight" not in weights
    assert {weight.dtype for weight in weights.values()} == {torch.bfloat16}


@pytest.mark.parametrize("name", ["logprobs_mode", "generation_config", "model", "dtype"])
def test_what_training_depends_on_cannot_be_passed_on(
    model: PreTrainedModel, settings: Make, tmp_path: Path, name: str
) -> None:
    config = settings("rollout.backend=vllm", f"rollout.engine.{name}=auto").config
    with pytest.raises(ConfigError, match=f"rollout.engine.{name} cannot be set"):
        open_engine(config, model, frozenset({1}), [PROMPT], 63, tmp_path)


@pytest.mark.parametrize("name", SPLITTING_OPTIONS)
def test_an_engine_over_several_gpus_is_refused_by_name(
    model: PreTrainedModel, settings: Make, tmp_path: Path, name: str
) -> None:
    config = settings("rollout.backend=vllm", f"rollout.engine.{name}=2").config
    option = "--" + name.replace("_", "-")
    with pytest.raises(ConfigError, match=rf"{name}=2: .*one GPU.*backend=server.*{option}"):
        open_engine(config, model, frozenset({1}), [PROMPT], 63, tmp_path)


@pytest.mark.parametrize(
    ("layers", "dtypes", "allowed"),
    [
        (2, ("float32", "float32"), 1e-3),
        (30, ("float32", "bfloat16"), 1.0),
        (30, ("bfloat16", "float32"), 1.0),
        (36, ("bfloat16", "bfloat16"), 1.095),
        (120, ("float32", "float32"), 2e-3),
    ],
)
def test_the_tolerance_is_that_of_the_coarser_dtype_and_of_the_layers(
    model: PreTrainedModel, layers: int, dtypes: tuple[str, str], allowed: float
) -> None:
    model.config.num_hidden_layers = layers
    computing = scorer(model.to(getattr(torch, dtypes[0])))
    assert compute_tolerance(computing, dtypes[1]) == pytest.approx(allowed, rel=1e-3)


def test_a_missing_vllm_is_named(
    model: PreTrainedModel, settings: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    config = settings("rollout.backend=vllm").config
    with pytest.raises(ConfigError, match=r"vLLM cannot be imported: .*vllm.*docs/engines\.md"):
        open_engine(config, model, frozenset({1}), [PROMPT], 63, tmp_path)
