"""The process of a fork server, before it is told what to be: it imports its modules and waits.

Little is imported here, so that a driver can start it before its own imports.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import sys
from typing import NamedTuple

import microcoder_sandbox

STACK_BYTES = 1 << 30  # to which the main thread's stack of every program may grow
_SERVER_SCRIPT = (
    "import sys; sys.path.insert(0, {root!r}); "
    "from microcoder_sandbox.server import main; code, namespace, finish = main.main()\n"
    "while True:\n"
    "    raised = []\n"
    "    try: exec(code, namespace)\n"
    "    except BaseException as error: raised = [error]\n"
    "    code, namespace = finish(raised)"
)
_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/",
    "LC_ALL": "C",  # setlocale(LC_ALL, "") reads no file then; the interpreter runs with -X utf8
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",  # else 64 MiB of a program's address space for each thread
}


class ServerProcess(NamedTuple):
    """A process that waits for a ``ServerConfig`` at the other end of the socket."""

    pid: int
    socket: socket.socket


def spawn_server_process() -> ServerProcess:
    """Start one. It ends when nobody holds the socket any more. Raises OSError."""
    driver_socket, server_socket = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    root = os.path.dirname(os.path.abspath(microcoder_sandbox.__path__[0]))
    flags = ["-s", "-P", "-S", "-B", "-X", "utf8"]
    with server_socket:
        _allow_deep_stacks()
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, *flags, "-c", _SERVER_SCRIPT.format(root=root), "3"],
            _ENVIRONMENT,
            file_actions=[(os.POSIX_SPAWN_DUP2, server_socket.fileno(), 3)],
            setsid=True,
            setsigmask=[],
            setsigdef=[signal.SIGINT, signal.SIGPIPE, signal.SIGTERM, signal.SIGHUP],
        )
    return ServerProcess(pid, driver_socket)


def _allow_deep_stacks() -> None:
    # Taken over by exec: the main thread's stack of every program may grow this far.
    _soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    soft_limit = STACK_BYTES if hard == resource.RLIM_INFINITY else min(STACK_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_STACK, (soft_limit, hard))
