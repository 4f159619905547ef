"""Waits in an event loop for what another thread finishes, even if the loop is never idle.

A loop that always has something to call lets go of the interpreter's lock only for the moment in
which it looks for events. A thread that waits for the lock is woken then, finds it taken again,
and waits again (``take_gil`` in CPython's ``ceval_gil``). The threads that read verdicts would
stand still for as long as the loop is busy.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Future
from typing import TypeVar
from weakref import WeakKeyDictionary

Result = TypeVar("Result")

_INTERVAL_S = 0.005  # as long as Python lets a thread that computes keep the lock
_TURN_S = 50e-6  # enough for a thread to wake up and take the lock


class _Turns:
    """How many callers wait in a loop, and whether the next turn of other threads is planned."""

    def __init__(self) -> None:
        self.waiters = 0
        self.is_planned = False


_turns_by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, _Turns] = WeakKeyDictionary()


async def wait_for(future: Future[Result]) -> Result:
    """Return the result of a future that another thread completes."""
    loop = asyncio.get_running_loop()
    turns = _turns_by_loop.setdefault(loop, _Turns())
    turns.waiters += 1
    if not turns.is_planned:
        _plan_turn(loop, turns)
    try:
        return await asyncio.wrap_future(future)
    finally:
        turns.waiters -= 1


def _plan_turn(loop: asyncio.AbstractEventLoop, turns: _Turns) -> None:
    loop.call_later(_INTERVAL_S, _give_turn, loop, turns)
    turns.is_planned = True


def _give_turn(loop: asyncio.AbstractEventLoop, turns: _Turns) -> None:
    turns.is_planned = False
    if turns.waiters:
        time.sleep(_TURN_S)
        _plan_turn(loop, turns)
