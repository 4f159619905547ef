"""A cache of the problems used last, bounded in bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.lru import LruCache
from microcoder_eval.records import Problem

_OBJECT_BYTES = 60  # a small object and the reference to it: a rough mean over int, float, str


class ProblemCache:
    """A least recently used cache. It keeps the last problem even if that exceeds the bound."""

    def __init__(self, max_bytes: int) -> None:
        self._problems: LruCache[str, Problem] = LruCache(max_weight=max_bytes)

    def get(self, problem_id: str) -> Problem | None:
        """Return the problem, if the cache has it."""
        return self._problems.get(problem_id)

    def put(self, problem: Problem, name: str | None = None) -> None:
        """Add the problem under its own name or another, and evict others beyond the bound."""
        key = problem.problem_id if name is None else name
        self._problems.put(key, problem, estimate_bytes(problem))

    def clear(self) -> None:
        """Remove all problems."""
        self._problems.clear()


def estimate_bytes(problem: Problem) -> int:
    """Estimate the memory of a problem in bytes."""
    total = 0
    pending: list[Any] = [[(test.input, test.output) for test in problem.tests]]
    pending += [problem.test_code, problem.statement, problem.starter_code]
    pending += [problem.meta, list(problem.solutions), problem.checker]
    pending += [problem.interactor, problem.includes, problem.grader]
    while pending:  # not recursive: tests may be nested as deeply as JSON can be
        value = pending.pop()
        total += _OBJECT_BYTES
        if isinstance(value, str | bytes):
            total += len(value)
        elif isinstance(value, Mapping):
            pending += value.keys()
            pending += value.values()
        elif isinstance(value, list | tuple | set | frozenset):
            if {int, float, bool}.issuperset(map(type, value)):
                total += _OBJECT_BYTES * len(value)
            else:
                pending += value
    return total
