"""How to serve, as one frozen record; and what may go wrong before serving starts."""

from __future__ import annotations

from dataclasses import dataclass

from microcoder_eval.errors import MicrocoderError

REQUIREMENTS = ("fastapi>=0.115", "uvicorn>=0.30", "prometheus_client>=0.20")  # pyproject: serve
MIB = 1 << 20


class CannotListenError(MicrocoderError):
    """The address cannot be served on: taken, not allowed, or not of this machine."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to serve.

    token: what clients must show; None: nothing. at_once: requests that are read and judged at
    one time; queue: how many more may wait for their turn, each up to wait_s seconds.
    body_mb: the largest body (MiB); held_mb: all bodies together, waiting or being read.
    max_time_s, max_memory_mb: the highest limits a request may ask for its programs.
    grace_s: how long accepted requests may take to end once the server is told to stop.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    token: str | None = None
    at_once: int = 8
    queue: int = 1024
    wait_s: float = 8.0
    body_mb: float = 32.0
    held_mb: float = 512.0
    max_time_s: float = 60.0
    max_memory_mb: float = 4096.0
    grace_s: float = 120.0
