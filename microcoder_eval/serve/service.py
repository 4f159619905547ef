"""Shared by all endpoints: non-blocking access to the judge, problems, and caps on limits.

Threads parse problems and large JSON, so that the event loop stays responsive.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from microcoder_eval.api import Judge, RunResult
from microcoder_eval.errors import DataError
from microcoder_eval.formats import ProblemSet, native, problem_from, registry, solution_from
from microcoder_eval.formats.misplaced import find_misplaced_keys
from microcoder_eval.records import Judgement, Limits, Problem, Solution

from .metrics import Metrics
from .options import Options

Result = TypeVar("Result")
_DEFAULT_ID = "problem"  # of a problem without a name
_MAX_WARNINGS = 5
_MAX_OUTPUT_MB = 256.0  # a worker holds the output in memory
# Bound on test code and on starter code: parsing takes 500 bytes of memory for each character.
_MAX_CODE_CHARS = 1 << 18


class Service:
    """A judge and named datasets, for one event loop."""

    def __init__(
        self,
        judge: Judge,
        datasets: Mapping[str, ProblemSet],
        options: Options,
        metrics: Metrics,
    ) -> None:
        self.judge = judge
        self.datasets = datasets
        self.metrics = metrics
        self._highest_limits = {
            "time_s": options.max_time_s,
            "wall_s": 3 * options.max_time_s + 2,
            "memory_mb": options.max_memory_mb,
            "output_mb": _MAX_OUTPUT_MB,
            "files_mb": options.max_memory_mb,
        }
        self._threads = ThreadPoolExecutor(options.at_once, thread_name_prefix="microcoder-serve")

    def close(self) -> None:
        """End the threads. Close the judge first: threads may wait for it."""
        self._threads.shutdown(cancel_futures=True)

    def check_limits(self, limits: Limits) -> None:
        """Raise DataError if a limit is too high. To lower it would change the verdict."""
        for name, highest in self._highest_limits.items():
            value = getattr(limits, name)
            if value is not None and value > highest:
                raise DataError(f"limits: {name} may be {highest:g} at most on this server")

    async def run_in_thread(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Call ``function`` in a thread; return its result or raise its exception."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    async def run(self, code: str, stdin: str, limits: Limits, language: str) -> RunResult:
        """Run a program. Raises DataError if limits are too high, and JudgeError."""
        self.check_limits(limits)
        run_program = partial(self.judge.run, language=language)
        return await self.run_in_thread(run_program, code, stdin, limits)

    async def judge_solution(self, solution: Solution, problem: Problem) -> Judgement:
        """Judge one solution; it may be JE. Raises JudgeError if the judge is closed."""
        judgement = await self.judge.ajudge(solution, problem)
        self.metrics.judgements.labels(str(judgement.verdict)).inc()
        return judgement

    async def parse_problem(self, fields: Mapping[str, Any]) -> Problem:
        """Parse a client's problem in our own format. Raises DataError, also for high limits.

        Other formats are refused: some are compressed, so a small body could take much memory.
        """
        problem_fields = {"problem_id": _DEFAULT_ID, **fields}
        _check_code(problem_fields)
        problem = await self.run_in_thread(_read_problem, problem_fields)
        self.check_limits(problem.limits)
        return problem

    async def find_warnings(self, fields: Mapping[str, Any]) -> list[str]:
        """Return a sentence for each of the first keys that may hold tests but are not read."""
        return await self.run_in_thread(
            lambda: list(islice(find_misplaced_keys(fields), _MAX_WARNINGS))
        )

    async def find_problem(self, dataset: str, problem_id: str) -> Problem:
        """Find a problem of a dataset. Raises DataError if there is no such dataset or problem."""
        return await self.run_in_thread(self.get_dataset(dataset).get, problem_id)

    def get_dataset(self, name: str) -> ProblemSet:
        """Return the named dataset. Raises DataError that names the existing ones."""
        if name not in self.datasets:
            names = ", ".join(self.datasets) or "none"
            raise DataError(f'no dataset "{name[:80]}" is served here; served: {names}')
        return self.datasets[name]


def parse_solution(fields: Mapping[str, Any], problem_id: str, number: int = 1) -> Solution:
    """Parse a solution in our own format, for that problem. Raises DataError."""
    if fields.get("problem_id", problem_id) != problem_id:
        raise DataError('the solution\'s "problem_id" is not that of the problem')
    record = {**fields, "problem_id": problem_id}
    return solution_from(record, default_id=f"{problem_id}#{number}", format="native")


def _read_problem(fields: Mapping[str, Any]) -> Problem:
    """Read a problem in our own format. Raises DataError, also for a row of a data set."""
    try:
        return problem_from(fields, format="native")
    except DataError as error:
        row_format = registry.detect_problem_format(fields, None).name
        if row_format == native.FORMAT.name:
            raise
        raise DataError(
            f'it is in the format "{row_format}", which is read from files only: serve its file '
            "by --dataset, or convert it to native"
        ) from error


def _check_code(problem: Mapping[str, Any]) -> None:
    """Raise DataError if the code of an unparsed problem is too long."""
    for name in ("test_code", "starter_code"):
        code = problem.get(name)
        if isinstance(code, str) and len(code) > _MAX_CODE_CHARS:
            raise DataError(
                f'"{name}" may have {_MAX_CODE_CHARS} characters at most in a request; '
                "longer ones can be served from a file (--dataset)"
            )
