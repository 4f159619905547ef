"""One training step's updates: old log-probabilities, micro-batches, gradients, what was seen.

Losses are divided by the counts of the whole mini-batch on all processes, so that loss and
gradient do not depend on how it is cut (see grpo.aggregate).
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from microcoder_train import grpo
from microcoder_train.batching import Padded, Row, micro_batches, pad
from microcoder_train.config import Config
from microcoder_train.parallel import world_max, world_sums
from microcoder_train.policy import Policy

# For a process whose rows need fewer micro-batches than another's: no token of it counts.
NOTHING = Row((0,), (0,), (0.0,), 1.0, 0.0, counted=False)


@dataclass(slots=True)
class Seen:
    """Sums over tokens and mini-batches, from which a step's metrics are made."""

    sums: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    largest: float = 0.0

    def add_up(self) -> None:
        """Over all processes; norms are of the whole already."""
        own = sorted(self.sums.keys() - {"norm", "skipped"})
        self.sums |= zip(own, world_sums(*(self.sums[name] for name in own)), strict=True)
        (self.largest,) = world_max(self.largest)

    def metrics(self, updates: int) -> dict[str, float]:
        """The step's means. Of rows that were forwarded: zero-advantage rows may not be."""
        tokens = max(self.sums["tokens"], 1.0)
        per_token = {
            "actor/entropy": "entropy",
            "actor/ppo_kl": "kl",
            "actor/clipfrac_low": "low",
            "actor/clipfrac_high": "high",
            "rollout/logp_diff_mean": "gap",
            "rollout/is_ratio_mean": "ratio",
            "rollout/is_clipped_frac": "corrected",
        }
        return {
            "actor/pg_loss": self.sums["loss"] / updates,
            "actor/grad_norm": self.sums["norm"] / max(updates - self.sums["skipped"], 1),
            "actor/skipped": self.sums["skipped"],
            "rollout/logp_diff_max": self.largest,
            **{name: self.sums[key] / tokens for name, key in per_token.items()},
        }


@dataclass(frozen=True, slots=True)
class Piece:
    """One micro-batch, and its log-probabilities before the step, None while they are the same."""

    rows: Padded
    old_logp_BT: Tensor | None
    reference_logp_BT: Tensor | None


def update(
    policy: Policy, minis: Sequence[Sequence[Row]], config: Config, step: int, horizon: int
) -> dict[str, float]:
    """An optimizer step for each mini-batch; returns the metrics.

    The old log-probabilities of later mini-batches are computed before the first update, with the
    same micro-batches. The first mini-batch needs none: its weights are the old ones.
    """
    started = time.perf_counter()
    policy.model.train()
    prepared = [_pieces(policy, mini, config, i) for i, mini in enumerate(minis)]
    ready = time.perf_counter()
    seen = Seen()
    for mini, pieces in zip(minis, prepared, strict=True):
        counted = [row for row in mini if row.counted]
        tokens, sequences = world_sums(sum(len(row.ids) for row in counted), len(counted))
        totals = grpo.Totals(int(tokens), int(sequences), horizon)
        policy.optimizer.zero_grad()
        for piece in pieces:
            share = _loss(policy, piece, config, totals, seen)
            share.backward()
            seen.sums["loss"] += share.item()
        norm = policy.apply_gradients(step)
        finite = math.isfinite(norm)
        seen.sums["norm" if finite else "skipped"] += norm if finite else 1
        if policy.skipped_in_a_row >= config.guard.max_skipped:
            break  # the gradients stay, so that the caller can name the one that is not finite
    seen.add_up()
    return {
        **seen.metrics(len(minis)),
        "actor/lr": policy.learning_rate(step),
        "timing_s/old_logp": ready - started,
        "timing_s/update": time.perf_counter() - ready,
    }


def _pieces(policy: Policy, mini: Sequence[Row], config: Config, number: int) -> list[Piece]:
    # A row whose advantage is 0 has no gradient (without a KL term) and only counts in the totals.
    skip = config.train.skip_zero_advantages and config.loss.beta == 0
    rows = [row for row in mini if row.advantage != 0 or not skip]
    shared, tokens = policy.shares_prompts, config.train.tokens_per_micro_batch
    cuts = micro_batches(rows, tokens, shared=shared)
    batches = [[rows[i] for i in indices] for indices in cuts]
    (most,) = world_max(len(batches))  # a sharded model is passed through by all together
    batches += [[NOTHING]] * (int(most) - len(batches))
    pieces = []
    for batch in batches:
        padded = pad(batch, policy.device)
        old = reference = None
        with torch.no_grad():
            if config.loss.old_logp == "rollout":
                old = padded.rollout_logp_BT
            elif number > 0:
                old, _ = policy.logprobs(padded)
            if policy.reference is not None:
                reference, _ = policy.logprobs(padded, policy.reference)
        pieces.append(Piece(padded, old, reference))
    return pieces


def _loss(policy: Policy, piece: Piece, config: Config, totals: grpo.Totals, seen: Seen) -> Tensor:
    settings, rows, mask_BT = config.loss, piece.rows, piece.rows.counted_BT
    clipping = grpo.Clipping(settings.eps_low, settings.eps_high, settings.dual_clip)
    logp_BT, entropy_N = policy.logprobs(rows)
    old_BT = logp_BT.detach() if piece.old_logp_BT is None else piece.old_logp_BT.to(logp_BT.dtype)
    advantages_B = rows.advantages_B.to(logp_BT.dtype)
    rollout_BT = rows.rollout_logp_BT.to(logp_BT.dtype)
    losses_BT, ratio_BT = grpo.policy_loss(logp_BT, old_BT, advantages_B, clipping)
    weights_BT = grpo.importance_weights(
        old_BT, rollout_BT, mask_BT, settings.correction, settings.correction_cap
    )
    losses_BT = losses_BT * weights_BT
    if piece.reference_logp_BT is not None:
        losses_BT = losses_BT + settings.beta * grpo.kl_penalty(logp_BT, piece.reference_logp_BT)
    with torch.no_grad():
        low, high = grpo.clip_shares(ratio_BT, advantages_B, mask_BT, clipping)
        # Of the trainer's own probabilities, also where the engine's serve as the old ones.
        own_BT = old_BT if settings.old_logp == "trainer" else logp_BT
        gap_BT = torch.where(mask_BT, own_BT - rollout_BT, 0.0)
        whole = settings.correction == "sequence_mask"
        over_BT = weights_BT == 0 if whole else gap_BT > math.log(settings.correction_cap)
        sums = {
            "tokens": mask_BT.sum(),
            "entropy": entropy_N[mask_BT[rows.mask_BT]].sum(),
            "kl": torch.where(mask_BT, old_BT - logp_BT, 0.0).sum(),
            "low": low,
            "high": high,
            "gap": gap_BT.abs().sum(),
            "ratio": torch.where(mask_BT, gap_BT.clamp(-20, 20).exp(), 0.0).sum(),
            "corrected": (mask_BT & over_BT).sum(),
        }
        for name, value in sums.items():
            seen.sums[name] += value.item()
        seen.largest = max(seen.largest, gap_BT.abs().max().item())
    return grpo.aggregate(losses_BT, mask_BT, settings.aggregation, totals)
