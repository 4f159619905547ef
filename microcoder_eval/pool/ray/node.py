"""What runs on a node of a Ray cluster: an actor around an ordinary pool of that machine.

Requests, problems and replies are the messages between a pool and its workers, encoded as those
are (worker/messages.py): Ray never pickles what a program wrote.
"""

from __future__ import annotations

import asyncio
import marshal
import sys
import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import field
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from microcoder_eval.errors import JudgeError
from microcoder_eval.pool.cores import usable_cores
from microcoder_eval.pool.payloads import ProblemPayload
from microcoder_eval.pool.pool import Pool
from microcoder_eval.pool.tasks import Task
from microcoder_eval.version import __version__, get_installed_version
from microcoder_eval.worker import messages
from microcoder_sandbox import SandboxUnavailableError, make_plan, record

REPLY_SECONDS = 0.25  # for which a reply waits for others, while the workers have enough to do
MIN_QUEUED = 2  # tasks for each worker: with fewer, replies are sent at once, and bring new tasks
TaskReply: TypeAlias = tuple[int, bytes | None]  # a ticket, and its reply, None if handed back


class StoredProblem(NamedTuple):
    """A problem on its way to a node. number: the number of the shipment. key, size: see
    ``ProblemPayload``."""

    number: int
    key: str
    size: int
    problem_bytes: bytes


class TaskCall(NamedTuple):
    """A task on its way to a node. problem_number: its problem's shipment, or None."""

    ticket: int
    problem_number: int | None
    request_bytes: bytes


def describe_environment(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions that all nodes must share, so that verdicts do not depend on the node.

    packages: those that programs may import and that are installed here.
    """
    versions = {"microcoder": __version__, "Python": ".".join(map(str, sys.version_info[:2]))}
    for name in packages:
        versions[name] = get_installed_version(name) or "of unknown version"
    return versions


def _describe_differences(expected: Mapping[str, str], actual: Mapping[str, str]) -> str:
    """Return how a node's environment differs from the caller's, "" if it does not."""
    return ", ".join(
        f"{name} {actual.get(name, 'missing')} (the caller: {expected.get(name, 'missing')})"
        for name in sorted({*expected, *actual})
        if expected.get(name) != actual.get(name)
    )


@record
class NodeStart:
    """What a node has to judge with. refusal: why it cannot judge, "" if it can."""

    workers: int = 0
    level: int = 0
    layers: Mapping[str, str] = field(default_factory=dict)
    refusal: str = ""


class NodeJudge:
    """The actor. Its calls may arrive in any order, so each shipment of a problem has a number of
    its own, which is never used again.

    A call takes as long as judging several small programs. One call therefore brings many tasks
    (``run_tasks``), or many replies (``collect_replies``). While there is enough to do here, a
    reply waits up to REPLY_SECONDS for others.
    """

    def __init__(self) -> None:
        self._pool: Pool | None = None
        self._problems: defaultdict[int, asyncio.Future[ProblemPayload]] = defaultdict(
            lambda: asyncio.get_running_loop().create_future()
        )
        self._tasks: dict[int, Task] = {}  # by ticket, until their replies are collected
        self._lock = threading.Lock()  # guards the replies, which the pool's threads add to
        self._replies: list[TaskReply] = []
        self._is_due = asyncio.Event()

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
            if difference := _describe_differences(
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
        self._problems[number].set_result(ProblemPayload(key, size, lambda: problem_bytes))

    async def forget_problem(self, number: int) -> None:
        """Let go of a problem; nobody asks for that number again."""
        del self._problems[number]

    async def run_tasks(self, batch: bytes) -> None:
        """Keep some problems (each a ``StoredProblem``), then queue tasks (each a ``TaskCall``);
        ``collect_replies`` returns what becomes of them. batch: both lists, marshalled."""
        problems, calls = marshal.loads(batch)
        for problem in problems:
            await self.store_problem(*problem)
        await asyncio.gather(*[self._run_task(TaskCall(*call)) for call in calls])

    async def _run_task(self, call: TaskCall) -> None:
        assert self._pool is not None
        number = call.problem_number
        problem = None if number is None else await self._problems[number]
        request = messages.decode(call.request_bytes)
        assert isinstance(request, messages.Request)
        task = self._tasks[call.ticket] = Task(request, problem, messages.encode)
        loop = asyncio.get_running_loop()
        task.future.add_done_callback(partial(self._add_reply, loop, call.ticket))
        self._pool.enqueue(task)

    def _add_reply(
        self, loop: asyncio.AbstractEventLoop, ticket: int, future: Future[bytes]
    ) -> None:
        """Keep a reply until it is collected. Called in a thread of the pool."""
        assert self._pool is not None
        if future.cancelled():
            reply = None
        elif (error := future.exception()) is not None:
            reply = messages.encode(messages.FailureReply(f"{type(error).__name__}: {error}"))
        else:
            reply = future.result()
        with self._lock:
            is_first = not self._replies
            self._replies.append((ticket, reply))
        if self._pool.queued <= MIN_QUEUED * self._pool.workers:
            loop.call_soon_threadsafe(self._is_due.set)
        elif is_first:
            loop.call_soon_threadsafe(loop.call_later, REPLY_SECONDS, self._is_due.set)

    async def collect_replies(self) -> bytes:
        """Wait until replies are due, and return them: a list of ``TaskReply``, marshalled."""
        replies: list[TaskReply] = []
        while not replies:
            await self._is_due.wait()
            self._is_due.clear()
            with self._lock:
                replies, self._replies = self._replies, replies
        for ticket, _ in replies:
            del self._tasks[ticket]
        return marshal.dumps(replies)

    async def hand_back(self, count: int) -> None:
        """Cancel up to ``count`` tasks that no worker has begun, the latest first, so that another
        node can do them."""
        for task in reversed(list(self._tasks.values())):
            if count and not task.future.done():
                count -= task.future.cancel()
        self._is_due.set()

    async def close(self, cancel: bool) -> None:
        """End the workers."""
        if self._pool is not None:
            await asyncio.to_thread(self._pool.close, cancel)
