"""The driver's side of a fork server: start it, run children on it, watch them, never hang.

A driver is single-threaded (PR_SET_PDEATHSIG depends on it) and drives one child per server at
a time; ``watch`` supervises children of several servers together (two that talk to each other).
"""

from __future__ import annotations

import errno
import marshal
import os
import select
import signal
import socket
import struct
import sys
import time
from collections.abc import Sequence

from . import wire
from .folder import Folder
from .outcome import (
    CROWDED,
    CageError,
    Killed,
    Outcome,
    Phase,
    ResourceLimits,
    ServerLostError,
)

START_SECONDS = 30.0
ANSWER_SECONDS = 15.0  # for LONG, or EXIT after a kill: the server's work, a matter of milliseconds
MEMORY_LOOK_SECONDS = 0.025
# Threads take process numbers from the whole machine, and kernel memory that no limit of a
# process counts. Some 400 are made between two looks.
MAX_THREADS = 512
# A driver, or a server, that comes so much too late was itself kept from running: the time is
# nobody's. Less is how a busy machine is.
LATE_SECONDS = 0.5
STDERR_KEPT = 64 * 1024
CHUNK = 1 << 16
_CODE = (
    "import sys; sys.path.insert(0, {root!r}); "
    "from microcoder_sandbox import server; code, namespace, finish = server.main()\n"
    "while True:\n"
    "    try: exec(code, namespace)\n"
    "    except BaseException as error: code, namespace = finish(error)\n"
    "    else: code, namespace = finish(None)"
)
_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",  # else 64 MiB of a program's address space for each thread
}
_PHASES = tuple(Phase)


class ForkServer:
    """One running fork server. Raises CageError from any method when it is lost."""

    def __init__(self, config: dict[str, object]) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        flags = ["-s", "-P", "-S", "-B", "-X", "utf8"]
        spawned = os.posix_spawn(
            sys.executable,
            [sys.executable, *flags, "-c", _CODE.format(root=root), "3"],
            _ENVIRONMENT,
            file_actions=[(os.POSIX_SPAWN_DUP2, theirs.fileno(), 3)],
            setsid=True,
            setsigmask=[],
            setsigdef=[signal.SIGINT, signal.SIGPIPE, signal.SIGTERM, signal.SIGHUP],
        )
        theirs.close()
        self.socket = ours
        self.pid = self.session = spawned
        self.pidfd = os.pidfd_open(spawned)
        self.layers: dict[str, str] = {}
        self.other_uid = config["uid"] is not None
        try:
            self._greet(config, spawned)
        except BaseException:
            self.close()
            raise

    def _greet(self, config: dict[str, object], spawned: int) -> None:
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self.socket.settimeout(START_SECONDS)
        try:
            self.socket.send(marshal.dumps({**config, "driver_pid": os.getpid()}))
            message, ancillary, _flags, _address = self.socket.recvmsg(4096, 64)
        except OSError as error:
            raise ServerLostError(f"a fork server did not start: {error}") from error
        if message[:1] != wire.READY:
            why = message[1:].decode("utf-8", "replace") or "it ended without a word"
            raise ServerLostError(f"a fork server did not start: {why}")
        for line in message[1:].decode().splitlines():
            name, _, state = line.partition("\t")
            self.layers[name] = state
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        self.socket.settimeout(None)
        self._adopt(ancillary, spawned)

    def _adopt(self, ancillary: list[tuple[int, int, bytes]], spawned: int) -> None:
        """Follow the server into its pid namespace: there it is another, adopted process."""
        for _level, _kind, data in ancillary:
            pid = struct.unpack("iII", data)[0]
            if pid != spawned:
                os.close(self.pidfd)
                self.pid, self.pidfd = pid, os.pidfd_open(pid)
                os.waitpid(spawned, 0)

    @property
    def level(self) -> int:
        """The isolation level reached (ARCHITECTURE.md, "Levels")."""
        held = {name for name, state in self.layers.items() if state == "held"}
        if "seccomp" not in held or "capabilities" not in held:
            return 1
        if "landlock" not in held:
            return 2
        return 4 if "namespaces" in held else 3

    def close(self) -> None:
        """Kill it and everything it runs, and wait until that is done."""
        try:
            if self.pid == self.session:
                # Not adopted yet: a process that it has forked is only known by its group, whose
                # number is taken as long as the leader has not been waited for.
                os.killpg(self.session, signal.SIGKILL)
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        except OSError:
            pass
        try:
            os.waitpid(self.pid, 0)
        except ChildProcessError:
            pass
        self.socket.close()
        os.close(self.pidfd)


class Child:
    """One child from request to outcome. ``descriptors`` follow the order of wire.STDIN…"""

    def __init__(
        self,
        server: ForkServer,
        mode: int,
        descriptors: Sequence[int | None],
        limits: ResourceLimits,
        traits: int,
        *,
        wants_result: bool = False,
        folder: Folder | None = None,
    ) -> None:
        """Ask the server for a child. STDOUT and STDERR (and RESULT when wants_result) of
        ``descriptors`` are made here; the given ones stay the caller's."""
        self.server = server
        self.limits = limits
        self.folder = folder
        self.killed: Killed | None = None
        self.stopped = False
        self.partner: Child | None = None  # whose answers it waits for
        self.done = False
        self.paused = False
        self.cpu_base = 0.0  # on its clock, when what the limit is for began
        self._pidfd = -1
        self._clock = 0
        self._host_pid = 0
        self._peak_seen = 0
        self._threads_seen = 0
        self._look_due = 0.0
        self._cpu_seen = 0.0
        self._run_delay = 0.0
        self._exit: tuple[int, ...] = ()
        self._notes = bytes(16)
        self._streams: dict[int, list[bytes]] = {}
        self._sizes: dict[int, int] = {}
        self.started = self._born = time.monotonic()
        self._answer_due: float | None = self.started + ANSWER_SECONDS  # None: we watch it
        self._start(mode, traits, list(descriptors), wants_result)

    def _start(
        self, mode: int, traits: int, descriptors: list[int | None], wants_result: bool
    ) -> None:
        made = []
        readers = []
        for meaning in (wire.STDOUT, wire.STDERR, wire.RESULT):
            given = meaning != wire.RESULT and descriptors[meaning] is not None
            if given or (meaning == wire.RESULT and not wants_result):
                readers.append(-1)  # not wanted, or given: then it leads to another child
                continue
            reader, writer = os.pipe()
            os.set_blocking(reader, False)
            if self.server.other_uid:
                os.fchmod(writer, 0o666)  # or opening /dev/stdout by name is refused
            descriptors[meaning] = writer
            made.append(writer)
            readers.append(reader)
        self._stdout, self._stderr, self._result = readers
        for reader in readers:
            if reader >= 0:
                self._streams[reader] = []
                self._sizes[reader] = 0
        bits = sum(1 << i for i, fd in enumerate(descriptors) if fd is not None)
        most = max(self.limits.cpu_seconds, self.limits.crowded_cpu_seconds)
        space = self.limits.memory_bytes + self.limits.address_bytes
        request = wire.REQUEST.pack(mode, bits, traits, int(most) + 3, space)
        present = [fd for fd in descriptors if fd is not None]
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack(f"{len(present)}i", *present))]
        try:
            self.server.socket.sendmsg([request], rights)
        except OSError as error:
            self.close()
            raise ServerLostError(f"fork server gone: {error}") from error
        finally:
            for writer in made:
                os.close(writer)

    def register(self, poller: select.poll) -> dict[int, Child]:
        """Say which descriptors to wait on; returns them as keys to this child."""
        descriptors = [*self._streams, self.server.socket.fileno()]
        for descriptor in descriptors:
            poller.register(descriptor, select.POLLIN)
        return dict.fromkeys(descriptors, self)

    def ready(self, descriptor: int, poller: select.poll) -> None:
        """Something can be read from ``descriptor``."""
        if descriptor != self.server.socket.fileno():
            if not self._read(descriptor):
                poller.unregister(descriptor)
            return
        try:
            message, ancillary, _flags, _address = self.server.socket.recvmsg(128, 64)
        except OSError as error:
            raise ServerLostError(f"the fork server ended: {error}") from error
        if message[:1] == wire.LONG:
            if not ancillary:  # the kernel drops what finds no place
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            self._take_over(struct.unpack("i", ancillary[0][2])[0])
        elif len(message) == wire.EXIT.size:
            self._finish(message, poller)
        elif message[:1] == wire.NO_CHILD:
            raise ServerLostError(f"the fork server cannot fork: {message[1:].decode()}")
        else:
            raise ServerLostError("the fork server ended")

    def _read(self, descriptor: int) -> bool:
        """One chunk; False at the end of the stream or when no more is wanted."""
        try:
            data = os.read(descriptor, CHUNK)
        except BlockingIOError:
            return True
        if not data:
            return False
        chunks = self._streams[descriptor]
        chunks.append(data)
        self._sizes[descriptor] += len(data)
        if descriptor == self._stderr:
            if self._sizes[descriptor] > 2 * STDERR_KEPT:
                tail = b"".join(chunks)[-STDERR_KEPT:]
                chunks[:] = [tail]
                self._sizes[descriptor] = len(tail)
            return True
        if self._sizes[descriptor] > self.limits.output_bytes:
            self.kill(Killed.OUTPUT)
            return False
        return True

    @property
    def taken_over(self) -> bool:
        """Whether the child has turned out slow, and is watched from here."""
        return self._pidfd >= 0

    def _take_over(self, pidfd: int) -> None:
        """The child is slow: from here we watch its clock and its memory."""
        self._pidfd = pidfd
        with open(f"/proc/self/fdinfo/{pidfd}") as info:
            for line in info:
                if line.startswith("Pid:"):
                    self._host_pid = int(line.split()[1])
        # The CPU clock of another process, exact to the nanosecond (clock_getcpuclockid(3)).
        self._clock = ((~self._host_pid) << 3) | 2
        if self.killed is not None:
            self._send_kill()
        elif self._host_pid > 0:  # else it has been reaped: EXIT is on its way
            self._answer_due = None

    def lateness(self) -> float:
        """Seconds that the server took to hand the child over beyond its grace, asked then."""
        return time.monotonic() - self._born - wire.GRACE_MS / 1000

    def excuse(self, seconds: float) -> None:
        """Do not count these seconds against the program's wall limit, or the server's answer."""
        self.started += seconds
        self._born += seconds
        if self._answer_due is not None:
            self._answer_due += seconds

    def check(self, now: float) -> float:
        """Enforce the limits; returns the seconds until the next look is due."""
        if self._answer_due is not None:
            if now > self._answer_due:
                raise ServerLostError("the fork server does not answer")
            return self._answer_due - now
        wall_left = self.started + self.limits.wall_seconds - now
        try:
            self._cpu_seen = time.clock_gettime(self._clock)
        except OSError:
            return self._expect_answer()  # reaped already: EXIT is on its way
        cpu_left = self._cpu_limit() - (self._cpu_seen - self.cpu_base)
        if now >= self._look_due:
            self._look_due = now + MEMORY_LOOK_SECONDS / 2
            self._look_at_status()
            self._look_at_delay()
            if self.partner is not None and self.partner._stands_still():
                self.stopped = True
        if cpu_left <= 0:
            self.kill(Killed.CPU)
        elif wall_left <= 0:
            self.stopped = self.stopped or self._stands_still()
            self.kill(Killed.WALL)
        elif self._peak_seen - self._baseline_guess() > self.limits.memory_bytes:
            self.kill(Killed.MEMORY)
        elif self._threads_seen > MAX_THREADS:
            self.kill(Killed.THREADS)
        elif self.folder is not None and self.folder.full():
            self.kill(Killed.OUTPUT)
        else:
            return max(0.001, min(cpu_left, wall_left, MEMORY_LOOK_SECONDS))
        return ANSWER_SECONDS

    def _cpu_limit(self) -> float:
        limits, used = self.limits, self._cpu_seen - self.cpu_base
        if limits.crowded_cpu_seconds and used >= limits.cpu_seconds:
            self._look_at_delay()
            if self._run_delay > CROWDED * used:
                return limits.crowded_cpu_seconds
        return limits.cpu_seconds

    def _expect_answer(self) -> float:
        """From here the server has something to say; returns the seconds it has for that."""
        self._answer_due = time.monotonic() + ANSWER_SECONDS
        return ANSWER_SECONDS

    def _baseline_guess(self) -> int:
        # The exact baseline comes with EXIT, and decides; killing early must not be hasty.
        return 64 << 20

    def _look_at_status(self) -> None:
        process = f"/proc/{self._host_pid}"
        try:
            text = _contents(f"{process}/status")
            self._threads_seen = _figure(text, b"Threads:")
            if b"\nVmHWM:" not in text:
                # The main thread has ended by itself: the memory is that of the others.
                for task in os.listdir(f"{process}/task")[-2:]:
                    text += _contents(f"{process}/task/{task}/status")
        except OSError:
            return
        self._peak_seen = max(self._peak_seen, _figure(text, b"VmHWM:") << 10)

    def kill(self, reason: Killed) -> None:
        """Kill the child, now or as soon as the server has handed over its pidfd.

        One that has ended by itself is not killed, however late we or its server come to see it.
        """
        if self.killed is not None:
            return
        if not self.taken_over or not readable(self._pidfd):
            # One that waited for a core runs on beyond its limit, and what it comes to there it
            # would not have come to on an idle machine.
            late = self._cpu_seen - self.cpu_base >= self.limits.cpu_seconds
            self.killed = Killed.CPU if late and reason is not Killed.WALL else reason
        self._expect_answer()
        if self.taken_over:
            self._send_kill()

    def _stands_still(self) -> bool:
        try:
            with open(f"/proc/{self._host_pid}/stat", "rb") as stat:
                return stat.read().rpartition(b")")[2].split()[0] == b"T"
        except OSError:
            return False

    def _look_at_delay(self) -> None:
        try:
            with open(f"/proc/{self._host_pid}/schedstat", "rb") as stat:
                self._run_delay = int(stat.read().split()[1]) / 1e9
        except (OSError, IndexError):
            pass  # a kernel without schedstats: contention stays unknown, 0.0

    def _send_kill(self) -> None:
        try:
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def _finish(self, message: bytes, poller: select.poll) -> None:
        _lead, *numbers, self._notes = wire.EXIT.unpack(message)
        self._exit = tuple(numbers)
        self._ended = time.monotonic()
        poller.unregister(self.server.socket.fileno())
        for descriptor in self._streams:
            # The child is dead and nothing else holds the other end: this drains what is left.
            while self._wants(descriptor) and self._read(descriptor):
                if not readable(descriptor):
                    break
            try:
                poller.unregister(descriptor)
            except KeyError:
                pass
        self.done = True

    def _wants(self, descriptor: int) -> bool:
        return descriptor == self._stderr or self._sizes[descriptor] <= self.limits.output_bytes

    def outcome(self) -> Outcome:
        """What happened. Only when ``done``."""
        status, user, system, peak, baseline = self._exit
        flags = self._notes[wire.FLAGS]
        return Outcome(
            status=status,
            killed=self.killed,
            phase=_PHASES[min(self._notes[wire.PHASE], len(_PHASES) - 1)],
            cpu_s=(user + system) / 1e6,
            wall_s=self._ended - self.started,
            peak_memory=max(0, peak - baseline) << 10,
            stdout=b"".join(self._streams.get(self._stdout, ())),
            stderr=b"".join(self._streams[self._stderr]),
            result=b"".join(self._streams.get(self._result, ())),
            refused_memory=bool(flags & wire.FLAG_MEMORY),
            left_threads=bool(flags & wire.FLAG_THREADS),
            exited_early=bool(flags & wire.FLAG_EXIT),
            run_delay=self._run_delay,
            stopped=self.stopped,
            setup_step=self._notes[wire.STEP],
            setup_errno=self._notes[wire.ERRNO],
        )

    def close(self) -> None:
        """Let go of the descriptors."""
        for descriptor in self._streams:
            os.close(descriptor)
        self._streams.clear()
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1


def _contents(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _figure(status: bytes, name: bytes) -> int:
    """The number after ``name`` in a /proc/PID/status; 0 where there is none."""
    # From the start of a line: the first one holds a name that the program may choose, in which
    # the kernel escapes line ends.
    start = status.find(b"\n" + name)
    return int(status[start + 1 + len(name) :].split(None, 1)[0]) if start >= 0 else 0


def readable(descriptor: int) -> bool:
    """Whether something can be read now; of a pidfd: whether its process has ended."""
    poller = select.poll()  # select() knows no descriptor above 1023
    poller.register(descriptor, select.POLLIN)
    return bool(poller.poll(0))


class Interrupted(CageError):  # noqa: N818 - an order, not an error
    """Whoever this work is for has gone away; nothing is owed to anybody."""


class Watcher:
    """Supervises children until all are done, or paused; may be asked again for paused ones.

    gone: (descriptor, poll events) that mean "stop": a pidfd that becomes readable, a socket
    that hangs up. Then Interrupted is raised.
    """

    def __init__(self, children: Sequence[Child], gone: Sequence[tuple[int, int]] = ()) -> None:
        self._children = children
        self._poller = select.poll()
        self._owners: dict[int, Child] = {}
        for child in children:
            self._owners.update(child.register(self._poller))
        for descriptor, events in gone:
            self._poller.register(descriptor, events)

    def run(self) -> None:
        """Raises ServerLostError, Interrupted."""
        due = min(child.started for child in self._children)
        while pending := [c for c in self._children if not (c.done or c.paused)]:
            now = time.monotonic()
            if now - due > LATE_SECONDS:
                _excuse(pending, now - due)
            pause = min([child.check(now) for child in pending])
            due = now + pause
            for descriptor, _event in self._poller.poll(max(1, int(pause * 1000 + 0.999))):
                self._ready(descriptor, pending)

    def _ready(self, descriptor: int, pending: Sequence[Child]) -> None:
        owner = self._owners.get(descriptor)
        if owner is None:
            raise Interrupted("stopped")
        if owner.done:
            return
        taken_over = owner.taken_over
        owner.ready(descriptor, self._poller)
        if owner.taken_over and not taken_over and owner.lateness() > LATE_SECONDS:
            _excuse(pending, owner.lateness())


def watch(children: Sequence[Child], gone: Sequence[tuple[int, int]] = ()) -> None:
    """Supervise children until all are done. Raises ServerLostError, Interrupted."""
    Watcher(children, gone).run()


def _excuse(children: Sequence[Child], late: float) -> None:
    # All of them: of two that talk to each other one has waited for the other.
    for child in children:
        child.excuse(late)
