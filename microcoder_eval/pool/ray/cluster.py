"""Ray: imported late, its cluster joined or started, and left again.

A cluster that this process is in already is used as it is; else the one that RAY_ADDRESS names
is joined; else one of this machine alone is started, and ended when the last pool leaves it.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from .errors import JudgeError

REQUIREMENT = "ray>=2.44,<3"  # as in pyproject.toml, extra "ray"
_USAGE_STATS = "RAY_USAGE_STATS_ENABLED"
_lock = threading.Lock()
_pools = 0
_stay: Stay | None = None
_forked = False


def load_ray() -> Any:
    """The module. Raises JudgeError when it is not installed, or of no use in this process."""
    if _forked:
        raise JudgeError(
            "Ray cannot be used in a fork of a process that uses it: "
            "start this one afresh (the spawn method of multiprocessing), or use the local engine"
        )
    try:
        import ray
    except ImportError as error:
        raise JudgeError(
            f'engine "ray" needs Ray ({error}): pip install "{REQUIREMENT}"'
        ) from error
    return ray


def join() -> None:
    """Be in a cluster until as many calls of ``leave``. Raises JudgeError when none can be had."""
    global _pools, _stay
    ray = load_ray()
    with _lock:
        if not ray.is_initialized():
            _stay = Stay(ray)
        _pools += 1


def leave() -> None:
    """The last to leave a cluster that ``join`` entered ends what was started for it."""
    global _pools, _stay
    with _lock:
        _pools -= 1
        if _pools == 0 and _stay is not None:
            _stay.end()
            _stay = None


def cores_by_node() -> dict[str, int]:
    """Node id and CPUs of each live node that offers any (a head without CPUs judges nothing)."""
    ray = load_ray()
    nodes = {
        node["NodeID"]: int(node["Resources"].get("CPU", 0))
        for node in ray.nodes()
        if node["Alive"]
    }
    return {node_id: cores for node_id, cores in nodes.items() if cores}


def forget_after_fork() -> None:
    """In a fork of a process that has pools: Ray's connections are the parent's."""
    global _forked, _lock
    _forked = True
    _lock = threading.Lock()  # may have been copied locked


class Stay:
    """A thread that enters a cluster and stays in it: the processes that ``ray.init`` starts die
    with the thread that called it (PDEATHSIG), and a caller's thread may end at any time."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._over = threading.Event()
        self._entered: Future[None] = Future()
        self._thread = threading.Thread(target=self._live, daemon=True, name="microcoder-ray")
        self._thread.start()
        self._entered.result()

    def _live(self) -> None:
        try:
            with _discretion():
                self._ray.init(
                    address=None if os.environ.get("RAY_ADDRESS") else "local",
                    include_dashboard=None if os.environ.get("RAY_ADDRESS") else False,
                    log_to_driver=False,
                    configure_logging=False,
                )
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            self._entered.set_exception(JudgeError(f"Ray cannot be started or joined: {reason}"))
            return
        self._entered.set_result(None)
        self._over.wait()
        self._ray.shutdown()

    def end(self) -> None:
        """Leave, and wait until what was started has ended."""
        self._over.set()
        self._thread.join()


@contextmanager
def _discretion() -> Iterator[None]:
    """No usage statistics are sent by a cluster of ours unless the user asked for it, and Ray
    does not complain that its SIGTERM handler stays out of a process that is not its own."""
    logger = logging.getLogger("ray")
    level = logger.level
    chosen = _USAGE_STATS in os.environ
    os.environ.setdefault(_USAGE_STATS, "0")
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
        if not chosen:
            del os.environ[_USAGE_STATS]
