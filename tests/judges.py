"""A judge whose workers tests share, and the toolchains that some languages need."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import pytest

from microcoder_eval import Judge
from microcoder_eval.languages import find_language
from microcoder_eval.pool.base import BasePool
from microcoder_eval.pool.holder import PoolHolder
from microcoder_eval.settings import POOL_OPTIONS
from microcoder_sandbox.toolchains.toolchain import find_toolchain, how_to_install


class LastingHolder(PoolHolder):
    """Holds a pool that is made once a key in this process, and ends with it."""

    _pools: ClassVar[dict[tuple[object, ...], BasePool]] = {}

    def __init__(self, make_pool: Callable[[], BasePool], key: tuple[object, ...]) -> None:
        self._key = key
        super().__init__(make_pool)

    def _start_pool(self) -> BasePool:
        if self._key not in self._pools:
            self._pools[self._key] = self._make_pool()
        return self._pools[self._key]


class SharedJudge(Judge):
    """A judge on workers that all tests of this process share: starting some takes longer than most
    tests. Closing it ends nothing."""

    def _hold_pool(self, make_pool: Callable[[], BasePool]) -> PoolHolder:
        key = tuple(getattr(self.options, name) for name in sorted(POOL_OPTIONS))
        return LastingHolder(make_pool, key)

    def close(self, cancel: bool = False) -> None:
        pass


def require_toolchain(language: str) -> None:
    """Skip the test on a machine that has no toolchain for it."""
    entry = find_language(language)
    assert entry is not None
    if entry.compiled and find_toolchain(entry.toolchain) is None:
        pytest.skip(f"this machine has no toolchain for it: {how_to_install(entry.toolchain)}")
