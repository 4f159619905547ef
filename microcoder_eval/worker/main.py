"""A judge worker: one process with one thread. It holds expected outputs, runs programs in
the sandbox and decides verdicts.

The pool starts it afresh (exec, never fork). It ends once its caller has died, however: it
watches the caller's pidfd, because a fork of the caller may hold the socket open.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import socket
import sys

from microcoder_sandbox import spawn_server_process


def main() -> None:
    """Entry point of the worker process: argv holds the socket's descriptor and caller's pid."""
    connection = socket.socket(fileno=int(sys.argv[1]))
    connection.set_inheritable(False)  # no fork server may send verdicts
    caller_pid = int(sys.argv[2])
    _reset_inherited_state()
    try:
        caller_pidfd = os.pidfd_open(caller_pid)
    except ProcessLookupError:
        return
    try:
        server_process = spawn_server_process()
    except OSError:
        server_process = None  # a later attempt succeeds, or says why it does not
    from .worker import serve  # while the server imports its own modules

    serve(connection, [(caller_pidfd, select.POLLIN), (connection.fileno(), 0)], server_process)


def _reset_inherited_state() -> None:
    """Undo what the caller's process hands down: signal masks and handlers, umask, soft limits."""
    os.umask(0o022)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the caller handles Ctrl-C, and closes us
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    sys.set_int_max_str_digits(4300)
    for kind in (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):  # memory files count as files
        _soft, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (hard, hard))
