"""The updates of a training step: old log-probabilities, micro-batches, gradients, metrics.

Losses are divided by counts of the whole mini-batch on all ranks, so loss and gradient do not
depend on how it is split (grpo.aggregate).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from microcoder_train.algorithm import grpo
from microcoder_train.config import Config, Loss
from microcoder_train.parallel import max_over_ranks, sum_over_ranks, world_size

from .batching import (
    TensorBatch,
    TrainingSample,
    make_batch,
    skips_zero_advantages,
    split_micro_batches,
)
from .flops import BACKWARD, count_forward_flops, measure_peak, read_clock
from .policy import Policy

# A dummy row for a rank with fewer micro-batches than others: none of its tokens counts.
PADDING_SAMPLE = TrainingSample((0,), (0,), (0.0,), 1.0, 0.0, counted=False)
# Means over the tokens in the loss mask of the rows that were forwarded.
TOKEN_METRICS = (
    "actor/entropy", "actor/ppo_kl", "rollout/logp_diff_mean", "rollout/is_ratio_mean",
    "rollout/is_clipped_frac",
)  # fmt: skip
SIGNAL = "_with_advantage"  # suffix of means over the rows whose advantage is not 0
SIGNAL_METRICS = tuple(
    f"actor/{name}{SIGNAL}" for name in ("entropy", "ppo_kl", "clipfrac_low", "clipfrac_high")
)


@dataclass(frozen=True, slots=True)
class TokenScores:
    """What a forward pass says of a micro-batch's tokens. weights_BT: those of the correction."""

    logp_BT: Tensor
    old_logp_BT: Tensor
    entropy_N: Tensor
    ratio_BT: Tensor
    weights_BT: Tensor


@dataclass(slots=True)
class MetricSums:
    """What this rank sums up during a step. norms: those of the gradient, one per update. tokens:
    those in the loss mask of all rows, forwarded or not, on all ranks. computed: tokens of prompts
    and responses that this rank forwarded for a gradient. flops: all operations of this rank."""

    tokens: int = 0
    computed: int = 0
    flops: float = 0.0
    sums: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    max_gap: float = 0.0
    norms: list[float] = field(default_factory=list)

    def add(self, rows: TensorBatch, scores: TokenScores, settings: Loss) -> None:
        """Add the tokens of a micro-batch that are in the loss mask."""
        mask_BT, logp_BT, old_BT = rows.counted_BT, scores.logp_BT, scores.old_logp_BT
        advantages_B = rows.advantages_B.to(logp_BT.dtype)
        clipping = grpo.Clipping(settings.eps_low, settings.eps_high)
        low, high = grpo.count_clipped(scores.ratio_BT, advantages_B, mask_BT, clipping)
        # These are the trainer's own probabilities, even if the engine's serve as the old ones.
        trainer_logp_BT = old_BT if settings.old_logp == "trainer" else logp_BT
        rollout_BT = rows.rollout_logp_BT.to(logp_BT.dtype)
        gap_BT = torch.where(mask_BT, trainer_logp_BT - rollout_BT, 0.0)
        if settings.correction == "sequence_mask":
            corrected_BT = scores.weights_BT == 0
        else:
            corrected_BT = gap_BT > math.log(settings.correction_cap)
        signal_BT = mask_BT & (advantages_B != 0)[:, None]
        entropy_BT = torch.zeros_like(logp_BT).masked_scatter(rows.mask_BT, scores.entropy_N)
        kl_BT = old_BT - logp_BT
        sums = {
            "tokens": mask_BT.sum(), "actor/entropy": entropy_BT[mask_BT].sum(),
            "actor/ppo_kl": kl_BT[mask_BT].sum(), "signal_tokens": signal_BT.sum(),
            f"actor/entropy{SIGNAL}": entropy_BT[signal_BT].sum(),
            f"actor/ppo_kl{SIGNAL}": kl_BT[signal_BT].sum(), f"actor/clipfrac_low{SIGNAL}": low,
            f"actor/clipfrac_high{SIGNAL}": high, "rollout/logp_diff_mean": gap_BT.abs().sum(),
            "rollout/is_ratio_mean": torch.where(mask_BT, gap_BT.clamp(-20, 20).exp(), 0.0).sum(),
            "rollout/is_clipped_frac": (mask_BT & corrected_BT).sum(),
        }  # fmt: skip
        for name, value in sums.items():
            self.sums[name] += value.item()
        self.max_gap = max(self.max_gap, gap_BT.abs().max().item())

    def compute_metrics(self) -> dict[str, float]:
        """Return the step's metrics over all ranks.

        Entropy and KL of all rows are NaN if rows with advantage 0 were not forwarded. Clip shares
        are known even then: a token with advantage 0 is never clipped.
        """
        names = ("tokens", "signal_tokens", "loss", *TOKEN_METRICS, *SIGNAL_METRICS)
        sums = dict(zip(names, sum_over_ranks(*(self.sums[name] for name in names)), strict=True))
        tokens, signal_tokens = max(sums["tokens"], 1.0), max(sums["signal_tokens"], 1.0)
        (max_gap,) = max_over_ranks(self.max_gap)
        metrics = {name: sums[name] / tokens for name in TOKEN_METRICS}
        metrics |= {name: sums[name] / signal_tokens for name in SIGNAL_METRICS}
        for name in ("actor/clipfrac_low", "actor/clipfrac_high"):
            metrics[name] = sums[name + SIGNAL] / max(self.tokens, 1)
        if sums["tokens"] < self.tokens:
            metrics |= {"actor/entropy": math.nan, "actor/ppo_kl": math.nan}
        finite_norms = [norm for norm in self.norms if math.isfinite(norm)]
        return {
            "actor/pg_loss": sums["loss"] / len(self.norms),
            "actor/grad_norm": sum(finite_norms) / max(len(finite_norms), 1),
            "actor/skipped": float(len(self.norms) - len(finite_norms)),
            "rollout/logp_diff_max": max_gap,
            **metrics,
        }


@dataclass(frozen=True, slots=True)
class MicroBatch:
    """Padded rows and their log-probabilities before the step; None means those of the current
    model."""

    rows: TensorBatch
    old_logp_BT: Tensor | None
    reference_logp_BT: Tensor | None


def update(
    policy: Policy, mini_batches: Sequence[Sequence[TrainingSample]], config: Config, step: int,
    horizon: int,
) -> dict[str, float]:  # fmt: skip
    """Take one optimizer step per mini-batch; returns the metrics. horizon: see grpo.Totals.

    Old log-probabilities of all mini-batches but the first are computed before the first update,
    with the same micro-batches. The first mini-batch needs no extra pass, since its update starts
    from the old weights.
    """
    started_at = read_clock(policy.device)
    policy.model.train()
    prepared_batches = [
        _prepare_micro_batches(policy, mini_batch, config, is_first=i == 0)
        for i, mini_batch in enumerate(mini_batches)
    ]
    prepared_at = read_clock(policy.device)
    metric_sums = MetricSums()
    for mini_batch, micro_batches in zip(mini_batches, prepared_batches, strict=True):
        lengths = [len(row.ids) for row in mini_batch if row.counted]
        tokens, sequences = sum_over_ranks(sum(lengths), len(lengths))
        totals = grpo.Totals(int(tokens), int(sequences), horizon)
        metric_sums.tokens += totals.tokens
        policy.optimizer.zero_grad()
        for micro_batch in micro_batches:
            loss = _compute_loss(policy, micro_batch, config, totals, metric_sums)
            policy.loss_function.backward(loss)
            metric_sums.computed += sum(micro_batch.rows.lengths)
            flops = count_forward_flops(policy.model, micro_batch.rows.lengths)
            metric_sums.flops += (1 + BACKWARD + (micro_batch.old_logp_BT is not None)) * flops
            metric_sums.sums["loss"] += loss.item()
        metric_sums.norms.append(policy.apply_gradients(step))
        if policy.consecutive_skips >= config.guard.max_skipped:
            break  # the gradients stay, so that the caller can name the non-finite tensor
    ended_at = read_clock(policy.device)
    computed, flops = sum_over_ranks(metric_sums.computed, metric_sums.flops)
    flops_per_second = flops / (ended_at - started_at) / world_size()
    return {
        **metric_sums.compute_metrics(),
        "actor/lr": policy.compute_learning_rate(step),
        "timing_s/old_logp": prepared_at - started_at,
        "timing_s/update": ended_at - prepared_at,
        "perf/train_tok_s": computed / (ended_at - started_at),
        "perf/tflops": flops_per_second / 1e12,
        "perf/mfu": flops_per_second / measure_peak(policy.device, policy.arithmetic_dtype),
    }


def _prepare_micro_batches(
    policy: Policy, mini_batch: Sequence[TrainingSample], config: Config, *, is_first: bool
) -> list[MicroBatch]:
    skips_zero = skips_zero_advantages(config)  # rows with advantage 0 count only in the totals
    rows = [row for row in mini_batch if row.advantage != 0 or not skips_zero]
    tokens, layout = config.train.tokens_per_micro_batch, policy.choose_layout(rows)
    batches = [[rows[i] for i in batch] for batch in split_micro_batches(rows, tokens, layout)]
    # All ranks must make the same number of forward passes, since they gather sharded weights
    # together.
    (batch_count,) = max_over_ranks(len(batches))
    batches += [[PADDING_SAMPLE]] * (int(batch_count) - len(batches))
    micro_batches = []
    for batch in batches:
        padded = make_batch(batch, policy.device, layout)
        old_logp_BT = reference_logp_BT = None
        with torch.no_grad():
            if config.loss.old_logp == "rollout":
                old_logp_BT = padded.rollout_logp_BT
            elif not is_first:
                old_logp_BT, _ = policy.score(padded)
            if policy.reference is not None:
                reference_logp_BT, _ = policy.score(padded, policy.reference)
        micro_batches.append(MicroBatch(padded, old_logp_BT, reference_logp_BT))
    return micro_batches


def _compute_loss(
    policy: Policy, batch: MicroBatch, config: Config, totals: grpo.Totals, metric_sums: MetricSums
) -> Tensor:
    """Return a micro-batch's share of the loss; add its tokens to the metrics."""
    settings, rows, mask_BT = config.loss, batch.rows, batch.rows.counted_BT
    clipping = grpo.Clipping(settings.eps_low, settings.eps_high)
    logp_BT, entropy_N = policy.score(rows)
    old_BT = logp_BT.detach() if batch.old_logp_BT is None else batch.old_logp_BT.to(logp_BT.dtype)
    advantages_B = rows.advantages_B.to(logp_BT.dtype)
    losses_BT, ratio_BT = policy.loss_function(logp_BT, old_BT, advantages_B, clipping, mask_BT)
    weights_BT = grpo.compute_importance_weights(
        old_BT, rows.rollout_logp_BT.to(logp_BT.dtype), mask_BT, settings.correction,
        settings.correction_cap,
    )  # fmt: skip
    losses_BT = losses_BT * weights_BT
    if batch.reference_logp_BT is not None:
        penalty_BT = grpo.compute_kl_penalty(logp_BT, batch.reference_logp_BT)
        losses_BT = losses_BT + settings.beta * penalty_BT
    scores = TokenScores(logp_BT.detach(), old_BT, entropy_N, ratio_BT.detach(), weights_BT)
    metric_sums.add(rows, scores, settings)
    return grpo.aggregate(losses_BT, mask_BT, settings.aggregation, totals)
