"""Runs the HTTP server. After SIGTERM it answers the requests it has accepted."""

from __future__ import annotations

import ctypes
import ipaddress
import os
import resource
import socket
from collections.abc import Callable, Mapping
from functools import partial

import psutil
import uvicorn

from microcoder_eval.api import Judge
from microcoder_eval.errors import UsageError
from microcoder_eval.formats import ProblemSet
from microcoder_eval.signals import handle_signals

from .access_log import AccessLog
from .application import create_application
from .connections import Connection, Connections
from .metrics import Metrics
from .options import KEEP_ALIVE_SECONDS, MAX_HEAD_BYTES, MIB, Options
from .service import Service

_BACKLOG = 2048
_MAX_DESCRIPTORS = 1 << 16
_MIN_CONNECTIONS = 4096
# Connections accepted in one turn of the event loop. Closing one beyond the limit takes several
# turns. Connections accepted meanwhile need descriptors, and so do replacement workers.
_ACCEPTS_PER_TURN = 16
_RESERVED_DESCRIPTORS = 8 * _ACCEPTS_PER_TURN + 64
_M_MMAP_THRESHOLD = -3  # mallopt(3)


def serve(
    judge: Judge,
    options: Options,
    datasets: Mapping[str, ProblemSet],
    on_listening: Callable[[str], None],
) -> int:
    """Serve until SIGTERM or SIGINT; return how many accepted requests were not answered. Call it
    in the main thread.

    on_listening: called with the URL once the server accepts connections. A second SIGINT drops
    the requests in progress. Raises UsageError.
    """
    _raise_descriptor_limit()
    _return_large_blocks()
    metrics = Metrics(judge.stats)
    with _open_listener(options.host, options.port) as server_socket:
        service = Service(judge, datasets, options, metrics)
        access_log = AccessLog() if options.access_log else None
        held_bytes = int(options.held_mb * MIB)
        connections = Connections(_compute_connection_limit(options), held_bytes, metrics)
        admission = create_application(service, options, connections, access_log)
        config = uvicorn.Config(
            admission,
            http=partial(Connection, connections),  # uvicorn calls this like a class
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level="error",  # invalid requests must not fill the log
            access_log=False,
            server_header=False,
            proxy_headers=False,
            h11_max_incomplete_event_size=MAX_HEAD_BYTES,
            backlog=_ACCEPTS_PER_TURN,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=max(1, round(options.grace_s)),
        )
        server = Server(config)

        def stop() -> None:
            server.should_exit = True

        # uvicorn installs its handlers later. At its end it sends itself the signal that stopped
        # it; without this handler, that signal would end the process.
        with handle_signals(stop):
            try:
                on_listening(_format_url(server_socket))
                server.run(sockets=[server_socket])
            finally:
                judge.close(cancel=True)  # no request waits for a judgement any more
                service.close()
                if access_log is not None:
                    access_log.close()
    return admission.unanswered_count


class Server(uvicorn.Server):
    """uvicorn's server with a longer accept queue in the kernel.

    uvicorn uses one setting, ``backlog``, for this queue and for the number of accepts in one turn.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections."""
        await super().startup(sockets)
        for server_socket in sockets or ():
            server_socket.listen(_BACKLOG)


def _compute_connection_limit(options: Options) -> int:
    """Compute the highest number of connections that still leaves descriptors to accept one
    more."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = max(_MIN_CONNECTIONS, 2 * (options.at_once + options.queue))
    return max(8, min(target, soft - psutil.Process().num_fds() - _RESERVED_DESCRIPTORS))


def _open_listener(host: str, port: int) -> socket.socket:
    """Open a listening socket. Raises UsageError; the message says what to do."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise UsageError(f"--host {host}: no such address ({error.strerror})") from error
    try:
        return socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    except OSError as error:
        reason = os.strerror(error.errno or 0).lower()
        raise UsageError(
            f"cannot listen on {host}:{port}: {reason}; try another --port (0: any free port)"
        ) from error


def _format_url(server_socket: socket.socket) -> str:
    """Return the URL of a listening socket."""
    host, port = server_socket.getsockname()[:2]
    if server_socket.family is socket.AF_INET6:
        host = f"[{host}]"
    return f"http://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False  # a name


def _raise_descriptor_limit() -> None:
    """Raise the soft limit on descriptors, usually 1024: each waiting client needs one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = _MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(_MAX_DESCRIPTORS, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, target), hard))


def _return_large_blocks() -> None:
    """Have glibc return each freed block of 1 MiB or more to the kernel.

    By default the threshold rises with the blocks that are freed, up to 32 MiB. Blocks below it
    leave gaps, and large bodies one after the other take more and more memory.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, MIB)
