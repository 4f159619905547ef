"""Estimates the time and memory of a run from a few measured tokens, before it starts."""

from __future__ import annotations

from typing import Any

import torch
from transformers import PreTrainedModel

from microcoder_train.algorithm.schedule import parse_schedule
from microcoder_train.config import Config
from microcoder_train.learner.batching import TrainingSample, pad
from microcoder_train.learner.flops import read_clock
from microcoder_train.parallel import world_size
from microcoder_train.run.trainer import Trainer
from microcoder_train.samples import Request, Sample

MEASURED_TOKENS = 8  # of each response, in decoding and in the update
MAX_MEASURED_ROWS = 8
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
    token_seconds = _measure_decode(trainer, batch_size)
    learn_seconds = _measure_update(trainer, rows)
    group = [_make_row(prompt.ids, int(length))] * config.rollout.n
    is_shared = trainer.policy.choose_layout(group) == "shared"
    prompts = rows / config.rollout.n if is_shared else rows
    step_tokens = len(prompt.ids) * prompts + length * rows
    if config.train.train_batch_size > config.train.ppo_mini_batch_size:
        learn_seconds *= OLD_LOGP_FACTOR
    seconds = token_seconds * length * -(-rows // batch_size) + learn_seconds * step_tokens
    minutes = steps * seconds / 60
    model, processes = trainer.policy.model, world_size()
    memory = estimate_bytes(config, model, int(length), len(prompt.ids), processes)
    duration = f"{minutes / 60:.1f} h" if minutes > 90 else f"{max(minutes, 0.1):.2g} min"
    return (
        f"{steps} steps, at most about {duration} (less where responses end early; without "
        f"evaluation), about {memory / 1e9:.1f} GB"
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
    count = max(1, min(rows, micro_batch_rows, MAX_MEASURED_ROWS))
    started_at = read_clock(policy.device)
    batch = pad([row] * count, policy.device, policy.choose_layout([row] * count))
    logp_BT, _ = policy.logprobs(batch)
    logp_BT.sum().backward()
    policy.optimizer.zero_grad()
    return (read_clock(policy.device) - started_at) / sum(batch.lengths)


def _make_row(prompt_ids: tuple[int, ...], tokens: int) -> TrainingSample:
    return TrainingSample(prompt_ids, (prompt_ids[0],) * tokens, (0.0,) * tokens, 1.0, 1.0)


def estimate_bytes(
    config: Config, model: PreTrainedModel, length: int, prompt_length: int, processes: int
) -> float:
    """Return the bytes per process: weights, gradients, Adam's two moments, the engine's copy, and
    the larger of what sampling (keys and values) and one micro-batch (logits, activations) need.

    length, prompt_length: of the longest response and of a prompt, in tokens."""
    weights = sum(parameter.numel() for parameter in model.parameters())
    size = torch.finfo(model.dtype).bits // 8
    backend, is_bfloat16 = config.rollout.backend, config.rollout.dtype == "bfloat16"
    has_own_weights = backend == "vllm" or (backend == "hf" and (is_bfloat16 or processes > 1))
    copies = has_own_weights * (2 if is_bfloat16 else size) + (size if config.loss.beta else 0)
    longest = prompt_length + length
    step_tokens = config.train.train_batch_size * config.rollout.n * longest
    padded_tokens = max(longest, min(step_tokens, config.train.tokens_per_micro_batch))
    # A decoder layer keeps about 34 hidden sizes for the backward pass (Korthikanti et al.,
    # 2205.05198), under activation checkpointing only its input.
    layer_width = model.config.hidden_size * (1 if config.model.activation_checkpointing else 34)
    activations = padded_tokens * layer_width * model.config.num_hidden_layers
    # Logits, scaled logits and their gradients.
    logits = 6 * config.train.logits_chunk * model.config.vocab_size * 4
    cast = 2 if config.model.autocast == "bfloat16" else 0  # a copy for the backward pass
    trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
    master = weights * size + 3 * trained * (4 if config.model.lora_rank else size)
    fixed = master / processes + weights * (copies + cast)
    cache = cache_bytes(config, model.config, longest, processes) if backend != "server" else 0
    return fixed + max(activations * 2 + logits, cache)


def cache_bytes(config: Config, model: Any, length: int, processes: int) -> int:
    """Return the bytes of keys and values of all responses sampled together, at full length."""
    rows = config.train.train_batch_size * config.rollout.n // processes
    rows = min(rows, config.rollout.max_sequences)
    heads = getattr(model, "num_key_value_heads", None) or model.num_attention_heads
    width = getattr(model, "head_dim", None) or model.hidden_size // model.num_attention_heads
    size = 2 if config.rollout.dtype == "bfloat16" else torch.finfo(model.dtype).bits // 8
    return 2 * int(model.num_hidden_layers) * heads * width * size * rows * length
