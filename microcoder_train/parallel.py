"""Several processes train one model; without torch.distributed the one process is all there is.

Each samples and judges its part of a step's groups, whole groups only. What was judged is gathered,
so that every process knows the whole step and decides alike. Weights, gradients and the optimizer
are sharded (FSDP2). Whatever talks to the others is called by all, in one order, equally often.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, TypeVar

import torch
from torch import Tensor, distributed, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor

from microcoder_train.errors import LostProcessError

T = TypeVar("T")
# For one that hangs; one that ends is noticed at once. Longer than a slow rollout and its judging:
# so long may the others be waited for.
PATIENCE = timedelta(hours=2)


@contextmanager
def processes() -> Iterator[None]:
    """Join the others where torchrun started several. Raises LostProcessError when one is gone."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield
        return
    backend = "gloo"
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        backend = "cpu:gloo,cuda:nccl"
    distributed.init_process_group(backend, timeout=PATIENCE)
    try:
        yield
    except RuntimeError as error:  # gloo's errors have no type of their own
        if isinstance(error, distributed.DistError) or "gloo" in str(error):
            raise LostProcessError(
                f"process {rank()}: another process of this run ended or hangs (if it said why, "
                "that stands above); the same command goes on from the last checkpoint"
            ) from error
        raise
    distributed.destroy_process_group()


def world_size() -> int:
    """How many processes train together."""
    active = distributed.is_available() and distributed.is_initialized()
    return distributed.get_world_size() if active else 1


def rank() -> int:
    """Which of them this is; 0 speaks and writes the run's files."""
    return distributed.get_rank() if world_size() > 1 else 0


def processes_here() -> int:
    """How many of them share this machine's cores."""
    return int(os.environ.get("LOCAL_WORLD_SIZE", "1")) if world_size() > 1 else 1


def barrier() -> None:
    """Wait for all."""
    if world_size() > 1:
        distributed.all_reduce(torch.zeros(1))


def world_sums(*counts: float) -> tuple[float, ...]:
    """Each count summed over all processes: what a mini-batch's loss is divided by."""
    return _reduced(counts, distributed.ReduceOp.SUM)


def world_max(*values: float) -> tuple[float, ...]:
    """The largest of each over all processes."""
    return _reduced(values, distributed.ReduceOp.MAX)


def my_part(items: Sequence[T]) -> Sequence[T]:
    """This process's share: every world_size-th."""
    return items[rank() :: world_size()]


def gathered(part: Sequence[T]) -> list[T]:
    """The items of which each process has its part, in their order."""
    if world_size() == 1:
        return list(part)
    parts: list[Any] = [None] * world_size()
    distributed.all_gather_object(parts, list(part))
    return [parts[i % len(parts)][i // len(parts)] for i in range(sum(map(len, parts)))]


def whole(tensor: Tensor) -> Tensor:
    """A tensor with the shards of all processes."""
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def shard(root: nn.Module, layers: Collection[str], device: torch.device) -> None:
    """Shard a module, each of its layers (names of classes) for itself, where there are several.

    Gradients are summed, not averaged: the shares of a loss with global totals add up to the loss.
    """
    if world_size() == 1:
        return
    mesh = init_device_mesh(device.type, (world_size(),))
    inner = [module for module in root.modules() if type(module).__name__ in layers]
    for module in (*inner, root):
        # The root, too, gives its weights back after a forward pass: kept, they would be the old
        # ones in the next pass where an update comes without a backward pass before it.
        sharded = fully_shard(module, mesh=mesh, reshard_after_forward=True)
        sharded.set_gradient_divide_factor(1.0)
        sharded.set_force_sum_reduction_for_comms(True)  # other sums than plain ones are NCCL's


def _reduced(values: Sequence[float], how: Any) -> tuple[float, ...]:
    if world_size() == 1:
        return tuple(values)
    total = torch.tensor(values, dtype=torch.float64)
    distributed.all_reduce(total, op=how)
    return tuple(total.tolist())
