"""Listens, serves, and stops in order: what was accepted before a SIGTERM is still answered."""

from __future__ import annotations

import os
import resource
import signal
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import uvicorn

from microcoder_eval.api import Judge
from microcoder_eval.formats import ProblemSet

from .application import application
from .caps import Caps
from .metrics import Metrics
from .options import CannotListenError, Options
from .service import Service

_KEEP_ALIVE_S = 75  # longer than clients keep an idle connection: the side that asks should end it
_BACKLOG = 2048
_DESCRIPTORS = 1 << 16
_STOPPING = (signal.SIGTERM, signal.SIGINT)


@dataclass(frozen=True, slots=True)
class Ended:
    """How serving ended. dropped: accepted requests that were not answered."""

    dropped: int


def serve(
    judge: Judge,
    options: Options,
    datasets: Mapping[str, ProblemSet],
    listening: Callable[[str], None],
) -> Ended:
    """Serve until SIGTERM or SIGINT; to be called in the main thread.

    listening: called with the URL once connections are accepted. A second SIGINT drops what is
    under way. Raises CannotListenError.
    """
    allow_many_descriptors()
    metrics = Metrics()
    with listener(options.host, options.port) as ear:
        service = Service(
            judge,
            datasets,
            Caps(options.max_time_s, options.max_memory_mb),
            metrics,
            options.at_once,
        )
        border = application(service, options, metrics)
        config = uvicorn.Config(
            border,
            http="h11",  # bounds what it reads of a request's head
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level="error",  # who sends what is no request must not fill logs
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=_BACKLOG,
            timeout_keep_alive=_KEEP_ALIVE_S,
            timeout_graceful_shutdown=max(1, round(options.grace_s)),
        )
        server = uvicorn.Server(config)

        def stop(_number: int, _frame: object) -> None:
            server.should_exit = True

        # Before uvicorn has its own in place, and when it sends itself again the signal that has
        # stopped it: by default that would end the process here and now.
        before = {number: signal.signal(number, stop) for number in _STOPPING}
        try:
            listening(url_of(ear))
            server.run(sockets=[ear])
        finally:
            judge.close(cancel=True)  # nothing is left that anybody waits for
            service.close()
            for number, handler in before.items():
                signal.signal(number, handler)
    return Ended(border.dropped)


def listener(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises CannotListenError saying what to do."""
    where = f"{host}:{port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise CannotListenError(f"--host {host}: no such address ({error.strerror})") from error
    ear = socket.socket(family, kind, protocol)
    try:
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        ear.bind(address)
        ear.listen(_BACKLOG)
    except OSError as error:
        ear.close()
        reason = os.strerror(error.errno or 0).lower()
        raise CannotListenError(
            f"cannot listen on {where}: {reason}; another --port may do (0: any that is free)"
        ) from error
    return ear


def url_of(ear: socket.socket) -> str:
    """Where a listening socket is reached."""
    host, port = ear.getsockname()[:2]
    return f"http://[{host}]:{port}" if ear.family is socket.AF_INET6 else f"http://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that address."""
    return host == "localhost" or host.startswith("127.") or host == "::1"


def allow_many_descriptors() -> None:
    """Each waiting client holds one; the usual limit is 1024 though more are allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(_DESCRIPTORS, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
