"""Sums over the processes of a run; without torch.distributed the one process is all there is."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, distributed, nn
from torch.distributed.tensor import DTensor


def world_size() -> int:
    """How many processes train together."""
    active = distributed.is_available() and distributed.is_initialized()
    return distributed.get_world_size() if active else 1


def world_sums(*counts: int) -> tuple[int, ...]:
    """Each count summed over all processes: what a mini-batch's loss is divided by."""
    if world_size() == 1:
        return counts
    total = torch.tensor(counts, dtype=torch.int64)
    distributed.all_reduce(total)
    return tuple(total.tolist())


def whole(tensor: Tensor) -> Tensor:
    """A tensor with the shards of all processes."""
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def sum_gradients(parameters: Iterable[nn.Parameter]) -> None:
    """Add up the gradients of all processes. The shares of a loss with global totals add up to
    the loss, so this is a sum, not a mean."""
    if world_size() == 1:
        return
    for parameter in parameters:
        gradient: Tensor | None = parameter.grad
        if gradient is None:
            gradient = parameter.grad = torch.zeros_like(parameter)
        distributed.all_reduce(gradient)
