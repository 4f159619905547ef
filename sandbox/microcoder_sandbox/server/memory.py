"""Tidies the fork server's memory before it forks: a child copies each page it writes to.

A program of ten tests took 340 page faults with gaps left free, 327 with those of the heap filled,
321 with those of Python's pools filled and 310 with both filled (CPython 3.11). Both together take
4 % off the CPU time of a child that runs ten tiny tests, 8 % off that of a child that runs one.
Fewer mappings (syscalls.merge_library_mappings leaves 92 of 142) take .1 of 1.5 ms off a fork.
"""

from __future__ import annotations

import gc
import sys

from microcoder_sandbox.kernel import syscalls

_POOL_BYTES, _POOL_HEADER_BYTES, _MAX_FREE_BLOCKS = 16 << 10, 48, 4096  # obmalloc.c
_filling: list[bytes] = []


def release_memory() -> None:
    """Give back memory that only the start needed, since each fork and exit pays for every page.
    Fill the gaps in the rest, and keep the garbage collector away from it (gc.freeze)."""
    gc.collect()
    syscalls.trim_heap()
    syscalls.fill_heap_gaps()
    fill_pools()
    gc.freeze()
    gc.disable()


def fill_pools() -> None:
    """Take the free blocks between the small objects in use, for ever. New objects of a child then
    lie side by side in new pools, and touch fewer pages (CPython, obmalloc.c)."""
    empty_size = sys.getsizeof(b"")
    for size in range(48, 512 + 1, 16):
        last_address = 0
        for _ in range(_MAX_FREE_BLOCKS):
            block = bytes(size - empty_size)
            second_of_a_pool = last_address + size
            if last_address % _POOL_BYTES == _POOL_HEADER_BYTES and id(block) == second_of_a_pool:
                break
            _filling.append(block)
            last_address = id(block)
        else:
            return  # another allocator
