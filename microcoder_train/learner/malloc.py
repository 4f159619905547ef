"""What the C library does with the memory that tensors leave behind."""

from __future__ import annotations

import ctypes

M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4  # mallopt(3)
LARGEST = 2**31 - 1


def keep_freed_memory() -> None:
    """Keep what is freed for the next tensor, in this process, where the C library is glibc.

    It gives large blocks back to the kernel, which clears every page of the next one anew: a third
    of a training step on the CPU. Costs some memory, since what is kept is in pieces.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_MMAP_MAX, 0)
        mallopt(M_TRIM_THRESHOLD, LARGEST)
