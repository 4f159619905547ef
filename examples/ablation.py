"""An ablation in ten lines: the same run with another idea of what a sample is worth.

Here rewards are centred on the batch instead of the group. Compare with the plain run:
microcoder-train plot runs/group runs/batch
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from microcoder_train.config_layers import load_settings
from microcoder_train.learner.advantages import Advantages
from microcoder_train.run.trainer import Trainer
from microcoder_train.samples import Episode


class BatchBaseline(Trainer):
    """Advantage: reward minus the batch's mean reward."""

    def compute_advantages(self, groups: Sequence[Sequence[Episode]]) -> Advantages:
        """The step's advantages with another baseline."""
        advantages = super().compute_advantages(groups)
        mean = advantages.rewards_PG[advantages.valid_PG].mean()
        centred = (advantages.rewards_PG - mean).masked_fill(
            ~advantages.valid_PG | advantages.masked_PG, 0.0
        )
        return replace(advantages, advantages_PG=centred)


def main(out: Path, *words: str) -> None:
    """Both runs, on the tiny model."""
    for name, trainer in (("group", Trainer), ("batch", BatchBaseline)):
        trainer(load_settings(None, "tiny", words), out / name).run()


if __name__ == "__main__":
    main(Path("runs"), *sys.argv[1:])
