"""What the fork server does once, so that no child has to: each in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAP = """
from microcoder_sandbox.isolation import kernel
kernel.fill_heap_gaps()
malloc, free = kernel._libc.malloc, kernel._libc.free
chunks = [malloc(3000) for _ in range(200)]
for chunk in chunks[::2]:
    free(chunk)
assert malloc(3000) < chunks[-1]
kernel.fill_heap_gaps()
print([malloc(size) > chunks[-1] for size in (24, 40, 500, 3000)])
"""
POOLS = """
from microcoder_sandbox.inside import server
texts = [bytes(range(200)) + bytes([n % 256]) for n in range(500)]
del texts[::2]
server.fill_pools()
later_texts = [bytes([n]) * 201 for n in range(20)]
pools, later_pools = ({id(t) // server._POOL_BYTES for t in ts} for ts in (texts, later_texts))
print(pools.isdisjoint(later_pools), len(later_pools) <= 2)
"""
MAPPINGS = """
from microcoder_sandbox.isolation import kernel

def list_libc():
    lines = [line.split() for line in open("/proc/self/maps")]
    return [line[1] for line in lines if line[-1].rpartition("/")[2].startswith("libc.so")]

before = list_libc()
kernel.merge_library_mappings()
after = list_libc()
print(before[:3] == ["r--p", "r-xp", "r--p"], after == before[1:2] + before[3:])
"""


def run_alone(source: str) -> list[str]:
    process = subprocess.run(
        [sys.executable, "-c", source],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return process.stdout.splitlines()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc")
def test_what_is_allocated_after_filling_lies_behind_all_gaps() -> None:
    assert run_alone(HEAP) == ["[True, True, True, True]"]


def test_small_objects_made_after_filling_lie_in_new_pools() -> None:
    assert run_alone(POOLS) == ["True True"]


def test_a_library_keeps_one_mapping_for_its_code_and_constants() -> None:
    assert run_alone(MAPPINGS) == ["True True"]
