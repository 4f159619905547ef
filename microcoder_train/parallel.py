"""Processes that train one model together; without torch.distributed there is one.

Each rank samples and judges whole groups of a step. All ranks then gather all judgements and
compute identical decisions. FSDP2 shards weights, gradients and optimizer. Calls that communicate
must be made by every rank, in the same order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from typing import Any, TypeVar

import torch
from torch import Tensor, distributed, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor

from .errors import LostProcessError

T = TypeVar("T")
# How long a rank waits for another. This is longer than a slow rollout with judging, since it only
# has to detect a rank that hangs; a rank that ends is noticed at once.
TIMEOUT = timedelta(hours=2)


@contextmanager
def join_processes() -> Iterator[None]:
    """Join the process group of torchrun, if any. Raises LostProcessError if a process is lost."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield
        return
    backend = "gloo"
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        backend = "cpu:gloo,cuda:nccl"
    distributed.init_process_group(backend, timeout=TIMEOUT)
    try:
        yield
    except RuntimeError as error:  # gloo's errors have no type of their own
        if isinstance(error, distributed.DistError) or "gloo" in str(error):
            raise LostProcessError(
                f"process {rank()}: another process of this run ended or hangs (its own message, "
                "if any, is above); the same command goes on from the last checkpoint"
            ) from error
        raise
    if distributed.is_initialized():  # a vLLM engine that closed has already destroyed the group
        distributed.destroy_process_group()


def world_size() -> int:
    """Return the number of processes that train together."""
    active = distributed.is_available() and distributed.is_initialized()
    return distributed.get_world_size() if active else 1


def rank() -> int:
    """Return the number of this process; rank 0 logs and saves."""
    return distributed.get_rank() if world_size() > 1 else 0


@cache
def make_background_group() -> distributed.ProcessGroup | None:
    """Return the group of a thread that communicates beside the main one; None if alone. Every rank
    must call it."""
    return distributed.new_group(backend="gloo", timeout=TIMEOUT) if world_size() > 1 else None


def barrier() -> None:
    """Wait for all ranks."""
    if world_size() > 1:
        distributed.all_reduce(torch.zeros(1))


def sum_over_ranks(*values: float) -> tuple[float, ...]:
    """Return each value summed over all ranks."""
    return _all_reduce(values, distributed.ReduceOp.SUM)


def max_over_ranks(*values: float) -> tuple[float, ...]:
    """Return the maximum of each value over all ranks."""
    return _all_reduce(values, distributed.ReduceOp.MAX)


def ask_first_rank(decide: Callable[[], T]) -> T:
    """Return rank 0's answer on every rank; only rank 0 calls the function."""
    answers = [decide() if rank() == 0 else None]
    if world_size() > 1:
        distributed.broadcast_object_list(answers)
    return answers[0]  # type: ignore[return-value]


def rank_shard(items: Sequence[T]) -> Sequence[T]:
    """Return the items of this rank: every world_size-th."""
    return items[rank() :: world_size()]


def gather_shards(shard: Sequence[T]) -> list[T]:
    """Return the items of all ranks, in the order before ``rank_shard``."""
    parts, ranks = gather_lists([list(shard)]), world_size()
    return [parts[i % ranks][i // ranks] for i in range(sum(map(len, parts)))]


def gather_lists(items: Sequence[T]) -> list[T]:
    """Return the items of all ranks. Each rank may have any number of items."""
    if world_size() == 1:
        return list(items)
    parts: list[Any] = [None] * world_size()
    distributed.all_gather_object(parts, list(items))
    return [item for part in parts for item in part]


def full_tensor(tensor: Tensor) -> Tensor:
    """Return the tensor, gathered from all ranks if it is sharded."""
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


@torch.no_grad()
def copy_from_first_rank(module: nn.Module) -> None:
    """Copy the weights and buffers of rank 0 to all other ranks, one by one, overwriting theirs."""
    if world_size() > 1:
        for tensor in (*module.parameters(), *module.buffers()):
            distributed.broadcast(tensor, src=0)


def shard_module(
    root: nn.Module,
    layers: Collection[str],
    device: torch.device,
    gathered_dtype: torch.dtype | None,
) -> None:
    """Shard a module over all ranks, layer by layer. layers: names of their classes.

    gathered_dtype: the dtype in which weights are gathered and used; None means their own.
    Gradients are then summed in float32. They are not averaged, since losses are
    already divided by global counts.
    """
    if world_size() == 1:
        return
    mesh = init_device_mesh(device.type, (world_size(),))
    reduced = torch.float32 if gathered_dtype else None
    precision = MixedPrecisionPolicy(param_dtype=gathered_dtype, reduce_dtype=reduced)
    layer_modules = [module for module in root.modules() if type(module).__name__ in layers]
    for module in (*layer_modules, root):
        # The root is resharded after a forward pass too. Otherwise an update without a backward
        # pass would leave it with the old weights for the next pass.
        sharded_module = fully_shard(
            module, mesh=mesh, reshard_after_forward=True, mp_policy=precision
        )
        sharded_module.set_gradient_divide_factor(1.0)
        sharded_module.set_force_sum_reduction_for_comms(True)  # other reductions need NCCL


def _all_reduce(values: Sequence[float], operation: Any) -> tuple[float, ...]:
    if world_size() == 1:
        return tuple(values)
    total = torch.tensor(values, dtype=torch.float64)
    distributed.all_reduce(total, op=operation)
    return tuple(total.tolist())
