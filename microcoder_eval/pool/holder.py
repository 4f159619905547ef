"""What a judge shares with all made of it: a pool, replies that it can give again, and counts."""

from __future__ import annotations

import weakref
from collections.abc import Callable

from microcoder_eval.forksafe import ForkSafeLock

from .base import BasePool
from .dedup import DedupCache
from .stats import StatsCounter


class PoolHolder:
    """A pool, the replies that it can give again, and its counts. A judge and all judges made of it
    by ``with_changes`` share one. Its workers end with this object, if nobody has closed the pool.

    make_pool: starts a pool.
    pool: the latest one. In a fork of the process that made it, it is an abandoned pool, until
        ``provide_pool`` replaces it for all who share this object.
    """

    pool: BasePool
    dedup: DedupCache
    stats: StatsCounter

    def __init__(self, make_pool: Callable[[], BasePool]) -> None:
        self._make_pool = make_pool
        self._lock = ForkSafeLock()  # held while an abandoned pool is replaced
        self._replace_pool()

    def provide_pool(self) -> BasePool:
        """Return the pool; in a fork of the process that made it, one of its own."""
        if self.pool.abandoned:
            with self._lock:
                if self.pool.abandoned:
                    self._replace_pool()
        return self.pool

    def _replace_pool(self) -> None:
        pool = self._start_pool()
        self.dedup = DedupCache(pool.enqueue)
        self.stats = StatsCounter()
        self.pool = pool  # last: a thread that meets it without the lock must meet its cache, too

    def _start_pool(self) -> BasePool:
        pool = self._make_pool()
        weakref.finalize(self, pool.release).atexit = False  # then the pool closes itself
        return pool
