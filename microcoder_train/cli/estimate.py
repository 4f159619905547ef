"""Estimates the time and memory of a run before it starts, from a short measurement."""

from __future__ import annotations

import torch
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel

from microcoder_eval.console.progress import format_seconds
from microcoder_train.algorithm.schedule import parse_schedule
from microcoder_train.config import Config
from microcoder_train.errors import ConfigError
from microcoder_train.learner.batching import TrainingSample, make_batch
from microcoder_train.learner.flops import count_forward_flops, read_clock
from microcoder_train.parallel import world_size
from microcoder_train.run.trainer import Trainer
from microcoder_train.samples import Request, Sample

from .footprint import MemoryParts, compute_cache_bytes, measure_memory

MEASURED_TOKENS = 8  # of each response, in decoding and in the update
MAX_MEASURED_ROWS = 8  # on a CPU; a GPU needs many to be fast
# Operations and bytes per second of an H200, as measured with compiled layers
# (benchmarks/results/gpu-2026-11-27.json); assumed by ``plan_run``.
ASSUMED_FLOPS, ASSUMED_BANDWIDTH = 2.7e14, 4e12
OLD_LOGP_FACTOR = 1.4  # the extra forward pass for old log-probabilities


def estimate(trainer: Trainer) -> str:
    """Measure a short decode and one forward and backward pass; the weights do not change.

    The time is an upper bound: every response is taken at its maximum length.
    """
    config, prompt = trainer.config, trainer.train_prompts.prompts[0]
    steps = config.train.steps - trainer.step
    length = parse_schedule(config.rollout.response_length).largest
    rows = -(-config.train.train_batch_size // world_size()) * config.rollout.n
    batch_size = min(rows, config.rollout.max_sequences)
    # A GPU loads its kernels in the first pass.
    for _ in range(1 if trainer.policy.device.type == "cpu" else 2):
        token_seconds = _measure_decode(trainer, batch_size)
        learn_seconds = _measure_update(trainer, rows)
    group = [_make_row(prompt.ids, int(length))] * config.rollout.n
    is_shared = trainer.policy.choose_layout(group) == "shared"
    prompts = rows / config.rollout.n if is_shared else rows
    step_tokens = len(prompt.ids) * prompts + length * rows
    if config.train.train_batch_size > config.train.ppo_mini_batch_size:
        learn_seconds *= OLD_LOGP_FACTOR
    seconds = token_seconds * length * -(-rows // batch_size) + learn_seconds * step_tokens
    model, processes = trainer.policy.model, world_size()
    parts = measure_memory(config, model, int(length), len(prompt.ids), processes)
    memory = parts.sum_peak(config.rollout)
    if trainer.policy.device.type == "cpu":
        memory += parts.checkpoint
    return (
        f"{steps} steps take at most about {format_seconds(steps * seconds)}, besides judging and "
        f"evaluation, and about {max(memory / 1e9, 0.1):.1f} GB"
    )


def _measure_decode(trainer: Trainer, batch_size: int) -> float:
    """Return the seconds per token of a batch."""
    prompt = trainer.train_prompts.prompts[0]
    name, stream = prompt.problem.problem_id, ("estimate",)
    request = Request(name, prompt.ids, batch_size, 1.0, MEASURED_TOKENS, stream)
    samples: list[Sample] = []
    trainer.engine.sync(trainer.policy.scorer, trainer.step)
    started_at = read_clock(trainer.policy.device)
    trainer.engine.generate([request], samples.append)
    seconds = read_clock(trainer.policy.device) - started_at
    return seconds / max(len(sample.ids) for sample in samples)


def _measure_update(trainer: Trainer, rows: int) -> float:
    """Return the seconds of a forward and backward pass per token."""
    prompt_ids, policy = trainer.train_prompts.prompts[0].ids, trainer.policy
    row = _make_row(prompt_ids, MEASURED_TOKENS)
    micro_batch_rows = trainer.config.train.tokens_per_micro_batch // row.length
    count = max(1, min(rows, micro_batch_rows))
    if policy.device.type == "cpu":
        count = min(count, MAX_MEASURED_ROWS)
    started_at = read_clock(policy.device)
    batch = make_batch([row] * count, policy.device, policy.choose_layout([row] * count))
    logp_BT, _ = policy.logprobs(batch)
    logp_BT.sum().backward()
    policy.optimizer.zero_grad()
    return (read_clock(policy.device) - started_at) / sum(batch.lengths)


def _make_row(prompt_ids: tuple[int, ...], tokens: int) -> TrainingSample:
    return TrainingSample(prompt_ids, (prompt_ids[0],) * tokens, (0.0,) * tokens, 1.0, 1.0)


def plan_run(config: Config, processes: int) -> str:
    """Return what each process will hold and compute, before anything is loaded. Raises
    ConfigError."""
    if processes < 1:
        raise ConfigError(f"--gpus={processes}: there must be at least one")
    model = _make_empty_model(config)
    length = int(parse_schedule(config.rollout.response_length).largest)
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
        f"a step at most: update {flops / ASSUMED_FLOPS / 60:.1f} min ({flops / 1e15:.0f} PFLOP at "
        f"{ASSUMED_FLOPS / 1e12:.0f} TFLOP/s), sampling {sampling_s / 60:.1f} min (each token "
        f"reads {read_bytes / 1e9:.0f} GB at {ASSUMED_BANDWIDTH / 1e12:.0f} TB/s)"
    )
