"""One process of the steps that several take together, each from the same weights.

python -m tests.train.learner.one_rank RANK RANKS MODEL MEETING RESULT [key=value] ...

A step is taken with each of the settings at the end, where "" is none.
"""

from __future__ import annotations

import sys
from datetime import timedelta

import torch
from torch import distributed

from microcoder_train.config_layers import load_settings
from microcoder_train.learner.update import update
from tests.train.digits import SETTINGS
from tests.train.learner.one_step import policy_of, rows, weights


def main() -> None:
    rank, ranks = map(int, sys.argv[1:3])
    model, meeting, result, *words = sys.argv[3:]
    torch.set_num_threads(1)
    distributed.init_process_group(
        "gloo",
        init_method=f"file://{meeting}",
        rank=rank,
        world_size=ranks,
        timeout=timedelta(minutes=3),
    )
    steps = [take_share(rank, ranks, model, word.split()) for word in words]
    torch.save(steps, result)
    distributed.destroy_process_group()


def take_share(
    rank: int, ranks: int, model: str, overrides: list[str]
) -> tuple[torch.Tensor, float]:
    """The weights after a step, and its loss."""
    settings = load_settings(None, "tiny", [f"model.path={model}", *SETTINGS, *overrides])
    policy = policy_of(settings)
    first_rows, second_rows = rows(policy)
    split_at = 5  # the first mini-batch: uneven, of rows and of tokens
    uneven = first_rows[:split_at] if rank == 0 else first_rows[split_at:][rank - 1 :: ranks - 1]
    rows_without_advantage = [
        row for row in second_rows if row.advantage == 0
    ]  # all that the last rank has of the second
    rows_with_advantage = [row for row in second_rows if row.advantage]
    share = rows_without_advantage if rank == ranks - 1 else rows_with_advantage[rank :: ranks - 1]
    metrics = update(policy, [uneven, share], settings.config, 0, 4)
    return weights(policy), metrics["actor/pg_loss"]


if __name__ == "__main__":
    main()
