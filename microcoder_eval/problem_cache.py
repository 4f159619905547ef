"""A cache of the problems used last, bounded in bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.lru import LruCache
from microcoder_eval.records import Problem

_OBJECT_BYTES = 60  # a small object and the reference to it: a rough mean over int, float, str


class ProblemCache(LruCache[str, Problem]):
    """The problems used last, at most ``max_bytes`` of them; the newest always stays."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(max_weight=max_bytes)

    def add(self, problem: Problem, name: str | None = None) -> None:
        """Add the problem under its own name or another."""
        key = problem.problem_id if name is None else name
        self.put(key, problem, estimate_bytes(problem))


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
