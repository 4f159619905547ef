"""One process of a step that two take together.

python -m tests.train.one_rank RANK MODEL MEETING RESULT
"""

from __future__ import annotations

import sys
from datetime import timedelta

import torch
from torch import distributed

from microcoder_train.config import load
from microcoder_train.update import update
from tests.train.one_step import policy_of, rows, weights


def main() -> None:
    rank, model, meeting, result = int(sys.argv[1]), *sys.argv[2:]
    torch.set_num_threads(1)
    distributed.init_process_group(
        "gloo",
        init_method=f"file://{meeting}",
        rank=rank,
        world_size=2,
        timeout=timedelta(minutes=3),
    )
    settings = load(None, "tiny", [f"model.path={model}"])
    policy = policy_of(settings)
    cut = 5  # an uneven split, of rows and of tokens
    share = [mini[:cut] if rank == 0 else mini[cut:] for mini in rows(policy)]
    found = update(policy, share, settings.config, 0, 4)
    torch.save((weights(policy), found["actor/pg_loss"]), result)
    distributed.destroy_process_group()


if __name__ == "__main__":
    main()
