"""Two programs that talk over pipes, each in a child of a server of its own.

    solution  stdout ──────────────> stdin   interactor
              stdin  <────────────── stdout

The driver holds all four ends as well. So neither sees that the other has ended before the driver
knows it, and what one does because the other ended is never taken for the cause. Who is dead is
read for, so that the other can finish what it has to say.
"""

from __future__ import annotations

import fcntl
import os
import struct
import termios
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from . import wire
from .client import Child, ForkServer, watch
from .launch import Launch
from .outcome import Killed, Outcome

IDLE_SECONDS = 2.0  # that nobody computes, and nothing is on its way
_IDLE_SHARE = 0.1  # of that time: what a machine without work may compute for itself
_DRAINED = 1 << 20  # at one look


@dataclass(frozen=True, slots=True)
class Talk:
    """How a conversation went. first: whether the interactor was the first to end."""

    solution: Outcome
    interactor: Outcome
    interactor_first: bool


class Pipe:
    """One direction. The driver's ends: closed when the one that they stand for has ended."""

    def __init__(self, *, open_to_others: bool) -> None:
        self.reader, self.writer = os.pipe()
        if open_to_others:
            os.fchmod(self.writer, 0o666)  # or opening /dev/stdout by name is refused
        self.drained = 0

    @property
    def empty(self) -> bool:
        """Whether nothing is on its way."""
        held = fcntl.ioctl(self.reader, termios.FIONREAD, bytes(4))
        return bool(struct.unpack("i", held)[0] == 0)

    def drain(self) -> None:
        """Read what is there, and forget it."""
        while self.reader >= 0 and not self.empty and self.drained < _DRAINED:
            self.drained += len(os.read(self.reader, 1 << 16))

    def close_writer(self) -> None:
        """From here its reader may see the end."""
        if self.writer >= 0:
            os.close(self.writer)
            self.writer = -1

    def close(self) -> None:
        """Let go of both ends."""
        self.close_writer()
        os.close(self.reader)
        self.reader = -1


class Conversation:
    """Both children and the pipes between them.

    goes_on: exit statuses of the interactor after which the solution may end in its own time.
    """

    def __init__(self, to_interactor: Pipe, to_solution: Pipe, goes_on: Collection[int]) -> None:
        self.to_interactor = to_interactor
        self.to_solution = to_solution
        self.goes_on = goes_on
        self.solution: Speaker | None = None
        self.interactor: Speaker | None = None
        self.interactor_first = False
        self._since = 0.0
        self._cpu_then = 0.0

    def ended(self, one: Speaker) -> None:
        """One of the two has ended; the other learns of it now."""
        outcome, solution, interactor = one.outcome(), self.solution, self.interactor
        if one is solution:
            self.to_interactor.close_writer()
            if outcome.status != 0 and interactor is not None and not interactor.done:
                interactor.kill(Killed.PARTNER)
            return
        self.to_solution.close_writer()
        if solution is not None and not solution.done:
            self.interactor_first = True
            if outcome.exit_code not in self.goes_on:
                solution.kill(Killed.PARTNER)

    def look(self, now: float) -> None:
        """Read for who has ended; end what stands still."""
        solution, interactor = self.solution, self.interactor
        if solution is None or interactor is None:
            return
        if solution.done or interactor.done:
            pipe = self.to_solution if solution.done else self.to_interactor
            pipe.drained = 0
            pipe.drain()
            return
        quiet = (
            solution.asleep()
            and interactor.asleep()
            and self.to_solution.empty
            and self.to_interactor.empty
        )
        used = solution.cpu_seen + interactor.cpu_seen
        if not quiet or used - self._cpu_then > _IDLE_SHARE * max(0.1, now - self._since):
            self._since, self._cpu_then = now, used
        elif now - self._since > IDLE_SECONDS:
            solution.kill(Killed.IDLE)


class Speaker(Child):
    """A child that talks with another."""

    def __init__(self, conversation: Conversation, *arguments: Any, **named: Any) -> None:
        self._conversation = conversation
        super().__init__(*arguments, **named)

    @property
    def cpu_seen(self) -> float:
        """Seconds of CPU at the last look."""
        return self._cpu_seen

    def check(self, now: float) -> float:
        """Enforce the limits, and look at the conversation."""
        due = super().check(now)
        self._conversation.look(time.monotonic())
        return due if self._answer_due is not None and not self.taken_over else min(due, 0.025)

    def asleep(self) -> bool:
        """Whether it waits, with all its threads."""
        if not self.taken_over:
            return False
        process = f"/proc/{self._host_pid}/task"
        try:
            return all(_state(f"{process}/{task}/stat") == b"S" for task in os.listdir(process))
        except OSError:
            return False

    def _finish(self, message: bytes, poller: Any) -> None:
        super()._finish(message, poller)
        self._conversation.ended(self)


def _state(path: str) -> bytes:
    with open(path, "rb") as stat:
        return stat.read().rpartition(b")")[2].split()[0]


def talk(
    servers: Sequence[ForkServer],
    launches: Sequence[Launch],
    goes_on: Collection[int],
    gone: Sequence[tuple[int, int]],
) -> Talk:
    """Let a solution and an interactor talk until both have ended: (server, launch) of each, in
    that order. Raises ServerLostError, Interrupted."""
    others = any(server.other_uid for server in servers)
    to_interactor, to_solution = Pipe(open_to_others=others), Pipe(open_to_others=others)
    conversation = Conversation(to_interactor, to_solution, goes_on)
    ends = (
        (to_solution.reader, to_interactor.writer),
        (to_interactor.reader, to_solution.writer),
    )
    children: list[Speaker] = []
    try:
        for server, launch, (stdin, stdout) in zip(servers, launches, ends, strict=True):
            descriptors = [stdin, stdout, *launch.descriptors[2:]]
            traits = launch.traits | wire.TALKS
            children.append(
                Speaker(conversation, server, launch.mode, descriptors, launch.limits, traits)
            )
        conversation.solution, conversation.interactor = children
        watch(children, gone)
        solution, interactor = (child.outcome() for child in children)
        return Talk(solution, interactor, conversation.interactor_first)
    finally:
        for child in children:
            child.close()
        to_interactor.close()
        to_solution.close()
