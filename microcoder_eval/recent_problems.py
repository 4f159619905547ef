"""Problems that were read from plain dicts and lists of tests, found again without reading them.

Each look-up serialises the tests and compares the bytes, so a test that was edited in place is
noticed. A problem is kept from its second reading on. Most callers read each problem once, and
keeping one costs as much as reading it.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

from .forksafe import ForkSafeLock
from .lru import LruCache
from .records import Problem

MAX_BYTES, _MAX_PROBLEMS = 256 << 20, 1024
_MAX_SEEN = 16_384  # hashes of problems that were read once
_SAMPLE_BYTES = 1024  # of the start, the middle and the end


class RecentProblems:
    """The problems that were read last, with the bytes that they were read from, at most MAX_BYTES
    of both. Threads may share it."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._lock = ForkSafeLock()
        self._entries: LruCache[Any, tuple[Problem, bytes]] = LruCache(_MAX_PROBLEMS, max_bytes)
        self._seen: set[int] = set()

    def parse_or_reuse(
        self,
        tests: Any,
        names: tuple[Any, ...],
        parse: Callable[[Any], Problem],
        *,
        keep_first: bool = False,
    ) -> Problem:
        """Return the problem of ``tests``, parsed if no equal ones were. names: what else decides
        what is parsed. keep_first: keep it from its first reading on."""
        if type(tests) not in (dict, list, tuple):
            return parse(tests)
        try:
            data = pickle.dumps((names, tests))
        except Exception:  # an object of the caller's may raise anything
            return parse(tests)
        key = (len(data), _sample(data))
        with self._lock:
            entry = self._entries.get(key)
            is_second = self._see(hash(key))
        if entry is not None and entry[1] == data:
            return entry[0]
        if not (is_second or keep_first):
            return parse(tests)
        problem = parse(pickle.loads(data)[1])  # it must not change with the caller's objects
        weight = problem.size + len(data)
        if weight <= self._max_bytes:
            with self._lock:
                self._entries.put(key, (problem, data), weight)
        return problem

    def _see(self, key_hash: int) -> bool:
        """Note that a problem with this hash is read. Returns whether one was before."""
        if key_hash in self._seen:
            return True
        if len(self._seen) >= _MAX_SEEN:
            self._seen.clear()
        self._seen.add(key_hash)
        return False

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._entries.clear()
            self._seen.clear()


def _sample(data: bytes) -> bytes:
    """Return what tells most problems apart."""
    middle = len(data) // 2
    parts = (data[:_SAMPLE_BYTES], data[middle : middle + _SAMPLE_BYTES], data[-_SAMPLE_BYTES:])
    return b"".join(parts)


recent_problems = RecentProblems()
