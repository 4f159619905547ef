"""One child of a fork server, from its request to its outcome: the messages about it, its output,
its end."""

from __future__ import annotations

import errno
import os
import socket
import time
from collections.abc import Callable, Sequence

from microcoder_sandbox.errors import ServerLostError
from microcoder_sandbox.wire import protocol
from microcoder_sandbox.wire.protocol import ABSENT, Exit, Request

from .child_limits import ChildLimits
from .child_process import ChildProcess
from .fork_server import Ancillary, ForkServer, find_descriptor, find_sender_pid
from .outcome import Killed, Outcome, Phase, ResourceLimits
from .pipes import CHUNK_BYTES, OutputStream, TailStream
from .requests import RunRequest
from .scratch import ScratchFolder
from .wall_clock import REPLY_SECONDS

# A wake-up this late means that the host or the server was descheduled: do not charge the
# program. Shorter delays are normal on a busy machine.
MIN_DESCHEDULED_SECONDS = 0.5
_SPARE_CPU_SECONDS = 3  # added to RLIMIT_CPU, which only ends children that no host watches
_PHASES = tuple(Phase)

# Called with the descriptor that is ready; returns whether to go on watching it.
Handler = Callable[[int], bool]


class Child:
    """One child. Its ``Supervisor`` calls its handlers and ``check_limits``.

    server, key: the server that it is a child of, and that server's key.
    process: how it is measured and killed.
    limits: what its run may use, or in a batch its test; with the clock.
    exit: how it ended, None until then.
    paused: whether it waits for its next test; until then it is not supervised.
    stdout: its output, None if it goes elsewhere.
    """

    def __init__(
        self,
        server: ForkServer,
        request: RunRequest,
        *,
        stdin: int,
        stdout: int,
        process: ChildProcess,
        folder: ScratchFolder | None,
    ) -> None:
        """Ask the server to fork a child. Raises ServerLostError.

        stdin, stdout: descriptors that the caller closes. If stdout is ABSENT, this object reads
            the output.
        process: how the child is measured and killed.
        folder: where it may write, if its size is to be watched.
        """
        self.server = server
        self.key = request.key
        self.process = process
        self.limits = ChildLimits(request.limits, process, folder)
        self.clock = self.limits.clock
        self._killed: Killed | None = None
        self.exit: Exit | None = None
        self.paused = False
        self._partners: Sequence[Child] = ()
        # After an exec the kernel's peak is the program's alone.
        self._baseline_bytes = 0 if request.mode == protocol.EXECUTE else server.baseline_bytes
        reports_files = request.traits & protocol.REPORTS_FILES
        has_result = request.mode in protocol.MODES_WITH_RESULT or reports_files
        max_bytes = request.limits.output_bytes
        self.stdout = OutputStream(max_bytes) if stdout == ABSENT else None
        self._stderr = TailStream()
        self._result = OutputStream(max_bytes) if has_result else None
        self._limited_streams = [s for s in (self.stdout, self._result) if s is not None]
        self._streams = {s.reader: s for s in (*self._limited_streams, self._stderr)}
        try:
            self._send_request(request, stdin, stdout)
        except BaseException:
            self.close()
            raise
        finally:
            for stream in self._streams.values():
                stream.close_writer()

    def _send_request(self, request: RunRequest, stdin: int, stdout: int) -> None:
        if self.server.has_own_uid:
            for stream in self._streams.values():
                stream.let_others_open()
        limits = request.limits
        cpu_limit = max(limits.cpu_seconds, limits.contended_cpu_seconds)
        descriptors = request.descriptors.with_streams(
            stdin,
            self.stdout.writer if self.stdout is not None else stdout,
            self._stderr.writer,
            self._result.writer if self._result is not None else ABSENT,
        )
        self.server.send(
            Request(
                request.mode,
                request.traits,
                int(cpu_limit) + _SPARE_CPU_SECONDS,
                limits.memory_bytes + limits.address_bytes,
                descriptors,
            )
        )

    @property
    def done(self) -> bool:
        """Whether it has ended and all its output has been read."""
        return self.exit is not None

    @property
    def is_watched(self) -> bool:
        """Whether it is slow, and the host watches it."""
        return self.process.pidfd >= 0

    @property
    def handlers(self) -> dict[int, Handler]:
        """What handles each descriptor of the child and its server."""
        return {
            **dict.fromkeys(self._streams, self.handle_output),
            self.server.socket.fileno(): self.handle_message,
        }

    def handle_output(self, reader: int) -> bool:
        """Read a chunk. Returns False at the end of the stream, or when no more is wanted."""
        stream = self._streams[reader]
        if self.done:
            return False
        stream.read()
        if stream.is_over_limit:
            self.kill(Killed.OUTPUT)
        return not (stream.is_at_end or stream.is_over_limit)

    def read_limited_streams(self) -> None:
        """Read all that the child has written until now, except its standard error."""
        for stream in self._limited_streams:
            self._read_written(stream)

    def _read_written(self, stream: OutputStream) -> None:
        # A pipe gives less than a chunk only where it holds no more.
        while not stream.is_over_limit and stream.read() == CHUNK_BYTES:
            pass
        if stream.is_over_limit:
            self.kill(Killed.OUTPUT)

    def handle_message(self, _descriptor: int) -> bool:
        """Receive a message of the server and act on it. Returns False at the child's end. Raises
        ServerLostError, and OSError if this process may open no more files."""
        try:
            message, ancillary = self.server.receive()
        except OSError as error:
            raise ServerLostError(f"the fork server ended: {error}") from error
        lead = message[:1]
        if lead == protocol.EXIT:
            self._handle_exit(message)
        elif lead == protocol.STILL_RUNNING:
            self._begin_watching(ancillary)
        elif lead == protocol.STARTED:
            self._handle_started(message, ancillary)
        elif lead == protocol.FORK_FAILED:
            raise ServerLostError(
                f"the fork server cannot fork: {message[1:].decode('utf-8', 'replace')}"
            )
        else:
            raise ServerLostError("the fork server ended")
        return not self.done

    def await_started(self) -> None:
        """Receive what a child of a batch sends before its program begins."""
        while not self.process.pid:
            try:
                self._handle_started(*self.server.receive(socket.MSG_DONTWAIT))
            except OSError as error:
                raise ServerLostError(f"a child did not say its number: {error}") from error

    def _handle_started(self, message: bytes, ancillary: Ancillary) -> None:
        if message != protocol.STARTED:
            raise ServerLostError("a child did not say its number")
        pid = find_sender_pid(ancillary)
        if pid is not None:
            self.process.set_pid(pid)

    def _begin_watching(self, ancillary: Ancillary) -> None:
        """Watch the clock and memory of a child that is slow."""
        pidfd = find_descriptor(ancillary)
        if pidfd is None:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        self.process.adopt_pidfd(pidfd)
        if self._killed is not None:
            self.process.kill()
        elif self.process.pid > 0:  # else the server has reaped it, and Exit follows
            self.clock.reply_deadline = None
        delay = time.monotonic() - self.clock.grace_start - protocol.GRACE_MS / 1000
        for child in (self, *self._partners):  # a partner has waited for this child
            child.exclude_delay(delay)

    def exclude_delay(self, seconds: float) -> None:
        """Do not charge the child for a delay of ours or of a server, if it was long."""
        if seconds > MIN_DESCHEDULED_SECONDS and not (self.done or self.paused):
            self.clock.exclude_from_elapsed(seconds)

    def _handle_exit(self, message: bytes) -> None:
        try:
            exit_report = Exit.decode(message)
        except ValueError as error:
            raise ServerLostError("the fork server ended") from error
        self.clock.stop()
        for stream in self._streams.values():
            self._read_written(stream)  # the child is dead and nobody else can write: all of it
        self.exit = exit_report
        self.limits.has_ended = True

    def check_limits(self, now: float) -> float:
        """Kill the child if it exceeds a limit. Returns the seconds until the next check is due.

        Raises ServerLostError where the server is silent for too long.
        """
        clock = self.clock
        if clock.reply_deadline is not None:
            if now > clock.reply_deadline:
                raise ServerLostError("the fork server does not answer")
            return clock.reply_deadline - now
        try:
            cpu_s = self.process.read_cpu() - self.limits.cpu_offset
        except OSError:  # the server has reaped it, and Exit follows
            clock.expect_reply()
            return REPLY_SECONDS
        exceeded, seconds = self.limits.check(now, cpu_s)
        if exceeded is not None:
            self.kill(exceeded)
            return REPLY_SECONDS
        return seconds

    def kill(self, reason: Killed) -> None:
        """Kill the child, now or as soon as the server has handed over its pidfd.

        A child that ended by itself does not count as killed, however late its end is noticed.
        """
        if self._killed is not None:
            return
        if not self.process.has_ended():
            self._killed = self.limits.choose_reason(reason)
        self.clock.expect_reply()
        if self.is_watched:
            self.process.kill()

    def set_partners(self, partners: Sequence[Child]) -> None:
        """Note the other children of its run."""
        self._partners = partners
        self.limits.partners = [partner.limits for partner in partners]

    def pause(self) -> None:
        """Stop its clock: it has completed a test, and waits for the next."""
        self.clock.stop()
        self.paused = True

    def resume(self) -> None:
        """Supervise it again, after its last test, until it ends."""
        self.paused = False
        self.clock.resume()

    def begin_next_test(self, limits: ResourceLimits, cpu_offset: float) -> None:
        """Start to count time and output of the next test in a child of a batch."""
        self.limits.bounds, self.limits.cpu_offset = limits, cpu_offset
        self.paused = False
        for stream in self._streams.values():
            stream.clear()
        for limited_stream in self._limited_streams:
            limited_stream.max_bytes = limits.output_bytes
        self.clock.restart()

    def build_outcome(self) -> Outcome:
        """Return what happened to the child from its start. Only when ``done``."""
        assert self.exit is not None
        notes = self.exit.notes
        peak_bytes = max(self.exit.peak << 10, self.process.swap_peak)
        return self._describe(self.exit.cpu_s)._replace(
            status=self.exit.status,
            phase=_PHASES[min(notes.phase, len(_PHASES) - 1)],
            peak_memory=max(0, peak_bytes - self._baseline_bytes),
            refused_memory=bool(notes.flags & protocol.FLAG_MEMORY),
            left_threads=bool(notes.flags & protocol.FLAG_THREADS),
            exited_early=bool(notes.flags & protocol.FLAG_EXIT),
            called_other_name=bool(notes.flags & protocol.FLAG_OTHER_NAME),
            setup_step=notes.step,
            setup_errno=notes.errno,
            asked_candidate=bool(notes.flags & protocol.FLAG_ASKED),
        )

    def build_test_outcome(self, cpu_s: float) -> Outcome:
        """Return what happened in the test that it has just completed. cpu_s: CPU seconds that its
        program took until now."""
        return self._describe(max(0.0, cpu_s - self.limits.cpu_offset))

    def _describe(self, cpu_s: float) -> Outcome:
        return Outcome(
            status=0,
            killed=self._killed,
            phase=Phase.FINISHED,
            cpu_s=cpu_s,
            wall_s=self.clock.elapsed,
            peak_memory=None,
            stdout=self.stdout.data if self.stdout is not None else b"",
            stderr=self._stderr.data,
            result=self._result.data if self._result is not None else b"",
            run_delay=self.limits.get_run_delay(self._killed),
        )

    def read_peak(self) -> int:
        """Return its peak of resident memory until now, in bytes, without what every child has."""
        self.process.read_usage()
        return max(0, self.process.peak_bytes - self._baseline_bytes)

    def close(self) -> None:
        """Close the descriptors that the host holds for it."""
        for stream in self._streams.values():
            stream.close()
        self._streams.clear()
        self.process.close()
