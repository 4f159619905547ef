"""An interaction: two programs joined by pipes, each in a child of its own server.

    solution  stdout ────> host ────> stdin   interactor
              stdin  <───────────────── stdout

The host passes on what the solution writes, so that its output is limited, and holds both ends of
the pipe back. So neither program sees the other's end before the host does, and what one does
because the other ended is never taken for the cause. In place of a program that has ended the
host reads its input, so that the other can finish writing.
"""

from __future__ import annotations

import fcntl
import math
import os
import select
import struct
import termios
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from microcoder_sandbox.records import record
from microcoder_sandbox.wire.protocol import INTERACTIVE

from .child import Child
from .outcome import Killed, Outcome
from .output import CHUNK_BYTES
from .requests import RunRequest
from .supervisor import Supervisor, supervise

# An interaction is idle when both programs use almost no CPU and both pipes are empty for this many
# seconds.
IDLE_SECONDS = 2.0
_IDLE_CPU_SHARE = 0.1  # CPU time, as a share of that time, that still counts as none
_CHECK_SECONDS = 0.025
_MAX_DRAIN_BYTES = 1 << 20  # in one check


@record
class Interaction:
    """How an interaction went. interactor_ended_first: before the solution."""

    solution: Outcome
    interactor: Outcome
    interactor_ended_first: bool


class Pipe:
    """From the interactor to the solution. The host holds both ends as well."""

    def __init__(self, *, world_writable: bool) -> None:
        self.reader, self.writer = os.pipe()
        if world_writable:
            os.fchmod(self.writer, 0o666)  # or opening /dev/stdout by name is refused

    @property
    def is_empty(self) -> bool:
        """Whether the pipe and the buffer are empty."""
        return _is_empty(self.reader)

    def drain(self) -> None:
        """Read and drop what the pipe holds, after the solution has ended."""
        os.set_blocking(self.reader, False)  # so no other process shares the reader's flags
        drained_bytes = 0
        try:
            while drained_bytes < _MAX_DRAIN_BYTES and (data := os.read(self.reader, CHUNK_BYTES)):
                drained_bytes += len(data)
        except BlockingIOError:
            pass

    def close_writer(self) -> None:
        """Close the host's writing end, so that the solution can see the interactor's end."""
        if self.writer >= 0:
            os.close(self.writer)
            self.writer = -1

    def close(self) -> None:
        """Close both ends."""
        self.close_writer()
        os.close(self.reader)
        self.reader = -1


class Relay:
    """The pipe from the host to the interactor, for what the solution has written.

    The solution has no end of it, so it can neither drain it nor change its flags. Writing never
    blocks: what does not fit is buffered, and a full buffer stops reading from the solution.
    """

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        self._buffer = bytearray()
        self._is_ending = False
        self._is_polled = False

    @property
    def is_empty(self) -> bool:
        """Whether the pipe and the buffer are empty."""
        return not self._buffer and (self.writer < 0 or _is_empty(self.writer))

    @property
    def is_full(self) -> bool:
        """Whether the buffer holds as much as should be read ahead."""
        return len(self._buffer) >= CHUNK_BYTES

    def send(self, data: bytes) -> None:
        """Pass on some output of the solution."""
        if not self._is_ending:
            self._buffer += data
            self.flush()

    def finish(self) -> None:
        """Let the interactor see the end, after what is buffered."""
        self._is_ending = True
        self.flush()

    def discard_pending(self) -> None:
        """Drop what is buffered and what is sent later: nobody reads it."""
        self._buffer.clear()
        self._is_ending = True

    def flush(self) -> None:
        """Write as much as there is room for."""
        try:
            while self._buffer and self.writer >= 0:
                del self._buffer[: os.write(self.writer, self._buffer[:CHUNK_BYTES])]
        except BlockingIOError:
            return
        except BrokenPipeError:  # the interactor has ended, or closed its standard input
            pass
        self._buffer.clear()

    def update_polling(self, supervisor: Supervisor) -> None:
        """Wait for room while something is buffered; close after the last byte."""
        if self.writer < 0:
            return
        if bool(self._buffer) is not self._is_polled:
            self._is_polled = not self._is_polled
            if self._is_polled:
                supervisor.watch(self.writer, lambda *_: self.flush(), select.POLLOUT)
            else:
                supervisor.unwatch(self.writer)
        if self._is_ending and not self._buffer:
            self.close_writer()

    def close_reader(self) -> None:
        """Close the host's reading end, so that only the interactor reads."""
        if self.reader >= 0:
            os.close(self.reader)
            self.reader = -1

    def close_writer(self) -> None:
        """Let the interactor see the end."""
        if self.writer >= 0:
            os.close(self.writer)
            self.writer = -1


def _is_empty(pipe: int) -> bool:
    size = fcntl.ioctl(pipe, termios.FIONREAD, bytes(4))
    return bool(struct.unpack("i", size)[0] == 0)


class InteractionMonitor:
    """Passes on what the solution writes, and decides what one's end means for the other.

    continue_codes: exit codes of the interactor after which the solution may run to its end.
    """

    def __init__(
        self,
        solution: Child,
        interactor: Child,
        to_interactor: Relay,
        to_solution: Pipe,
        continue_codes: Collection[int],
    ) -> None:
        self.interactor_ended_first = False
        self._solution = solution
        self._interactor = interactor
        self._to_interactor = to_interactor
        self._to_solution = to_solution
        self._continue_codes = continue_codes
        self._is_reading = True
        self._idle_start = 0.0
        self._cpu_at_idle_start = 0.0
        self._next_check = 0.0
        assert solution.stdout is not None
        self._output = solution.stdout
        self._output.sink = to_interactor.send

    def handle_end(self, child: Child) -> None:
        """Tell one program that the other has ended."""
        exit_code = child.build_outcome().exit_code
        if child is self._solution:
            self._to_interactor.finish()
            if exit_code != 0 and not self._interactor.done:
                self._interactor.kill(Killed.PARTNER)
            return
        self._to_interactor.discard_pending()
        self._to_solution.close_writer()
        if not self._solution.done:
            self.interactor_ended_first = True
            if exit_code not in self._continue_codes:
                self._solution.kill(Killed.PARTNER)

    def handle_event(self, supervisor: Supervisor) -> None:
        """Read the solution's output unless too much of it waits for the interactor."""
        self._to_interactor.update_polling(supervisor)
        output, has_room = self._output, not self._to_interactor.is_full
        is_closed = self._solution.done or output.is_at_end or output.is_over_limit
        if is_closed or has_room is self._is_reading:
            return
        self._is_reading = has_room
        if has_room:
            supervisor.watch(output.reader, self._solution.handle_output)
        else:
            supervisor.unwatch(output.reader)

    def check(self, now: float) -> float:
        """Drain the pipe to a solution that has ended; kill the solution if both sides are idle.

        Returns the seconds until the next check.
        """
        solution, interactor = self._solution, self._interactor
        # The interactor's CPU time is not the solution's; ``partners`` covers its waiting.
        solution.extra_wall_s = interactor.process.cpu_s
        if now >= self._next_check:
            self._next_check = now + _CHECK_SECONDS / 2
            if solution.done:
                self._to_solution.drain()
            elif not interactor.done:
                self._check_progress(now)
        is_any_watched = any(c.is_watched and not c.done for c in (solution, interactor))
        return _CHECK_SECONDS if is_any_watched else math.inf

    def _check_progress(self, now: float) -> None:
        solution, interactor = self._solution, self._interactor
        is_quiet = (
            _is_asleep(solution)
            and _is_asleep(interactor)
            and self._to_solution.is_empty
            and self._to_interactor.is_empty
        )
        cpu_s = solution.process.cpu_s + interactor.process.cpu_s
        idle_s = now - self._idle_start
        if not is_quiet or cpu_s - self._cpu_at_idle_start > _IDLE_CPU_SHARE * max(0.1, idle_s):
            self._idle_start, self._cpu_at_idle_start = now, cpu_s
        elif idle_s > IDLE_SECONDS:
            solution.kill(Killed.IDLE)


def _is_asleep(child: Child) -> bool:
    return child.is_watched and child.process.is_asleep()


def _add_trait(request: RunRequest) -> RunRequest:
    return replace(request, traits=request.traits | INTERACTIVE)


def supervise_interaction(
    start_child: Callable[..., Child],
    solution_request: RunRequest,
    interactor_request: RunRequest,
    continue_codes: Collection[int],
    cancel_fds: Sequence[tuple[int, int]],
    *,
    world_writable: bool,
) -> Interaction:
    """Run a solution and an interactor until both have ended. Raises ServerLostError, Interrupted.

    start_child: starts the child of a request, with other descriptors as its ``stdin`` and
    ``stdout``. world_writable: whether a child may be another user's.
    """
    to_interactor, to_solution = Relay(), Pipe(world_writable=world_writable)
    children: list[Child] = []
    try:
        children.append(start_child(_add_trait(solution_request), stdin=to_solution.reader))
        children.append(
            start_child(
                _add_trait(interactor_request),
                stdin=to_interactor.reader,
                stdout=to_solution.writer,
            )
        )
        to_interactor.close_reader()
        solution, interactor = children
        monitor = InteractionMonitor(
            solution, interactor, to_interactor, to_solution, continue_codes
        )
        supervise(children, cancel_fds, monitor)
        return Interaction(
            solution.build_outcome(), interactor.build_outcome(), monitor.interactor_ended_first
        )
    finally:
        for child in children:
            child.close()
        to_interactor.close_reader()
        to_interactor.close_writer()
        to_solution.close()
