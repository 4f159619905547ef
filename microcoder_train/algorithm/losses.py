"""Losses for ``loss.function``, with the signature of ``grpo.policy_loss``."""

from __future__ import annotations

import torch
from torch import Tensor

from .grpo import MAX_LOG_RATIO, Clipping, policy_loss


def gspo(
    logp_BT: Tensor, old_logp_BT: Tensor, advantages_B: Tensor, clipping: Clipping, mask_BT: Tensor
) -> tuple[Tensor, Tensor]:
    """GSPO (arXiv 2507.18071, eq. 5 to 7): one ratio per response, the geometric mean of its
    tokens' ratios.

    Use it with clip bounds near 1 (low 3e-4 and high 4e-4 in the paper) and aggregation
    seq-mean-token-mean.
    """
    gap_BT = torch.where(mask_BT, logp_BT - old_logp_BT, 0.0)
    mean_B1 = gap_BT.sum(dim=1, keepdim=True) / mask_BT.sum(dim=1, keepdim=True).clamp(min=1)
    mean_BT = mean_B1.expand_as(logp_BT)
    return policy_loss(mean_BT, torch.zeros_like(mean_BT), advantages_B, clipping)


def cispo(
    logp_BT: Tensor, old_logp_BT: Tensor, advantages_B: Tensor, clipping: Clipping, mask_BT: Tensor
) -> tuple[Tensor, Tensor]:
    """CISPO (arXiv 2506.13585, eq. 4 and 5): -min(ratio, 1 + high) A log pi, the ratio detached.

    No token loses its gradient. Use it with aggregation token-mean.
    """
    ratio_BT = (logp_BT - old_logp_BT).clamp(-MAX_LOG_RATIO, MAX_LOG_RATIO).exp()
    weight_BT = ratio_BT.detach().clamp(max=1 + clipping.high)
    losses_BT = -weight_BT * advantages_B[:, None] * torch.where(mask_BT, logp_BT, 0.0)
    return losses_BT, ratio_BT
