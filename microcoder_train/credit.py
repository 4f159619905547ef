"""From judged groups to advantages: Eq. 2 applied to samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from microcoder_eval.records import Status
from microcoder_train import counter, grpo
from microcoder_train.batching import Row
from microcoder_train.config import Config
from microcoder_train.parallel import my_part
from microcoder_train.samples import Graded


@dataclass(frozen=True, slots=True)
class Credit:
    """P x G: what each sample is worth, and why. masked: its advantage was set to 0."""

    advantages_PG: Tensor
    masked_PG: Tensor
    truncated_PG: Tensor
    eligible_PG: Tensor
    repeating_PG: Tensor
    rewards_PG: Tensor
    valid_PG: Tensor

    @property
    def mixed_P(self) -> Tensor:  # noqa: N802
        """Groups with something to learn from."""
        return (self.rewards_PG.amax(1) > self.rewards_PG.amin(1)) & self.valid_PG.any(1)


def assign_credit(groups: Sequence[Sequence[Graded]], config: Config, step: int) -> Credit:
    """Advantages of a step's groups, masked as the settings say; groups keep their shape."""
    loss, mask = config.loss, config.mask

    def table(of: Callable[[Graded], float], dtype: torch.dtype = torch.bool) -> Tensor:
        return torch.tensor([[of(graded) for graded in group] for group in groups], dtype=dtype)

    def repeats(graded: Graded) -> bool:
        sample, periodic = graded.sample, mask.repeat == "periodic"
        return sample.truncated and grpo.repeats(sample.ids, mask.window, periodic=periodic)

    def draw(graded: Graded) -> float:
        sample = graded.sample
        return counter.uniform(config.train.seed, "mask", step, sample.problem_id, sample.index)

    valid_PG = table(lambda graded: graded.judgement.reward is not None)
    rewards_PG = table(lambda graded: graded.judgement.reward or 0.0, torch.float64)
    advantages_PG = grpo.group_advantages(
        rewards_PG, valid_PG, normalise_std=loss.normalise_std, eps=loss.advantage_eps
    )
    truncated_PG = table(lambda graded: graded.sample.truncated)
    allowed = {Status(name) for name in mask.eligible}
    eligible_PG = table(lambda graded: graded.judgement.status in allowed)
    repeating_PG = table(repeats)
    draws_PG = table(draw, torch.float64)
    if mask.mode == "conditional":
        masked_PG = grpo.truncation_mask(
            truncated_PG, eligible_PG, repeating_PG, draws_PG, mask.rho
        )
    else:
        masked_PG = truncated_PG & (mask.mode == "all")
    return Credit(
        advantages_PG.masked_fill(masked_PG, 0.0),
        masked_PG,
        truncated_PG,
        eligible_PG,
        repeating_PG,
        rewards_PG,
        valid_PG,
    )


def rows_of(groups: Sequence[Sequence[Graded]], credit: Credit, config: Config) -> list[list[Row]]:
    """This process's share of each mini-batch, as rows; groups are not divided."""
    size, drop = config.train.ppo_mini_batch_size, config.mask.scope == "loss"
    advantages, masked = credit.advantages_PG.tolist(), credit.masked_PG.tolist()
    worth = list(zip(groups, advantages, masked, strict=True))
    return [
        [
            Row.of(graded.sample, advantage, counted=not (drop and hidden))
            for group in my_part(worth[first : first + size])
            for graded, advantage, hidden in zip(*group, strict=True)
        ]
        for first in range(0, len(worth), size)
    ]
