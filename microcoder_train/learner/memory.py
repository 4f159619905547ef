"""The memory of tensors: what glibc does with freed blocks, and what to say when none is left."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from microcoder_train.errors import TrainError

M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4  # mallopt(3)


def keep_freed_memory() -> None:
    """Let glibc keep freed memory for the next tensor; other C libraries stay unchanged.

    By default, glibc returns large blocks to the kernel, and the kernel clears every page of the
    next block. This takes a third of a training step on the CPU. Keeping the memory costs some
    fragmentation.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_MMAP_MAX, 0)
        mallopt(M_TRIM_THRESHOLD, 2**31 - 1)


@contextmanager
def explain_memory_errors(activity: str, settings: str) -> Iterator[None]:
    """Turn an out-of-memory error into a TrainError that names the settings to lower."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not is_memory_error(error):
            raise
        raise TrainError(f"out of memory while {activity}: lower {settings}") from error


def is_memory_error(error: Exception) -> bool:
    """Whether memory ran out. The CPU allocator raises a plain RuntimeError."""
    is_typed = isinstance(error, MemoryError | torch.OutOfMemoryError)
    return is_typed or "can't allocate memory" in str(error)
