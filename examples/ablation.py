"""An ablation in ten lines: the same run with another idea of what a sample is worth.

Here rewards are centred on the batch instead of the group. Compare with the plain run:
microcoder-train plot runs/group runs/batch
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from microcoder_train.config import load
from microcoder_train.credit import Credit
from microcoder_train.samples import Graded
from microcoder_train.trainer import Trainer


class BatchBaseline(Trainer):
    """Advantage: reward minus the batch's mean reward."""

    def credit(self, groups: Sequence[Sequence[Graded]]) -> Credit:
        """The step's credit with another baseline."""
        credit = super().credit(groups)
        mean = credit.rewards_PG[credit.valid_PG].mean()
        centred = (credit.rewards_PG - mean).masked_fill(~credit.valid_PG | credit.masked_PG, 0.0)
        return replace(credit, advantages_PG=centred)


def main(out: Path, *words: str) -> None:
    """Both runs, on the tiny model."""
    for name, trainer in (("group", Trainer), ("batch", BatchBaseline)):
        trainer(load(None, "tiny", words), out / name).run()


if __name__ == "__main__":
    main(Path("runs"), *sys.argv[1:])
