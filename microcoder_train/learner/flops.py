"""Counts the operations of a model, and measures the peak of the device.

The peak is not looked up by the device's name. It is the speed of a large matrix product on this
device, in the dtype of the arithmetic, which is lower than in the data sheet.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache

import torch
from transformers import PreTrainedModel

BACKWARD = 2  # times a forward pass; recomputed layers are not counted again, as is usual
_SIZES = {"cuda": 8192, "cpu": 1024}  # of the matrices


def count_forward_flops(model: PreTrainedModel, lengths: Sequence[int]) -> float:
    """Return the operations of a causal forward pass over sequences.

    Each weight takes two operations per token; attention takes two products of the queries with
    half of the keys.
    """
    config = model.config
    embedding = 0 if config.tie_word_embeddings else config.vocab_size * config.hidden_size
    weights = sum(p.numel() for p in model.parameters() if p.dim() > 1) - embedding
    head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    attention = 2 * config.num_hidden_layers * config.num_attention_heads * head
    return 2.0 * weights * sum(lengths) + attention * sum(length**2 for length in lengths)


@lru_cache
def measure_peak(device: torch.device, dtype: torch.dtype) -> float:
    """Return the operations per second of a large matrix product, the best of three runs.

    The matrix is random: a GPU multiplies equal numbers faster, since they take less power.
    """
    size = _SIZES.get(device.type, min(_SIZES.values()))
    noise = torch.Generator(device).manual_seed(0)  # the run's own random numbers stay its own
    matrix = torch.randn(size, size, device=device, dtype=dtype, generator=noise)
    seconds = []
    for _ in range(4):
        started_at = read_clock(device)
        matrix @ matrix
        seconds.append(read_clock(device) - started_at)
    return 2.0 * size**3 / min(seconds[1:])


def read_clock(device: torch.device) -> float:
    """Wait for the device's running kernels (CUDA is asynchronous), then return the time in
    seconds."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter()
