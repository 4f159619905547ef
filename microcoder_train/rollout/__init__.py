"""Engines that sample responses, behind one protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from microcoder_train.learner.scorer import Scorer
from microcoder_train.samples import Request, Sample

__all__ = ["Engine"]


class Engine(Protocol):
    """An engine, which holds its own weights or shares the trainer's."""

    def generate(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        """Sample every request and report each sample when it is finished.

        ``on_finish`` runs in the calling thread; samples come in any order.
        """

    def sync(self, scorer: Scorer, version: int) -> dict[str, float]:
        """Take over the weights of ``scorer.model``; later samples carry ``version``.

        Every rank must call it. Returns metrics.
        """

    def sleep(self) -> None:
        """Free as much GPU memory for the update as the engine can; ``sync`` wakes the engine. An
        engine that holds none does nothing."""
        return

    def close(self) -> None:
        """Release the engine's resources; those of a server stay the user's."""
        return
