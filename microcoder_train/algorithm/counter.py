"""Randomness as a pure function of what it is for: no state to save, nothing to replay.

Every draw is named by its parts, such as (seed, "mask", step, problem, sample). The same name
gives the same number in any process, on any rank, after any resume.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np


def key(*parts: int | str) -> int:
    """63 bits that depend on every part (its type included); fits a torch seed."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=8).digest(), "big") >> 1


def uniform(*parts: int | str) -> float:
    """A number in [0, 1)."""
    return (key(*parts) >> 10) / 2**53


def permutation(size: int, *parts: int | str) -> list[int]:
    """0..size-1 in an order that depends on the parts."""
    order: list[int] = np.random.Generator(np.random.Philox(key(*parts))).permutation(size).tolist()
    return order
