"""What every endpoint needs: the judge without blocking, problems, and the limits on both.

What takes the interpreter's time (reading large JSON, problems) is done by a few threads, so that
the event loop goes on answering.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from microcoder_eval.api import Judge, RunResult
from microcoder_eval.errors import DataError
from microcoder_eval.formats import ProblemSet, problem_from, solution_from
from microcoder_eval.records import Judgement, Limits, Problem, Solution

from .caps import Caps
from .metrics import Metrics

Result = TypeVar("Result")


class Service:
    """A judge and named sets of problems, for one event loop. threads: as many as turns."""

    def __init__(
        self,
        judge: Judge,
        datasets: Mapping[str, ProblemSet],
        caps: Caps,
        metrics: Metrics,
        threads: int,
    ) -> None:
        self.judge = judge
        self.datasets = datasets
        self.caps = caps
        self.metrics = metrics
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="microcoder-serve")

    def close(self) -> None:
        """End the threads; after the judge was closed, or they may wait for it."""
        self._threads.shutdown(cancel_futures=True)

    async def aside(self, act: Callable[..., Result], *arguments: Any) -> Result:
        """What ``act`` returns or raises, done in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, act, *arguments)

    async def run(self, code: str, stdin: str, limits: Limits) -> RunResult:
        """Execute a program. Raises DataError for limits too high, JudgeError."""
        self.caps.check(limits)
        return await self.aside(self.judge.run, code, stdin, limits)

    async def judged(self, solution: Solution, problem: Problem) -> Judgement:
        """Judge one solution; JE is a Judgement, too. Raises JudgeError once it is closed."""
        judgement = await self.judge.ajudge(solution, problem)
        self.metrics.judged.labels(str(judgement.verdict)).inc()
        return judgement

    async def problem(self, written: Mapping[str, Any]) -> Problem:
        """A problem of a client's, in our own format. Raises DataError, also for limits too high.

        No other format: some are packed, and what they unpack to is not bounded by the body.
        """
        named = {"problem_id": "problem", **written}
        problem = await self.aside(partial(problem_from, named, format="native"))
        self.caps.check(problem.limits)
        return problem

    async def known_problem(self, dataset: str, problem_id: str) -> Problem:
        """A problem of a named set. Raises DataError when there is no such set or problem."""
        return await self.aside(self.dataset(dataset).get, problem_id)

    def dataset(self, name: str) -> ProblemSet:
        """The named set. Raises DataError naming those there are."""
        if name not in self.datasets:
            names = ", ".join(self.datasets) or "none"
            raise DataError(f'no dataset "{name[:80]}" is served here; served: {names}')
        return self.datasets[name]


def solution_of(written: Mapping[str, Any], problem_id: str, number: int = 1) -> Solution:
    """A solution in our own format, for that problem. Raises DataError."""
    if written.get("problem_id", problem_id) != problem_id:
        raise DataError('the solution\'s "problem_id" is not that of the problem')
    line = {**written, "problem_id": problem_id}
    return solution_from(line, default_id=f"{problem_id}#{number}", format="native")
