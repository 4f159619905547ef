"""In the driver: one input at a time for a child that takes turns, one outcome for each.

turns = cage.script_turns(program)
first = turns.run(b"1 2", limits)       # starts the child
second = turns.run(b"3 4", limits)      # the same one, while turns.waiting
whole = turns.finish()                  # what the child has used in all
turns.close()
"""

from __future__ import annotations

import os
import select
import socket
import struct
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from microcoder_sandbox import wire
from microcoder_sandbox.client import ANSWER_SECONDS, CHUNK, Child, ForkServer, Watcher
from microcoder_sandbox.files import reopened
from microcoder_sandbox.outcome import Outcome, Phase, ResourceLimits, ServerLostError

_A_MOMENT = struct.pack("ll", 0, 3000)  # a timeval: 3 ms


@dataclass(frozen=True, slots=True)
class Whole:
    """What a child used from its start to its end: CPU seconds, and bytes of memory at the peak."""

    cpu_s: float
    peak_memory: int


class TurnChild(Child):
    """A child that may ask for another input where others end."""

    def __init__(
        self,
        server: ForkServer,
        mode: int,
        descriptors: Sequence[int | None],
        limits: ResourceLimits,
        traits: int,
        channel: socket.socket,
        *,
        wants_result: bool,
    ) -> None:
        self.void = False
        self._channel = channel
        self._nonce = os.urandom(wire.GO_BYTES)
        self._compares_stdout = not wants_result
        self._report: tuple[int, float, int] | None = None  # kind, CPU seconds, peak memory
        self._turn = 0
        self.say_go()
        super().__init__(server, mode, descriptors, limits, traits, wants_result=wants_result)

    def glance(self) -> None:
        """Wait a moment for the report, and for nothing else.

        Most tests are over by then. It saves watching the streams, whose every write would wake
        this process."""
        try:
            message = self._channel.recv(256)
        except OSError:  # nothing yet, or the child has closed its end
            return
        self._take(message)

    def say_go(self) -> None:
        """The input is there."""
        self._channel.send(self._nonce)

    def another(self, limits: ResourceLimits) -> None:
        """Begin the next turn; its input has been written."""
        self.limits = limits
        self.paused = False
        self._turn += 1
        self._report = None
        for descriptor in self._streams:
            self._streams[descriptor] = []
            self._sizes[descriptor] = 0
        self.started = self._born = time.monotonic()
        if self._answer_due is not None:
            self._answer_due = self.started + ANSWER_SECONDS  # to say LONG, if it still has to
        self.say_go()

    def dismiss(self) -> None:
        """There is no other turn: it ends."""
        self.paused = False
        self.started = time.monotonic()
        self._channel.shutdown(socket.SHUT_WR)

    def register(self, poller: select.poll) -> dict[int, Child]:
        """Say which descriptors to wait on; returns them as keys to this child."""
        owners = super().register(poller)
        poller.register(self._channel, select.POLLIN)
        owners[self._channel.fileno()] = self
        return owners

    def ready(self, descriptor: int, poller: select.poll) -> None:
        """Something can be read from ``descriptor``."""
        if descriptor != self._channel.fileno():
            super().ready(descriptor, poller)
            return
        try:
            message = self._channel.recv(256)
        except OSError:
            message = b""
        if not self._take(message):
            # Its end, or not the word of our own code in there: the child will end, or be ended.
            poller.unregister(descriptor)

    def _finish(self, message: bytes, poller: select.poll) -> None:
        try:
            self._take(self._channel.recv(256, socket.MSG_DONTWAIT))  # its last word came first
        except OSError:
            pass
        super()._finish(message, poller)
        self.paused = False

    def _take(self, message: bytes) -> bool:
        if len(message) != wire.REPORT.size:
            return False
        kind, nonce, used, clock, peak = wire.REPORT.unpack(message)
        if nonce != self._nonce or self._report is not None:
            return False
        self._report = (kind, used / 1e9, peak << 10)
        self.cpu_base = clock / 1e9
        self._ended = time.monotonic()
        self.void = kind == wire.VOID
        self.paused = kind == wire.AND_MORE
        if self.paused:
            self._drain()
        return True

    def _drain(self) -> None:
        # Written before the report was: it is all there. What nobody compares can wait.
        descriptor = self._stdout if self._compares_stdout else self._result
        more = True
        while more and self._wants(descriptor):
            before = self._sizes[descriptor]
            self._read(descriptor)
            more = self._sizes[descriptor] - before == CHUNK

    def outcome(self) -> Outcome:
        """What happened in this turn."""
        if self._report is None:
            return super().outcome()
        _kind, cpu_s, peak = self._report
        return Outcome(
            status=0,
            killed=self.killed,
            phase=Phase.FINISHED,
            cpu_s=cpu_s,
            wall_s=self._ended - self.started,
            peak_memory=None if self._turn else peak,
            stdout=b"".join(self._streams[self._stdout]),
            stderr=b"".join(self._streams[self._stderr]),
            result=b"".join(self._streams.get(self._result, ())),
            run_delay=self._run_delay,
        )

    def whole(self) -> Whole:
        """Only when ``done``."""
        _status, user, system, peak, baseline = self._exit
        return Whole((user + system) / 1e6, max(0, peak - baseline) << 10)


class Turns:
    """A child, made at the first input, that runs tests of one program until it ends.

    To be closed. Raises ServerLostError and Interrupted.
    """

    def __init__(
        self,
        server: ForkServer,
        mode: int,
        given: Callable[[int], list[int | None]],
        traits: int,
        gone: Sequence[tuple[int, int]],
        lose: Callable[[], None],
    ) -> None:
        """given: the descriptors of a request, told the one with the input or the call. lose:
        forgets the server, called when it is lost."""
        self._server = server
        self._mode = mode
        self._given = given
        self._traits = traits | wire.TAKES_TURNS
        self._gone = gone
        self._lose = lose
        self._child: TurnChild | None = None
        self._size = 0
        self._file = os.memfd_create("turn", os.MFD_CLOEXEC)
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _A_MOMENT)

    @property
    def started(self) -> bool:
        """Whether a test was run."""
        return self._child is not None

    @property
    def waiting(self) -> bool:
        """Whether the child waits for another input."""
        return self._child is not None and self._child.paused

    @property
    def void(self) -> bool:
        """Whether the program asked for what it can only have in a child of its own: what came
        of this test does not count."""
        return self._child is not None and self._child.void

    def run(self, data: bytes, limits: ResourceLimits) -> Outcome:
        """Run one test. Only for a new one, or while ``waiting``."""
        self._write(data)
        if self._child is None:
            self._child = self._made(limits)
            self._watcher = Watcher([self._child], self._gone)
        else:
            self._child.another(limits)
        self._child.glance()
        if not self._child.paused:
            self._watch()
        return self._child.outcome()

    def _write(self, data: bytes) -> None:
        offset = os.pwrite(self._file, data, 0) if data else 0
        while offset < len(data):
            offset += os.pwrite(self._file, memoryview(data)[offset:], offset)
        if offset < self._size:
            os.ftruncate(self._file, offset)
        self._size = offset

    def _made(self, limits: ResourceLimits) -> TurnChild:
        fresh = reopened(self._file)
        given = self._given(fresh)
        given[wire.PEER] = self._theirs.fileno()
        try:
            return TurnChild(
                self._server,
                self._mode,
                given,
                limits,
                self._traits,
                self._ours,
                wants_result=self._mode == wire.CALL,
            )
        except ServerLostError:
            self._lose()
            raise
        finally:
            os.close(fresh)
            self._theirs.close()

    def _watch(self) -> None:
        try:
            self._watcher.run()
        except ServerLostError:
            self._lose()
            raise

    def finish(self) -> Whole:
        """Have the child end, and see what it has used in all. Only after a test was run."""
        assert self._child is not None
        if not self._child.done:
            self._child.dismiss()
            self._watch()
        return self._child.whole()

    def close(self) -> None:
        """Let go of everything. A child that has not ended takes its server with it."""
        if self._child is not None:
            if not self._child.done:
                self._lose()
            self._child.close()
        self._ours.close()
        self._theirs.close()
        os.close(self._file)
