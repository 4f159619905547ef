"""The engine that the settings ask for."""

from __future__ import annotations

import torch
from transformers import PreTrainedModel

from microcoder_train.config import Config
from microcoder_train.rollout import Engine
from microcoder_train.rollout.hf import HfEngine


def open_engine(
    config: Config, model: PreTrainedModel, stop_ids: frozenset[int], longest: int
) -> Engine:
    """longest: tokens of the longest prompt and answer together. Raises ConfigError."""
    rollout = config.rollout
    if rollout.backend == "vllm":
        from microcoder_train.rollout.vllm import VllmEngine

        dtype = "bfloat16" if rollout.dtype == "bfloat16" else config.model.master_dtype
        return VllmEngine(
            config.model.path,
            stop_ids,
            longest=longest,
            dtype=dtype,
            max_sequences=rollout.max_sequences,
            tolerance=rollout.sync_tolerance,
            options=rollout.engine,
        )
    own = torch.bfloat16 if rollout.dtype == "bfloat16" else None
    return HfEngine(model, stop_ids, max_sequences=rollout.max_sequences, dtype=own)
