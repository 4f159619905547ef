"""The host's side of a fork server: starts it with a hash seed, sends requests, receives messages,
ends it.

The host is single-threaded (PR_SET_PDEATHSIG depends on it) and drives one child per server at a
time.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import struct
import sys
from collections.abc import Callable, Collection

from microcoder_sandbox.errors import ServerLostError, ServerStartError
from microcoder_sandbox.wire import environments, protocol
from microcoder_sandbox.wire.light_record import LightRecord
from microcoder_sandbox.wire.protocol import HELD, Request, ServerConfig

START_SECONDS = 30.0
START_ATTEMPTS = 4
_SCM_CREDENTIALS = 2  # unix(7); the socket module has no name for it
_MESSAGE_BYTES = 4096
_ANCILLARY_BYTES = 64  # credentials and one descriptor

STACK_BYTES = 1 << 30  # the main thread's stack of every program may grow to this
# Only a child comes out of main(): it executes its program here, below no frame of ours. In a batch
# ``finish`` returns the next run.
_SERVER_SCRIPT = (
    "import sys; sys.path.insert(0, {root!r}); "
    "from microcoder_sandbox.server import main; code, namespace, finish = main.main()\n"
    "while True:\n"
    "    raised = []\n"
    "    try: exec(code, namespace)\n"
    "    except BaseException as error: raised = [error]\n"
    "    code, namespace = finish(raised)"
)

Ancillary = list[tuple[int, int, bytes]]


class ServerProcess(LightRecord):
    """The process of a fork server before it is configured: it imports its modules and waits
    for a ``ServerConfig`` at the other end of the socket."""

    pid: int
    socket: socket.socket


def spawn_server_process(hash_seed: int = 0) -> ServerProcess:
    """Start the process of a fork server. It ends when the socket is closed. hash_seed: the seed of
    its hashes and those of its programs. Raises OSError."""
    host_socket, server_socket = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    root = os.path.abspath(f"{os.path.dirname(__file__)}/../..")  # where the package lies
    flags = ["-s", "-P", "-S", "-B", "-X", "utf8"]
    with server_socket:
        _allow_deep_stacks()
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, *flags, "-c", _SERVER_SCRIPT.format(root=root), "3"],
            {**environments.PYTHON, "PYTHONHASHSEED": str(hash_seed)},
            file_actions=[(os.POSIX_SPAWN_DUP2, server_socket.fileno(), 3)],
            setsid=True,
            setsigmask=[],
            setsigdef=[signal.SIGINT, signal.SIGPIPE, signal.SIGTERM, signal.SIGHUP],
        )
    return ServerProcess(pid, host_socket)


def _allow_deep_stacks() -> None:
    # Exec keeps this limit: the main thread's stack of every program may grow this far.
    _soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    soft_limit = STACK_BYTES if hard == resource.RLIM_INFINITY else min(STACK_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_STACK, (soft_limit, hard))


def start_fork_server(
    config: ServerConfig,
    while_starting: Callable[[], object] | None,
    process: ServerProcess | None,
    hash_seed: int,
) -> ForkServer:
    """Return a new server. One that dies while it starts is started again: no program is to blame.

    while_starting: called while the server starts, in each attempt. process: the process to use in
    the first attempt. Raises ServerStartError after START_ATTEMPTS.
    """
    for _ in range(START_ATTEMPTS):
        try:
            return ForkServer(config, while_starting, process or spawn_server_process(hash_seed))
        except ServerLostError as error:
            reason, process = error, None
    raise ServerStartError(f"{reason} (tried {START_ATTEMPTS} times)")


class ForkServer:
    """One running fork server. Its methods raise ServerLostError when it is lost.

    layers: the state of each isolation layer.
    baseline_bytes: the resident peak of a child whose program is empty.
    session_id: the session that it and its children are in.
    has_own_uid: whether its programs run as another user.
    """

    def __init__(
        self,
        config: ServerConfig,
        while_starting: Callable[[], object] | None,
        process: ServerProcess,
    ) -> None:
        self.socket = process.socket
        self.pid = self.session_id = process.pid
        self.pidfd = os.pidfd_open(process.pid)
        self.baseline_bytes, self.layers = 0, dict[str, str]()
        self.has_own_uid = config.uid is not None
        try:
            self._handshake(config, while_starting)
        except BaseException:
            self.close()
            raise

    def _handshake(self, config: ServerConfig, while_starting: Callable[[], object] | None) -> None:
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self.socket.settimeout(START_SECONDS)
        try:
            self.socket.send(config.encode())
            if while_starting is not None:
                while_starting()
            message, ancillary = self.receive()
        except OSError as error:
            raise ServerLostError(f"a fork server did not start: {error}") from error
        if message[:1] != protocol.READY:
            reason = message[1:].decode("utf-8", "replace") or "it ended without a word"
            raise ServerLostError(f"a fork server did not start: {reason}")
        baseline, self.layers = protocol.decode_ready(message)
        self.baseline_bytes = baseline << 10
        self.socket.settimeout(None)
        self._adopt_inner_process(find_sender_pid(ancillary))

    def _adopt_inner_process(self, pid: int | None) -> None:
        """Find the server's process inside its pid namespace, and adopt it."""
        if pid is not None and pid != self.pid:
            os.close(self.pidfd)
            spawned_pid, self.pid = self.pid, pid
            self.pidfd = os.pidfd_open(pid)
            os.waitpid(spawned_pid, 0)

    @property
    def level(self) -> int:
        """The isolation level reached."""
        return compute_level({name for name, state in self.layers.items() if state == HELD})

    def send(self, request: Request) -> None:
        """Ask the server to fork a child."""
        descriptors = request.descriptors.list_present()
        data = struct.pack(f"{len(descriptors)}i", *descriptors)
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, data)]
        try:
            self.socket.sendmsg([request.encode()], rights)
        except OSError as error:
            raise ServerLostError(f"fork server gone: {error}") from error

    def receive(self, flags: int = 0) -> tuple[bytes, Ancillary]:
        """Return the next message, and what the kernel attached to it. Raises OSError."""
        message, ancillary, _flags, _address = self.socket.recvmsg(
            _MESSAGE_BYTES, _ANCILLARY_BYTES, flags
        )
        return message, ancillary

    def close(self) -> None:
        """Kill the server and everything it runs, and wait for their end."""
        try:
            if self.pid == self.session_id:
                # The inner process is not adopted yet, so it is only known by its process group.
                # The group's number is not reused before the leader has been waited for.
                os.killpg(self.session_id, signal.SIGKILL)
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        except OSError:
            pass
        try:
            os.waitpid(self.pid, 0)
        except ChildProcessError:
            pass
        self.socket.close()
        os.close(self.pidfd)


def compute_level(held_layers: Collection[str]) -> int:
    """Return the isolation level of these layers (sandbox/DESIGN.md, "Levels")."""
    if not {"seccomp", "capabilities"} <= set(held_layers):
        return 1
    if "landlock" not in held_layers:
        return 2
    return 4 if "namespaces" in held_layers else 3


def find_sender_pid(ancillary: Ancillary) -> int | None:
    """Return the process number of a message's sender, as the kernel attached it."""
    return _find_number(ancillary, _SCM_CREDENTIALS, "iII")


def find_descriptor(ancillary: Ancillary) -> int | None:
    """Return the descriptor that came with a message, None if the kernel found no place for it."""
    return _find_number(ancillary, socket.SCM_RIGHTS, "i")


def _find_number(ancillary: Ancillary, kind: int, form: str) -> int | None:
    numbers = (struct.unpack(form, data)[0] for _level, one, data in ancillary if one == kind)
    return next(numbers, None)
