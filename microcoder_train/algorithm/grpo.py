"""MicroCoder-GRPO as pure functions on tensors: no model, no files, no state.

Shapes: P prompts, G samples per prompt, B sequences, T tokens of the response, N tokens in a row
(no padding), V vocabulary. "Eq. 1" and "Eq. 2" are the paper's (arXiv 2603.07777).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from .modes import Aggregation, Correction

MAX_LOG_RATIO = 20.0  # exp(20) is finite in float32; beyond it the ratio is clipped anyway


def group_advantages(
    rewards_PG: Tensor, valid_PG: Tensor, *, normalise_std: bool = True, eps: float = 1e-6
) -> Tensor:
    """Eq. 2 before the mask: A_i = (r_i - mean_g) / (std_g + eps), std unbiased; eps as in verl.

    valid_PG: False where the judge failed. Such a sample does not count as a wrong answer: mean and
    std ignore it, and its advantage is 0. Groups with fewer than two valid rewards, or with equal
    ones, have the advantage 0 exactly.
    """
    rewards_PG = torch.where(valid_PG, rewards_PG, 0.0)
    count_P1 = valid_PG.sum(dim=1, keepdim=True)
    mean_P1 = rewards_PG.sum(dim=1, keepdim=True) / count_P1.clamp(min=1)
    centred_PG = torch.where(valid_PG, rewards_PG - mean_P1, 0.0)
    if normalise_std:
        variance_P1 = centred_PG.square().sum(dim=1, keepdim=True) / (count_P1 - 1).clamp(min=1)
        centred_PG = centred_PG / (variance_P1.sqrt() + eps)
    return torch.where(rewards_differ(rewards_PG, valid_PG)[:, None], centred_PG, 0.0)


def rewards_differ(rewards_PG: Tensor, valid_PG: Tensor) -> Tensor:
    """Return which of P groups have unequal rewards, among the valid ones."""
    low_P = torch.where(valid_PG, rewards_PG, torch.inf).amin(dim=1)
    high_P = torch.where(valid_PG, rewards_PG, -torch.inf).amax(dim=1)
    return low_P < high_P


def ends_in_repetition(ids: Sequence[int], window: int = 128, *, periodic: bool = False) -> bool:
    """Eq. 2's repeat(o, m): the last m tokens equal the m before them.

    Eq. 2 detects only loops whose length divides m. periodic: detect any loop of at most m tokens
    that fills the last 2m tokens.
    """
    tail = list(ids[-2 * window :])
    if len(tail) < 2 * window:
        return False
    periods = range(1, window + 1) if periodic else (window,)
    return any(tail[period:] == tail[:-period] for period in periods)


def make_truncation_mask(
    truncated_B: Tensor, eligible_B: Tensor, repeating_B: Tensor, draws_B: Tensor, rho: float
) -> Tensor:
    """Eq. 2's M_i: True where the advantage becomes 0, under four conditions.

    The conditions: the response reached the maximum length, its status is eligible (correct or
    incomplete in the paper), it does not end in a repetition, and its uniform draw is below rho.
    """
    return truncated_B & eligible_B & ~repeating_B & (draws_B < rho)


def compute_token_logprobs(
    logits_NV: Tensor, ids_N: Tensor, temperature_N: Tensor
) -> tuple[Tensor, Tensor]:
    """(log pi^T of each token, entropy at each): log_softmax(logits / T) in float32 or wider.

    The temperature is part of Eq. 1's policy pi^{T(D)}, the distribution that was sampled from.
    """
    dtype = torch.promote_types(logits_NV.dtype, torch.float32)
    logp_NV = (logits_NV.to(dtype) / temperature_N.to(dtype)[:, None]).log_softmax(dim=-1)
    logp_N = logp_NV.gather(1, ids_N[:, None])[:, 0]
    # This comes last: activation checkpointing stops recomputing once the backward pass has what it
    # needs.
    return logp_N, torch.special.entr(logp_NV.detach().exp()).sum(dim=-1)


def compute_logprobs(
    head: torch.nn.Module, hidden_NH: Tensor, ids_N: Tensor, temperature_N: Tensor, chunk: int
) -> tuple[Tensor, Tensor]:
    """``compute_token_logprobs`` from hidden states, in chunks of positions.

    The backward pass recomputes each chunk's logits, so N x V logits never exist at once.
    """

    def score_chunk(hidden: Tensor, ids: Tensor, temperature: Tensor) -> tuple[Tensor, Tensor]:
        return compute_token_logprobs(head(hidden), ids, temperature)

    chunks = [values.split(chunk) for values in (hidden_NH, ids_N, temperature_N)]
    recomputes = torch.is_grad_enabled() and len(chunks[0]) > 1  # one chunk would save no memory
    scores = [
        checkpoint(score_chunk, *tensors, use_reentrant=False)
        if recomputes
        else score_chunk(*tensors)
        for tensors in zip(*chunks, strict=True)
    ]
    return torch.cat([logp for logp, _ in scores]), torch.cat([entropy for _, entropy in scores])


@dataclass(frozen=True, slots=True)
class Clipping:
    """Eq. 1's bounds on the ratio: 1 - low and 1 + high."""

    low: float = 0.2
    high: float = 0.28


def policy_loss(
    logp_BT: Tensor, old_logp_BT: Tensor, advantages_B: Tensor, clipping: Clipping,
    _mask_BT: Tensor | None = None,  # unused here; some losses need it
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """(loss, ratio) of each token: -min(ratio A, clip(ratio, 1 - low, 1 + high) A), as in Eq. 1,
    but with the token's ratio, as GRPO and DAPO have it, where the paper prints the sequence's."""
    ratio_BT = (logp_BT - old_logp_BT).clamp(-MAX_LOG_RATIO, MAX_LOG_RATIO).exp()
    advantage_B1 = advantages_B[:, None]
    clipped_BT = ratio_BT.clamp(1 - clipping.low, 1 + clipping.high)
    return -torch.minimum(ratio_BT * advantage_B1, clipped_BT * advantage_B1), ratio_BT


def count_clipped(
    ratio_BT: Tensor, advantages_B: Tensor, mask_BT: Tensor, clipping: Clipping
) -> tuple[Tensor, Tensor]:
    """Return how many tokens get no gradient because of the lower bound, and of the upper bound;
    NaN where the ratio of one is, which a loss of the user's may return."""
    advantage_B1 = advantages_B[:, None]
    low = (ratio_BT < 1 - clipping.low) & (advantage_B1 < 0) & mask_BT
    high = (ratio_BT > 1 + clipping.high) & (advantage_B1 > 0) & mask_BT
    unknown = torch.where((ratio_BT.isnan() & mask_BT).any(), torch.nan, 0.0)
    return low.sum() + unknown, high.sum() + unknown


def compute_kl_penalty(logp_BT: Tensor, reference_logp_BT: Tensor) -> Tensor:
    """Eq. 1's KL term: exp(d) - d - 1 with d = log pi_ref - log pi.

    Source: Schulman's k3 estimator, as in GRPO (arXiv 2402.03300, eq. 4).
    """
    d_BT = (reference_logp_BT - logp_BT).clamp(-MAX_LOG_RATIO, MAX_LOG_RATIO)
    return d_BT.exp() - d_BT - 1


def compute_importance_weights(
    old_logp_BT: Tensor, rollout_logp_BT: Tensor, mask_BT: Tensor, mode: Correction, cap: float
) -> Tensor:
    """Return weights that correct for an engine whose probabilities differ from the trainer's.

    token_truncate: min(pi_old / pi_rollout, cap) per token. sequence_mask: the ratio of the whole
    response, 0 above cap. off: 1. Source: Yao et al., truncated importance sampling.
    """
    gap_BT = torch.where(mask_BT, old_logp_BT - rollout_logp_BT, 0.0)
    if mode == "off":
        return torch.ones_like(gap_BT)
    if mode == "token_truncate":
        return gap_BT.clamp(-MAX_LOG_RATIO, MAX_LOG_RATIO).exp().clamp(max=cap)
    ratio_B1 = gap_BT.sum(dim=1, keepdim=True).clamp(-MAX_LOG_RATIO, MAX_LOG_RATIO).exp()
    return torch.where(ratio_B1 <= cap, ratio_B1, 0.0).expand_as(gap_BT)


@dataclass(frozen=True, slots=True)
class Totals:
    """The denominators of a mini-batch's loss, counted over all micro-batches and ranks.

    tokens: how many are in the loss mask.
    sequences: how many have at least one of them.
    horizon: the maximum response length. Local counts would make the loss depend on how the batch
        is split.
    """

    tokens: int
    sequences: int
    horizon: int


def aggregate(losses_BT: Tensor, mask_BT: Tensor, mode: Aggregation, totals: Totals) -> Tensor:
    """Return a micro-batch's share of the mini-batch's loss; the shares of any split add up to it.

    token-mean: sum over all tokens / N_tok (DAPO, arXiv 2503.14476, eq. 8). seq-mean-token-mean:
    GRPO's 1/G sum 1/|o_i|. seq-mean-token-sum: the mean over responses of each response's sum, as
    verl names it. seq-mean-token-sum-norm: the same divided by the horizon (Dr. GRPO, arXiv
    2503.20783). Eq. 1 is none of these: it adds up sequences and does not divide by G.
    """
    losses_BT = torch.where(mask_BT, losses_BT, 0.0)
    if mode == "token-mean":
        return losses_BT.sum() / max(totals.tokens, 1)
    sums_B = losses_BT.sum(dim=1)
    if mode == "seq-mean-token-mean":
        sums_B = sums_B / mask_BT.sum(dim=1).clamp(min=1)
    elif mode == "seq-mean-token-sum-norm":
        sums_B = sums_B / totals.horizon
    return sums_B.sum() / max(totals.sequences, 1)
