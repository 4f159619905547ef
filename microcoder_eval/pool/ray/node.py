"""What runs on a node of a Ray cluster: an actor around an ordinary pool of that machine.

Messages and problems come and go as marshalled bytes, as they do between a pool and its workers
(frames.py): Ray never pickles what a program wrote.
"""

from __future__ import annotations

import asyncio
import marshal
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib import metadata
from typing import Any

from microcoder_sandbox.cage import make_plan
from microcoder_sandbox.outcome import CageUnavailableError

from .cores import usable_cores
from .errors import JudgeError
from .link import ProblemPayload, Task
from .pool import Pool
from .version import __version__


def environment(packages: Iterable[str]) -> dict[str, str]:
    """What must be the same wherever programs are judged, lest verdicts depend on the node.

    packages: those that programs may import and that are installed here.
    """
    versions = {"microcoder": __version__, "Python": ".".join(map(str, sys.version_info[:2]))}
    for name in packages:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "of unknown version"
    return versions


def differences(ours: Mapping[str, str], theirs: Mapping[str, str]) -> str:
    """How a node's environment differs from the caller's; empty if it does not."""
    return ", ".join(
        f"{name} {theirs.get(name, 'missing')} (the caller: {ours.get(name, 'missing')})"
        for name in sorted({*ours, *theirs})
        if ours.get(name) != theirs.get(name)
    )


class NodeJudge:
    """The actor. Its calls may arrive in any order; each problem has a number of its own, never
    used again, that says which shipment of it a call is about."""

    def __init__(self) -> None:
        self._pool: Pool | None = None
        self._problems: defaultdict[int, asyncio.Future[ProblemPayload]] = defaultdict(
            lambda: asyncio.get_running_loop().create_future()
        )

    async def start(
        self,
        cage: Mapping[str, Any],
        habits: Mapping[str, Any],
        workers: int | None,
        cores: int,
        environment_there: Mapping[str, str],
    ) -> dict[str, Any]:
        """Start the workers. workers: how many (default: the cores that Ray and the system both
        grant). Returns what this node has, or why it cannot judge."""
        workers = workers or min(cores, usable_cores())
        try:
            plan = make_plan(**cage)
            if found := differences(environment_there, environment(plan.packages)):
                return {"cannot": f"other software than where the judge was made: {found}"}
            self._pool = await asyncio.to_thread(Pool, plan, habits, workers, 1)
        except (CageUnavailableError, JudgeError) as error:
            return {"cannot": str(error)}
        return {"workers": workers, "level": self._pool.level, "layers": self._pool.layers}

    async def hold(self, number: int, key: str, size: int, packed: bytes) -> None:
        """Keep a problem for the calls that name it."""
        payload = ProblemPayload(key, size, lambda: dict(marshal.loads(packed)))
        self._problems[number].set_result(payload)

    async def forget(self, number: int) -> None:
        """Let go of a problem; nobody asks for that number again."""
        del self._problems[number]

    async def do(self, verb: str, number: int | None, message: bytes) -> bytes:
        """Have a task done by a worker of this node, and return its answer."""
        assert self._pool is not None
        problem = None if number is None else await self._problems[number]
        task = Task(verb, marshal.loads(message), problem, lambda answer: answer)
        self._pool.put(task)
        return marshal.dumps(await asyncio.wrap_future(task.future))

    async def close(self, cancel: bool) -> None:
        """End the workers."""
        if self._pool is not None:
            await asyncio.to_thread(self._pool.close, cancel)
