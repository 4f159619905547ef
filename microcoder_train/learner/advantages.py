"""Computes advantages (Eq. 2), and deals samples into the mini-batches of an update."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from microcoder_eval.records import Status
from microcoder_train.algorithm import counter, grpo
from microcoder_train.config import Config
from microcoder_train.parallel import rank, world_size
from microcoder_train.samples import Episode

from .batching import TrainingSample, skips_zero_advantages


@dataclass(frozen=True, slots=True)
class Advantages:
    """The advantage of each sample, and the facts behind it. A suffix names the axes: P problems, G
    samples of each.

    masked: the advantage was set to 0. valid: the judge did not fail.
    """

    advantages_PG: Tensor
    masked_PG: Tensor
    truncated_PG: Tensor
    eligible_PG: Tensor
    repeating_PG: Tensor
    rewards_PG: Tensor
    valid_PG: Tensor

    @property
    def mixed_P(self) -> Tensor:  # noqa: N802
        """Return which groups have unequal rewards, ignoring samples that the judge failed on."""
        return grpo.rewards_differ(self.rewards_PG, self.valid_PG)

    @property
    def equal_P(self) -> Tensor:  # noqa: N802
        """Return which groups have equal rewards, and at least one sample that could be judged."""
        return ~self.mixed_P & self.valid_PG.any(1)


def compute_advantages(
    groups: Sequence[Sequence[Episode]], config: Config, step: int
) -> Advantages:
    """Return the advantages of a step's groups, masked by ``config.mask``."""
    loss, mask = config.loss, config.mask

    def make_tensor(
        read_value: Callable[[Episode], float], dtype: torch.dtype = torch.bool
    ) -> Tensor:
        return torch.tensor(
            [[read_value(episode) for episode in group] for group in groups], dtype=dtype
        )

    def is_repeating(episode: Episode) -> bool:
        sample, periodic = episode.sample, mask.repeat == "periodic"
        return sample.truncated and grpo.ends_in_repetition(
            sample.ids, mask.window, periodic=periodic
        )

    def draw_uniform(episode: Episode) -> float:
        name = episode.sample.request.problem_id, episode.sample.index
        return counter.uniform(config.train.seed, "mask", step, *name)

    valid_PG = make_tensor(lambda episode: episode.reward is not None)
    rewards_PG = make_tensor(lambda episode: episode.reward or 0.0, torch.float64)
    advantages_PG = grpo.group_advantages(rewards_PG, valid_PG, normalise_std=loss.normalise_std)
    truncated_PG = make_tensor(lambda episode: episode.sample.truncated)
    eligible_statuses = {Status(name) for name in mask.eligible}
    eligible_PG = make_tensor(lambda episode: episode.judgement.status in eligible_statuses)
    repeating_PG = make_tensor(is_repeating)
    conditions = (truncated_PG, eligible_PG, repeating_PG)
    if mask.mode == "conditional":
        draws_PG = make_tensor(draw_uniform, torch.float64)
        masked_PG = grpo.make_truncation_mask(*conditions, draws_PG, mask.rho)
    elif mask.mode == "all":
        masked_PG = truncated_PG
    else:
        masked_PG = torch.zeros_like(truncated_PG)
    advantages_PG = advantages_PG.masked_fill(masked_PG, 0.0)
    return Advantages(advantages_PG, masked_PG, *conditions, rewards_PG, valid_PG)


def make_mini_batches(
    groups: Sequence[Sequence[Episode]], advantages: Advantages, config: Config
) -> list[list[TrainingSample]]:
    """Return the samples of this rank in each mini-batch; a group stays on one rank.

    Groups are distributed so that every rank forwards about the same number of tokens.
    """
    size, drops_masked = config.train.ppo_mini_batch_size, config.mask.scope == "loss"
    values, masks = advantages.advantages_PG.tolist(), advantages.masked_PG.tolist()
    rows = [
        [
            TrainingSample.from_sample(
                episode.sample, advantage, counted=not (drops_masked and is_masked)
            )
            for episode, advantage, is_masked in zip(*group, strict=True)
        ]
        for group in zip(groups, values, masks, strict=True)
    ]
    return [_deal_rows(rows[start : start + size], config) for start in range(0, len(rows), size)]


def _deal_rows(groups: Sequence[Sequence[TrainingSample]], config: Config) -> list[TrainingSample]:
    """Return the rows of this rank's groups."""
    forwards_all = not skips_zero_advantages(config)
    costs = [
        sum(len(row.ids) for row in group if row.advantage or forwards_all) for group in groups
    ]
    return [row for i in split_by_cost(costs, world_size())[rank()] for row in groups[i]]


def split_by_cost(costs: Sequence[int], parts: int) -> list[list[int]]:
    """Distribute items, as indices, over parts of nearly equal cost. The largest item goes first,
    and each goes to the part with the least cost so far."""
    split: list[list[int]] = [[] for _ in range(parts)]
    totals = [0] * parts
    for i in sorted(range(len(costs)), key=lambda i: (-costs[i], i)):
        part = min(range(parts), key=lambda part: (totals[part], len(split[part])))
        split[part].append(i)
        totals[part] += costs[i]
    return [sorted(part) for part in split]
