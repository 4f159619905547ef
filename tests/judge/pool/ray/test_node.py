"""A node's side of the Ray engine, without Ray: tasks and replies that travel together."""

from __future__ import annotations

import asyncio
import marshal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from microcoder_eval.pool.ray import node as ray_node
from microcoder_eval.pool.ray.node import NodeJudge
from microcoder_eval.worker.messages import ProgramReply, ProgramRequest, decode, encode
from microcoder_sandbox.host.outcome import ResourceLimits

LIMITS = ResourceLimits(5.0, 10.0, 1 << 28, 1 << 20)


def make_call(ticket: int, code: str) -> tuple[int, None, bytes]:
    request = ProgramRequest(code.encode(), b"", "python", LIMITS)
    return ticket, None, encode(request)


def make_batch(*calls: tuple[int, None, bytes]) -> bytes:
    return marshal.dumps(([], list(calls)))


@asynccontextmanager
async def node() -> AsyncIterator[NodeJudge]:
    """One with a worker."""
    judge = NodeJudge()
    environment = ray_node.describe_environment(())
    start = await judge.start({"packages": (), "min_level": 1}, 1, 1, environment)
    assert start.workers == 1, start.refusal
    try:
        yield judge
    finally:
        await judge.close(cancel=True)


async def collect(judge: NodeJudge) -> dict[int, bytes | None]:
    """What a program of each ticket has printed; None: it was handed back."""
    outputs: dict[int, bytes | None] = {}
    for ticket, reply_bytes in marshal.loads(await judge.collect_replies()):
        reply = None if reply_bytes is None else decode(reply_bytes)
        assert reply is None or isinstance(reply, ProgramReply)
        outputs[ticket] = None if reply is None else reply.outcome.stdout
    return outputs


def run_node_with(act: Callable[[NodeJudge], Awaitable[None]]) -> None:
    async def run_node() -> None:
        async with node() as judge:
            await act(judge)

    asyncio.run(run_node())


def test_a_reply_is_sent_at_once_where_nothing_else_waits() -> None:
    async def act(judge: NodeJudge) -> None:
        await judge.run_tasks(make_batch(make_call(7, "print(1)")))
        assert await collect(judge) == {7: b"1\n"}

    run_node_with(act)


def test_replies_wait_for_each_other_while_there_is_enough_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ray_node, "REPLY_SECONDS", 1e6)

    async def act(judge: NodeJudge) -> None:
        await judge.run_tasks(make_batch(*[make_call(n, f"print({n})") for n in range(9)]))
        outputs = await collect(judge)
        assert len(outputs) >= 9 - 2 - ray_node.MIN_QUEUED
        while len(outputs) < 9:
            outputs |= await collect(judge)
        assert outputs == {n: b"%d\n" % n for n in range(9)}

    run_node_with(act)


def test_a_reply_waits_for_others_only_so_long() -> None:
    async def act(judge: NodeJudge) -> None:
        slow = [make_call(n, "while True: pass") for n in range(1, 9)]
        await judge.run_tasks(make_batch(make_call(0, "print(0)"), *slow))
        assert await collect(judge) == {0: b"0\n"}

    run_node_with(act)


def test_tasks_that_no_worker_has_begun_are_handed_back_the_latest_first() -> None:
    async def act(judge: NodeJudge) -> None:
        slow = [make_call(n, "while True: pass") for n in range(9)]
        await judge.run_tasks(make_batch(*slow))
        await judge.hand_back(3)
        assert await collect(judge) == {8: None, 7: None, 6: None}
        await judge.hand_back(100)
        assert set(await collect(judge)) >= {2, 3, 4, 5}

    run_node_with(act)
