"""Counter-based randomness: every draw is a pure function of its name, so there is no state.

A name has parts, such as (seed, "mask", step, problem, sample). The same name gives the same number
in any process, on any rank and after any resume.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def seed_for(*parts: int | str) -> int:
    """Return a 63-bit seed that depends on every part and its type."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=8).digest(), "big") >> 1


def uniform(*parts: int | str) -> float:
    """Return a uniform draw from [0, 1)."""
    return (seed_for(*parts) >> 10) / 2**53


def permutation(size: int, *parts: int | str) -> list[int]:
    """Return 0..size-1 in a random order."""
    generator = np.random.Generator(np.random.Philox(seed_for(*parts)))
    order: list[int] = generator.permutation(size).tolist()
    return order


def shuffle(items: Sequence[T], *parts: int | str) -> list[T]:
    """Return the items in a random order."""
    return [items[i] for i in permutation(len(items), *parts)]
