"""What runs on a node of a Ray cluster: an actor around an ordinary pool of that machine.

Requests, problems and replies are the messages between a pool and its workers, encoded as those
are (worker/messages.py): Ray never pickles what a program wrote.
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

from microcoder_eval.errors import JudgeError
from microcoder_eval.pool.cores import usable_cores
from microcoder_eval.pool.pool import Pool
from microcoder_eval.pool.tasks import ProblemPayload, Task
from microcoder_eval.version import __version__
from microcoder_eval.worker.messages import (
    ProblemSpec,
    ProgramRequest,
    SolutionRequest,
    decode,
    encode,
)
from microcoder_sandbox.driver.plan import make_plan
from microcoder_sandbox.outcome import SandboxUnavailableError


def describe_environment(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions that all nodes must share, so that verdicts do not depend on the node.

    packages: those that programs may import and that are installed here.
    """
    versions = {"microcoder": __version__, "Python": ".".join(map(str, sys.version_info[:2]))}
    for name in packages:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "of unknown version"
    return versions


def describe_differences(expected: Mapping[str, str], actual: Mapping[str, str]) -> str:
    """How a node's environment differs from the caller's; empty if it does not."""
    return ", ".join(
        f"{name} {actual.get(name, 'missing')} (the caller: {expected.get(name, 'missing')})"
        for name in sorted({*expected, *actual})
        if expected.get(name) != actual.get(name)
    )


@dataclass(frozen=True, slots=True)
class NodeStart:
    """What a node has to judge with. refusal: why it cannot judge; "": it can."""

    workers: int = 0
    level: int = 0
    layers: Mapping[str, str] = field(default_factory=dict)
    refusal: str = ""


class NodeJudge:
    """The actor. Its calls may arrive in any order, so each shipment of a problem has a number of
    its own, which is never used again."""

    def __init__(self) -> None:
        self._pool: Pool | None = None
        self._problems: defaultdict[int, asyncio.Future[ProblemPayload]] = defaultdict(
            lambda: asyncio.get_running_loop().create_future()
        )

    async def start(
        self,
        plan_options: Mapping[str, Any],
        workers: int | None,
        cores: int,
        caller_environment: Mapping[str, str],
    ) -> NodeStart:
        """Start the workers. workers: how many (default: the cores that Ray and the system both
        grant)."""
        workers = workers or min(cores, usable_cores())
        try:
            plan = make_plan(**plan_options)
            if difference := describe_differences(
                caller_environment, describe_environment(plan.packages)
            ):
                return NodeStart(
                    refusal=f"other software than where the judge was made: {difference}"
                )
            self._pool = await asyncio.to_thread(Pool, plan, workers, 1)
        except (SandboxUnavailableError, JudgeError) as error:
            return NodeStart(refusal=str(error))
        return NodeStart(workers, self._pool.level, self._pool.layers)

    async def store_problem(self, number: int, key: str, size: int, problem_bytes: bytes) -> None:
        """Keep a problem for the calls that name it."""

        def build() -> ProblemSpec:
            problem = decode(problem_bytes)
            assert isinstance(problem, ProblemSpec)
            return problem

        self._problems[number].set_result(ProblemPayload(key, size, build))

    async def forget_problem(self, number: int) -> None:
        """Let go of a problem; nobody asks for that number again."""
        del self._problems[number]

    async def run_task(self, number: int | None, request_bytes: bytes) -> bytes:
        """Have a request done by a worker of this node, and return its reply."""
        assert self._pool is not None
        problem = None if number is None else await self._problems[number]
        request = decode(request_bytes)
        assert isinstance(request, SolutionRequest | ProgramRequest)
        task = Task(request, problem, lambda reply: reply)
        self._pool.enqueue(task)
        return encode(await asyncio.wrap_future(task.future))

    async def close(self, cancel: bool) -> None:
        """End the workers."""
        if self._pool is not None:
            await asyncio.to_thread(self._pool.close, cancel)
