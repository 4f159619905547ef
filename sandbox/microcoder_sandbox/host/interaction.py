"""An interaction: two programs joined by pipes, each in a child of its own server.

    solution  stdout ────> host ────> stdin   interactor
              stdin  <───────────────── stdout

The host forwards what the solution writes, so it can limit that output. It also holds both ends of
the pipe from the interactor. Neither program therefore sees the other end before the host does, and
the host never mistakes a reaction to an end for its cause. An output that is closed before its
program ends is seen once both are idle. When a program has ended, the host reads that program's
input, so that the other one can finish writing.
"""

from __future__ import annotations

import fcntl
import os
import select
import struct
import termios
from collections.abc import Collection, Sequence

from microcoder_sandbox.frozen_records import record

from .child import Child
from .outcome import Killed, Outcome
from .pipes import CHUNK_BYTES, Pipe
from .supervisor import Supervisor

# An interaction is idle when both programs use almost no CPU and both pipes are empty for this many
# seconds.
IDLE_SECONDS = 2.0
_IDLE_CPU_SHARE = 0.1  # a smaller share of that time counts as no CPU time
_CHECK_SECONDS = 0.025
_MAX_DRAIN_BYTES = 1 << 20  # drained in one check


@record
class Interaction:
    """How an interaction went. interactor_ended_first: whether it ended before the solution."""

    solution: Outcome
    interactor: Outcome
    interactor_ended_first: bool


class Relay(Pipe):
    """The pipe from the host to the interactor, for what the solution has written.

    The solution has no end of it, so it can neither drain it nor change its flags. Writing never
    blocks: what does not fit is buffered, and a full buffer stops reading from the solution.
    """

    def __init__(self) -> None:
        super().__init__()
        os.set_blocking(self.writer, False)
        self._buffer = bytearray()
        self._is_ending = False

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
        """Close the pipe once everything buffered is written; the interactor then sees the end."""
        self._is_ending = True
        self.flush()

    def discard_pending(self) -> None:
        """Drop what is buffered and what is sent later: nobody reads it."""
        self._buffer.clear()
        self._is_ending = True

    def flush(self) -> bool:
        """Write as much as there is room for. Returns whether something is left."""
        try:
            while self._buffer and self.writer >= 0:
                del self._buffer[: os.write(self.writer, self._buffer[:CHUNK_BYTES])]
        except BlockingIOError:
            return True
        except BrokenPipeError:  # the interactor has ended, or closed its standard input
            pass
        self._buffer.clear()
        return False

    def update_polling(self, supervisor: Supervisor) -> None:
        """Wait for room while something is buffered; close after the last byte."""
        if self._buffer and self.writer >= 0:
            supervisor.watch(self.writer, lambda _descriptor: self.flush(), select.POLLOUT)
        elif self.writer >= 0:
            supervisor.unwatch(self.writer)
            if self._is_ending:
                self.close_writer()


def _is_empty(pipe: int) -> bool:
    size = fcntl.ioctl(pipe, termios.FIONREAD, bytes(4))
    return bool(struct.unpack("i", size)[0] == 0)


def _drain(reader: int) -> None:
    """Read and drop what a pipe holds."""
    os.set_blocking(reader, False)  # its program has ended: nobody shares the reader's flags
    drained_bytes = 0
    try:
        while drained_bytes < _MAX_DRAIN_BYTES and (data := os.read(reader, CHUNK_BYTES)):
            drained_bytes += len(data)
    except BlockingIOError:
        pass


class InteractionSupervisor(Supervisor):
    """Passes on what the solution writes, and decides what one program's end means for the other.

    children: the solution and the interactor.
    to_solution: the pipe from the interactor to the solution; the host holds both ends as well.
    continue_codes: exit codes of the interactor after which the solution may run to its end.
    """

    def __init__(
        self,
        children: Sequence[Child],
        to_interactor: Relay,
        to_solution: Pipe,
        continue_codes: Collection[int],
        cancel_fds: Sequence[tuple[int, int]],
    ) -> None:
        super().__init__(children, cancel_fds)
        self.interactor_ended_first = False
        self._solution, self._interactor = children
        self._to_interactor = to_interactor
        self._to_solution = to_solution
        self._continue_codes = continue_codes
        self._ended: list[Child] = []
        self._idle_start = 0.0
        self._cpu_at_idle_start = 0.0
        self._next_check = 0.0
        assert self._solution.stdout is not None
        self._output = self._solution.stdout
        self._output.sink = to_interactor.send

    def handle_event(self, descriptor: int) -> None:
        """Handle an event; if it ends a program, tell the other one. Read the solution's output
        unless too much of it waits for the interactor."""
        super().handle_event(descriptor)
        for child in (self._solution, self._interactor):
            if child.done and child not in self._ended:
                self._ended.append(child)
                self._handle_end(child)
        self._to_interactor.update_polling(self)
        output = self._output
        if self._solution.done or output.is_at_end or output.is_over_limit:
            return
        if self._to_interactor.is_full:
            self.unwatch(output.reader)
        else:
            self.watch(output.reader, self._solution.handle_output)

    def _handle_end(self, child: Child) -> None:
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

    def check_limits(self, now: float, pending: Sequence[Child]) -> float:
        """Check the limits of both; drain the pipe to a solution that has ended; kill the solution
        if both sides are idle. Returns the seconds until the next check is due."""
        timeout = super().check_limits(now, pending)
        solution, interactor = self._solution, self._interactor
        # The interactor's CPU time is not the solution's. Its waiting is not charged to a partner.
        solution.limits.extra_wall_s = interactor.process.cpu_s
        if now >= self._next_check:
            self._next_check = now + _CHECK_SECONDS / 2
            if solution.done:
                _drain(self._to_solution.reader)
            elif not interactor.done:
                self._check_progress(now)
        is_any_watched = any(child.is_watched for child in pending)
        return min(timeout, _CHECK_SECONDS) if is_any_watched else timeout

    def _check_progress(self, now: float) -> None:
        solution, interactor = self._solution, self._interactor
        is_quiet = (
            _is_asleep(solution)
            and _is_asleep(interactor)
            and _is_empty(self._to_solution.reader)
            and self._to_interactor.is_empty
        )
        cpu_s = solution.process.cpu_s + interactor.process.cpu_s
        idle_s = now - self._idle_start
        if not is_quiet or cpu_s - self._cpu_at_idle_start > _IDLE_CPU_SHARE * max(0.1, idle_s):
            self._idle_start, self._cpu_at_idle_start = now, cpu_s
        elif idle_s > IDLE_SECONDS:
            solution.kill(Killed.IDLE)
        elif idle_s > IDLE_SECONDS / 2:
            self._show_closed_ends()

    def _show_closed_ends(self) -> None:
        """Let each program see that the other one has closed its output, but not ended."""
        self._to_solution.close_writer()
        if self._output.is_at_end:
            self._to_interactor.finish()
            self._to_interactor.update_polling(self)


def _is_asleep(child: Child) -> bool:
    return child.is_watched and child.process.is_asleep()
