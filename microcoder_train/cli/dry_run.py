"""``--dry-run``: what each process of a run will hold and compute, before anything is loaded."""

from __future__ import annotations

import torch
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel

from microcoder_train.config import Config
from microcoder_train.errors import ConfigError
from microcoder_train.learner.flops import count_forward_flops
from microcoder_train.learner.loss import LossFunction

from .footprint import MemoryParts, compute_cache_bytes, measure_memory

# Operations and bytes per second of an H200, as measured with compiled layers
# (benchmarks/results/gpu-2026-11-27.json); assumed by ``plan_run``.
ASSUMED_FLOPS, ASSUMED_BANDWIDTH = 2.7e14, 4e12


def plan_run(config: Config, processes: int) -> str:
    """Return what each process will hold and compute, before anything is loaded; and try the loss.
    Raises ConfigError."""
    if processes < 1:
        raise ConfigError(f"--gpus={processes}: there must be at least one")
    notes = LossFunction(config.loss.function).notes
    model = _make_empty_model(config)
    length = int(config.rollout.lengths.largest)
    prompt_length = config.data.max_prompt_tokens
    parts = measure_memory(config, model, length, prompt_length, processes)
    sizes = {
        "weights": parts.weights,
        "gradients": parts.gradients,
        "optimizer": parts.optimizer,
        "the engine's weights": parts.engine_weights,
        "the reference's weights": parts.reference_weights,
        "the engine's keys and values": parts.cache,
        "a pass over a micro-batch": parts.micro_batch,
        "at the peak": parts.sum_peak(config.rollout),
        "a checkpoint, in host memory": parts.checkpoint,
    }
    return "\n".join([
        f"each of {processes} processes, {length} tokens an answer, {prompt_length} a prompt:",
        *(f"{name:<30} {size / 1e9:8.1f} GB" for name, size in sizes.items() if size),
        _describe_times(config, model, parts, prompt_length + length, processes),
        "both speeds are an H200's; a run measures its own before its first step",
        *notes,
    ])  # fmt: skip


def _make_empty_model(config: Config) -> PreTrainedModel:
    """Return the model of the settings without values. Raises ConfigError."""
    if config.model.path == "tiny":
        raise ConfigError("--dry-run: the model of preset tiny is made by the run; it needs no GPU")
    try:
        shape = AutoConfig.from_pretrained(config.model.path)
    except (OSError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise ConfigError(f"model.path={config.model.path}: no configuration: {reason}") from error
    with torch.device("meta"):
        dtype = getattr(torch, config.model.master_dtype)
        model = AutoModelForCausalLM.from_config(shape, dtype=dtype)
    return model.requires_grad_(not config.model.lora_rank)  # adapters are less than a hundredth


def _describe_times(
    config: Config, model: PreTrainedModel, parts: MemoryParts, longest: int, processes: int
) -> str:
    """Return the seconds of a step's update and sampling. longest: tokens of a sequence."""
    rows = config.train.train_batch_size * config.rollout.n
    passes = 3 + (config.train.train_batch_size > config.train.ppo_mini_batch_size)
    flops = passes * rows * count_forward_flops(model, [longest]) / processes
    # Each token of a batch reads all weights, and the keys and values, half of them in the mean.
    weights = sum(parameter.numel() for parameter in model.parameters())
    read_bytes = 2 * weights + parts.cache / 2
    batches = float(-(-rows // processes // config.rollout.max_sequences))
    if parts.cache:  # what does not fit waits
        batches *= compute_cache_bytes(config, model.config, longest, processes) / parts.cache
    sampling_s = (
        batches * (longest - config.data.max_prompt_tokens) * read_bytes / ASSUMED_BANDWIDTH
    )
    return (
        f"a step at most: update {flops / ASSUMED_FLOPS / 60:.1f} min ({_round(flops / 1e15)} "
        f"PFLOP at {ASSUMED_FLOPS / 1e12:.0f} TFLOP/s), sampling {sampling_s / 60:.1f} min (each "
        f"token reads {_round(read_bytes / 1e9)} GB at {ASSUMED_BANDWIDTH / 1e12:.0f} TB/s)"
    )


def _round(value: float) -> str:
    """Write a number without a fraction; below 10 with two significant digits."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"
