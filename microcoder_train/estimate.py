"""How long a run will take and how much memory, from a few measured tokens, before it starts."""

from __future__ import annotations

import time

import torch

from microcoder_train.batching import Row, pad
from microcoder_train.parallel import world_size
from microcoder_train.samples import Request, Sample
from microcoder_train.schedule import staged
from microcoder_train.trainer import Trainer

TOKENS = 8  # decoded, and the most a measured row is long


def estimate(trainer: Trainer) -> str:
    """Measure a short decode and one forward and backward pass; weights stay as they are.

    The time is with every response at full length, so an upper bound.
    """
    config = trainer.config
    steps = config.train.steps - trainer.step
    length = staged(config.rollout.response_length).largest
    rows = -(-config.train.train_batch_size // world_size()) * config.rollout.n
    prompt = trainer.train.prompts[0]
    at_once = min(rows, config.rollout.max_sequences)
    request = Request(prompt.problem.problem_id, prompt.ids, at_once, 1.0, TOKENS, ("estimate",))
    done: list[Sample] = []
    trainer.engine.sync(trainer.policy.model, trainer.step)
    started = time.perf_counter()
    trainer.engine.generate([request], done.append)
    decoded = max(len(sample.ids) for sample in done)
    token_seconds = (time.perf_counter() - started) / decoded
    row = Row(prompt.ids, (done[0].ids * TOKENS)[:TOKENS], (0.0,) * TOKENS, 1.0, 1.0)
    fitting = max(1, min(rows, config.train.tokens_per_micro_batch // row.length, 8))
    started = time.perf_counter()
    logp_BT, _ = trainer.policy.logprobs(pad([row] * fitting, trainer.policy.device))
    logp_BT.sum().backward()
    trainer.policy.optimizer.zero_grad()
    shared = trainer.policy.shares_prompts
    passed = len(prompt.ids) * (1 if shared else fitting) + TOKENS * fitting
    learn_seconds = (time.perf_counter() - started) / passed
    prompts = rows / config.rollout.n if shared else rows
    whole = len(prompt.ids) * prompts + length * rows
    passes = 1.4 if config.train.train_batch_size > config.train.ppo_mini_batch_size else 1.0
    seconds = token_seconds * length * -(-rows // at_once) + learn_seconds * whole * passes
    minutes = steps * seconds / 60
    about = f"{minutes / 60:.1f} h" if minutes > 90 else f"{max(minutes, 0.1):.2g} min"
    return (
        f"{steps} steps, at most about {about} (less where answers end early; evaluation not "
        f"counted), about {_bytes(trainer, length, prompt.ids) / 1e9:.1f} GB"
    )


def _bytes(trainer: Trainer, length: float, prompt_ids: tuple[int, ...]) -> float:
    """Of each process: weights, gradients, Adam's two moments, the engine's copy and one
    micro-batch's logits and activations."""
    config, model = trainer.config, trainer.policy.model
    weights = sum(parameter.numel() for parameter in model.parameters())
    size = torch.finfo(model.dtype).bits // 8
    backend, half = config.rollout.backend, config.rollout.dtype == "bfloat16"
    apart = backend == "vllm" or (backend == "hf" and (half or world_size() > 1))
    engine = apart * (2 if half else size)
    copies = engine + (size if config.loss.beta else 0)
    longest = len(prompt_ids) + int(length)
    many = config.train.train_batch_size * config.rollout.n * longest
    padded = max(longest, min(many, config.train.tokens_per_micro_batch))
    shape = model.config
    # What a decoder layer keeps for the backward pass, in units of the hidden size: about 34
    # (Korthikanti et al., 2205.05198), or its input alone under activation checkpointing.
    kept = 1 if config.model.activation_checkpointing else 34
    activations = padded * shape.hidden_size * shape.num_hidden_layers * kept
    logits = 6 * config.train.logits_chunk * shape.vocab_size * 4  # theirs, scaled, as gradients
    cast = 2 if config.model.autocast == "bfloat16" else 0  # kept for the backward pass
    return weights * (4 * size / world_size() + copies + cast) + activations * 2 + logits
