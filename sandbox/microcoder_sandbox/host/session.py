"""One input at a time for a child that runs several tests, one outcome for each.

session = sandbox.open_session(program, call=False)
first = session.run(b"1 2", limits)       # starts the child
second = session.run(b"3 4", limits)      # the same one, while session.waiting
total = session.end()                     # the child's end, and what it has used in all
session.close()

The host believes only one statement of the child: that it is done with an input. The host then
hands over the next one. At each hand-over it reads the child's CPU time from the kernel's clock.
"""

from __future__ import annotations

import ctypes
import os
import select
from collections.abc import Sequence

from microcoder_sandbox.wire import protocol

from .child import Child
from .outcome import Outcome, ResourceLimits
from .pipes import Pipe
from .programs import Program
from .requests import make_batch_request
from .servers import ForkServers
from .supervisor import Supervisor

_FIRST_WAIT_MS = 3
_get_core = getattr(ctypes.CDLL(None), "sched_getcpu", None)  # sched_getcpu(3), where libc has it
_READ_ONLY = 0o444  # or a program could open its input again, for writing


class InputFile:
    """The memory file in which a child finds the input of each test."""

    def __init__(self) -> None:
        self.descriptor = os.memfd_create("input", os.MFD_CLOEXEC)
        self._size = 0
        os.fchmod(self.descriptor, _READ_ONLY)

    def write(self, data: bytes) -> None:
        """Replace the input in the file."""
        offset = os.pwrite(self.descriptor, data, 0) if data else 0
        while offset < len(data):
            offset += os.pwrite(self.descriptor, memoryview(data)[offset:], offset)
        if offset < self._size:
            os.ftruncate(self.descriptor, offset)
        self._size = offset

    def close(self) -> None:
        """Close the host's descriptor of the file."""
        os.close(self.descriptor)


class BatchPipes:
    """The two pipes of a batch: a byte lets the child go on, a byte says that it is done."""

    def __init__(self) -> None:
        self.go, self.done = Pipe(), Pipe()
        self._poller = select.poll()
        self._poller.register(self.done.reader, select.POLLIN)

    def start_test(self, *, last: bool = False) -> None:
        """Tell the child that an input is there. last: whether it ends after this test."""
        try:
            os.write(self.go.writer, protocol.LAST_TEST if last else protocol.NEXT_TEST)
        except BrokenPipeError:
            pass  # it has ended, and Exit follows

    def wait_until_done(self, milliseconds: int) -> bool:
        """Wait for the child; return whether it has completed a test, or ended."""
        return bool(self._poller.poll(milliseconds))

    def read_done(self) -> bool:
        """Read one report of a completed test; return False if the child has closed the pipe."""
        return bool(os.read(self.done.reader, 1))

    def close_child_ends(self) -> None:
        """Close the host's copies of the child's ends."""
        self.go.close_reader()
        self.done.close_writer()

    def close(self) -> None:
        """Close what the host still holds."""
        self.go.close()
        self.done.close()


class CoreSharing:
    """Keeps this thread and a child on one core from ``begin`` to ``end``, while they take turns.

    They never run at the same time, so a second core gains nothing, and to wake one costs more
    than a small test. A longer test may move between cores again.

    What a kernel or a container refuses is left as it is: only speed depends on it.
    """

    def __init__(self) -> None:
        self._cores: set[int] = set()  # where this thread may run otherwise
        self._pid = 0

    def begin(self, pid: int) -> None:
        """Keep this thread, and a process by its number, on the core where this thread runs."""
        if self._pid or _get_core is None:
            return
        cores, core = os.sched_getaffinity(0), _get_core()
        if core in cores and len(cores) > 1:
            self._cores, self._pid = cores, pid
            self._place({core})

    def end(self) -> None:
        """Let both run where this thread could before."""
        if self._pid:
            self._place(self._cores)
            self._pid = 0

    def _place(self, cores: set[int]) -> None:
        for process in (0, self._pid):
            try:
                os.sched_setaffinity(process, cores)
            except OSError:
                pass  # it has ended, or the kernel refuses


class BatchSession:
    """A child, made at the first input, that runs tests of one program until it ends.

    has_completed_test: whether it has; if not, its end is that of a process for one test alone.
    Its owner closes it. Its methods raise ServerLostError and Interrupted.
    """

    def __init__(
        self,
        program: Program,
        *,
        call: bool,
        servers: ForkServers,
        cancel_fds: Sequence[tuple[int, int]],
    ) -> None:
        """call: each input is an encoded call; otherwise it is standard input."""
        self._program = program
        self._call = call
        self._servers = servers
        self._cancel_fds = cancel_fds
        self._pipes = BatchPipes()
        self._input = InputFile()  # after the pipes, which are closed without it
        self._core_sharing = CoreSharing()
        self._child: Child | None = None
        self.has_completed_test = False
        self._supervisor: Supervisor  # made with the child
        self._last_test_completed = False
        self._is_ending = False
        self._cpu_s = 0.0  # until the last completed test
        self._wall_s = 0.0

    @property
    def waiting(self) -> bool:
        """Whether the child waits for another input."""
        return self._child is not None and self._child.paused

    @property
    def cpu_s(self) -> float:
        """CPU seconds of the child until its last completed test, or its end, by the kernel."""
        if self._child is None or self._child.exit is None or self._last_test_completed:
            return self._cpu_s
        return self._child.exit.cpu_s

    @property
    def wall_s(self) -> float:
        """Wall-clock seconds that its tests took, up to the same moment as ``cpu_s``."""
        if self._child is None or not self._child.done or self._last_test_completed:
            return self._wall_s
        return self._wall_s + self._child.clock.elapsed

    def run(self, data: bytes, limits: ResourceLimits, *, last: bool = False) -> Outcome:
        """Run one test. Only for a new session, or while ``waiting``.

        last: this is the final test, so the child exits after it. Ignored for the first test.
        """
        self._input.write(data)
        if self._child is None:
            self._pipes.start_test()
            child = self._child = self._start(limits)
            self._supervisor = Supervisor([child], self._cancel_fds)
            self._supervisor.watch(self._pipes.done.reader, self._handle_done)
        else:
            child = self._child
            self._last_test_completed = False
            self._core_sharing.begin(child.process.pid)
            child.begin_next_test(limits, cpu_offset=self._cpu_s)
            self._pipes.start_test(last=last)
        # Most tests are over in a moment. At first, wait for the child's report alone: each write
        # to a watched stream would wake this process.
        if self._pipes.wait_until_done(_FIRST_WAIT_MS) and not self._record_completed_test(child):
            self._await_exit(child)
        if not child.paused:
            self._supervise()
        return self._build_outcome(child)

    def _start(self, limits: ResourceLimits) -> Child:
        request = make_batch_request(
            self._program,
            limits,
            call=self._call,
            input_fd=self._input.descriptor,
            go_fd=self._pipes.go.reader,
            done_fd=self._pipes.done.writer,
        )
        try:
            return self._servers.start_child(request)
        finally:
            request.close()
            self._pipes.close_child_ends()

    def _await_exit(self, child: Child) -> None:
        """Wait a moment for the server's report of the child's end, and for nothing else: the end
        of each watched stream would wake this process."""
        descriptor = child.server.socket.fileno()
        poller = select.poll()
        poller.register(descriptor, select.POLLIN)
        if poller.poll(_FIRST_WAIT_MS):
            child.handle_message(descriptor)

    def _supervise(self) -> None:
        self._core_sharing.end()
        self._supervisor.run()

    def _handle_done(self, _descriptor: int) -> bool:
        assert self._child is not None
        return not self._is_ending and self._record_completed_test(self._child)

    def _record_completed_test(self, child: Child) -> bool:
        """Record a completed test if the child reports one; return False if it will report no
        more."""
        if child.done or not self._pipes.read_done():
            return False
        child.await_started()
        try:
            self._cpu_s = child.process.read_cpu()
        except OSError:
            return True  # it has ended since, and Exit follows
        child.pause()
        self._wall_s += child.clock.elapsed
        self.has_completed_test = self._last_test_completed = True
        # The child wrote its output before the hand-over, so all of it is in the pipes. Standard
        # error can be read later.
        child.read_limited_streams()
        return True

    def _build_outcome(self, child: Child) -> Outcome:
        """Return what happened in the test that was started last."""
        if self._last_test_completed:
            return child.build_test_outcome(self._cpu_s)
        outcome = child.build_outcome()
        if not child.limits.cpu_offset:
            return outcome
        cpu_s = max(0.0, outcome.cpu_s - child.limits.cpu_offset)
        return outcome._replace(cpu_s=cpu_s, peak_memory=None)

    def read_peak(self) -> int:
        """Return the peak of resident memory of the tests, in bytes. Only while ``waiting``."""
        assert self._child is not None
        return self._child.read_peak()

    def end(self) -> Outcome:
        """End the child. Returns what happened to it from its start, with the output
        of its last test. Only after a test was run."""
        child = self._child
        assert child is not None
        if not child.done:
            self._pipes.go.close_writer()  # the child sees that no other test comes
            self._is_ending = True
            child.resume()
            self._await_exit(child)
            self._supervise()
        return child.build_outcome()

    def close(self) -> None:
        """Close all descriptors. If the child has not ended, kill its server too."""
        if self._child is not None:
            self._servers.end_child(self._child)
        self._core_sharing.end()
        self._input.close()
        self._pipes.close()
