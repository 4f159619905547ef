"""Keeps the problems used last, up to a number of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from microcoder_eval.records import Problem

_OBJECT_BYTES = 60  # a small object and the reference to it: a rough mean over int, float, str


class ProblemCache:
    """Least recently used goes first. The last one stays, however large: it is asked for again."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._kept: OrderedDict[str, tuple[Problem, int]] = OrderedDict()

    def get(self, problem_id: str) -> Problem | None:
        """The problem, if it is still here."""
        found = self._kept.get(problem_id)
        if found is None:
            return None
        self._kept.move_to_end(problem_id)
        return found[0]

    def put(self, problem: Problem, name: str | None = None) -> None:
        """Keep the problem, under its own name or another, and let go of others until the bytes
        suffice."""
        size = weight(problem)
        self._kept[problem.problem_id if name is None else name] = (problem, size)
        self._bytes += size
        while self._bytes > self._max_bytes and len(self._kept) > 1:
            self._bytes -= self._kept.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()
        self._bytes = 0


def weight(problem: Problem) -> int:
    """About how many bytes of memory the problem takes."""
    total = 0
    waiting: list[Any] = [[(test.input, test.output) for test in problem.tests]]
    waiting += [problem.test_code, problem.statement, problem.starter_code]
    waiting += [problem.meta, list(problem.solutions), problem.checker]
    waiting.append(problem.interactor)
    while waiting:  # not recursive: tests may be nested as deeply as JSON can be
        value = waiting.pop()
        total += _OBJECT_BYTES
        if isinstance(value, str | bytes):
            total += len(value)
        elif isinstance(value, Mapping):
            waiting += value.keys()
            waiting += value.values()
        elif isinstance(value, list | tuple | set | frozenset):
            if {int, float, bool}.issuperset(map(type, value)):
                total += _OBJECT_BYTES * len(value)
            else:
                waiting += value
    return total
