"""Opens the engine of ``rollout.backend``."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path

import torch
from transformers import PreTrainedModel

from microcoder_train.config import Config
from microcoder_train.environment.prompts import Prompt
from microcoder_train.errors import ConfigError
from microcoder_train.learner.pretrained import load_model
from microcoder_train.parallel import world_size

from . import Engine
from .hf import HfEngine


def open_engine(
    config: Config, model: PreTrainedModel, stop_ids: frozenset[int], prompts: Sequence[Prompt],
    longest_response: int, out: Path,
) -> Engine:  # fmt: skip
    """Open the engine. Raises ConfigError.

    prompts: all that it will sample.
    longest_response: how many tokens it has.
    out: the run's folder.
    """
    rollout, path = config.rollout, config.model.path
    longest_sequence = max(len(prompt.ids) for prompt in prompts) + longest_response
    _check_positions(model, longest_sequence, longest_response)
    dtype = config.engine_dtype
    if rollout.backend == "hf":
        if world_size() > 1:  # with sharded weights every token would need all ranks
            model, _ = load_model(config.model)
        elif rollout.max_staleness:  # the trainer's own model changes while the engine samples
            model = copy.deepcopy(model).requires_grad_(False)
        max_sequences, copy_dtype = rollout.max_sequences, getattr(torch, dtype)
        return HfEngine(model, stop_ids, max_sequences=max_sequences, dtype=copy_dtype)
    if rollout.backend == "vllm":
        from .vllm import VllmEngine

        return VllmEngine(
            rollout, path, stop_ids, max_sequence_tokens=longest_sequence, dtype=dtype
        )
    if world_size() > 1:
        raise ConfigError("rollout.backend=server: torchrun's processes sample with hf or vllm")
    from .server import ServerEngine

    return ServerEngine(
        rollout, path, stop_ids, max_sequence_tokens=longest_sequence, dtype=dtype,
        folder=out / "weights",
    )  # fmt: skip


def _check_positions(model: PreTrainedModel, longest_sequence: int, longest_response: int) -> None:
    """Raise ConfigError for sequences beyond the model's positions."""
    positions = getattr(model.config, "max_position_embeddings", None)
    if positions is not None and longest_sequence > positions:
        raise ConfigError(
            f"responses of {longest_response} tokens (rollout.response_length, "
            f"eval.response_length) and prompts of up to {longest_sequence - longest_response} do "
            f"not fit into the model's {positions} positions: shorter ones, or a smaller "
            "data.max_prompt_tokens"
        )
