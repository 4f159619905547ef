"""The engine that the settings ask for."""

from __future__ import annotations

from pathlib import Path

import torch
from transformers import PreTrainedModel

from microcoder_train.config import Config
from microcoder_train.errors import ConfigError
from microcoder_train.parallel import world_size
from microcoder_train.policy import load_model
from microcoder_train.rollout import Engine
from microcoder_train.rollout.hf import HfEngine


def open_engine(
    config: Config, model: PreTrainedModel, stop_ids: frozenset[int], longest: int, out: Path
) -> Engine:
    """longest: tokens of the longest prompt and answer together. out: the run's folder.

    Raises ConfigError.
    """
    rollout, path = config.rollout, config.model.path
    half = rollout.dtype == "bfloat16"
    if rollout.backend == "hf":
        if world_size() > 1:  # with sharded weights, each token would need all processes
            model, _ = load_model(config.model)
        own = torch.bfloat16 if half else None
        return HfEngine(model, stop_ids, max_sequences=rollout.max_sequences, dtype=own)
    if world_size() > 1:
        raise ConfigError(f"rollout.backend={rollout.backend}: under torchrun there is only hf")
    dtype = "bfloat16" if half else config.model.master_dtype
    if rollout.backend == "vllm":
        from microcoder_train.rollout.vllm import VllmEngine

        return VllmEngine(rollout, path, stop_ids, longest=longest, dtype=dtype)
    from microcoder_train.rollout.server import ServerEngine

    folder = out / "weights"
    return ServerEngine(rollout, path, stop_ids, longest=longest, dtype=dtype, folder=folder)
