"""Engines that sample responses, behind one small protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from torch import nn

from microcoder_train.samples import Request, Sample

__all__ = ["Engine"]


class Engine(Protocol):
    """What the loop asks of an engine; it holds weights of its own or the trainer's."""

    def generate(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        """Sample every request; each sample is reported as soon as it is finished, by the thread
        that called, in any order."""

    def sync(self, model: nn.Module, version: int) -> dict[str, float]:
        """Take over the weights of ``model``; samples carry ``version`` from now on. Returns what
        was measured on the way."""

    def close(self) -> None:
        """Give back what it holds."""
