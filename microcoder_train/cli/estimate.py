"""Estimates the time and memory of a run before it starts, from a short measurement."""

from __future__ import annotations

from microcoder_eval.console.progress import format_seconds
from microcoder_train.learner.batching import TrainingSample, make_batch
from microcoder_train.learner.flops import read_clock
from microcoder_train.parallel import world_size
from microcoder_train.run.trainer import Trainer
from microcoder_train.samples import Request, Sample, Sampling

from .footprint import measure_memory

MEASURED_TOKENS = 8  # of each response, in decoding and in the update
MAX_MEASURED_ROWS = 8  # on a CPU; a GPU needs many to be fast
OLD_LOGP_FACTOR = 1.4  # the extra forward pass for old log-probabilities


def estimate(trainer: Trainer) -> str:
    """Measure a short decode and one forward and backward pass; the weights do not change.

    The time is an upper bound: every response is taken at its maximum length.
    """
    config, prompt = trainer.config, trainer.train_prompts.prompts[0]
    steps = config.train.steps - trainer.step
    length = config.rollout.lengths.largest
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
    sampling = Sampling(batch_size, 1.0, MEASURED_TOKENS, ("estimate",))
    request = Request(prompt.problem.problem_id, prompt.ids, sampling)
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
    logp_BT, _ = policy.score(batch)
    logp_BT.sum().backward()
    policy.optimizer.zero_grad()
    return (read_clock(policy.device) - started_at) / sum(batch.lengths)


def _make_row(prompt_ids: tuple[int, ...], tokens: int) -> TrainingSample:
    return TrainingSample(prompt_ids, (prompt_ids[0],) * tokens, (0.0,) * tokens, 1.0, 1.0)
