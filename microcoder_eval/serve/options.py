"""The options of the server."""

from __future__ import annotations

from microcoder_sandbox import record

REQUIREMENTS = ("fastapi>=0.115", "uvicorn>=0.30", "prometheus_client>=0.20")  # pyproject: serve
MIB = 1 << 20
MAX_HEAD_BYTES = 1 << 14
MAX_INLINE_BYTES = 1 << 16  # larger bodies are parsed in a thread, not on the event loop
KEEP_ALIVE_SECONDS = 75  # clients keep idle connections for less time, and should close them


@record
class Options:
    """How to serve.

    token: what clients must send, None for nothing.
    at_once: requests that are parsed and judged at one time; queue: how many more may wait for a
        slot, each up to wait_s seconds.
    body_mb: the largest body (MiB); held_mb: all bodies together, waiting or in progress.
    max_time_s, max_memory_mb: the highest limits that a request may ask for; wall_s may be
        3 * max_time_s + 2, files_mb as much as max_memory_mb.
    grace_s: seconds that accepted requests may take after a signal to stop.
    access_log: whether standard output gets a line for each request.
    """

    host: str
    port: int
    token: str | None
    at_once: int
    queue: int
    wait_s: float
    body_mb: float
    held_mb: float
    max_time_s: float
    max_memory_mb: float
    grace_s: float
    access_log: bool
