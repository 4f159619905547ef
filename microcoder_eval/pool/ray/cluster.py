"""Ray: importing it when it is needed; joining or starting a cluster, and leaving it.

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

from microcoder_eval.errors import JudgeError
from microcoder_eval.forksafe import ForkSafeLock

REQUIREMENT = "ray>=2.44,<3"  # as in pyproject.toml, extra "ray"
_USAGE_STATS = "RAY_USAGE_STATS_ENABLED"
_lock = ForkSafeLock()
_pool_count = 0
_membership: ClusterMembership | None = None
_forked = False


def load_ray() -> Any:
    """Return the module. Raises JudgeError when it is not installed, or of no use in this
    process."""
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


def join_cluster() -> None:
    """Join or start a cluster, unless this process is in one. Each call needs one of
    ``leave_cluster``. Raises JudgeError."""
    global _pool_count, _membership
    ray = load_ray()
    with _lock:
        if not ray.is_initialized():
            _membership = ClusterMembership(ray)
        _pool_count += 1


def leave_cluster() -> None:
    """Undo one ``join_cluster``; the last one ends what the first has started."""
    global _pool_count, _membership
    with _lock:
        _pool_count -= 1
        if _pool_count == 0 and _membership is not None:
            _membership.end()
            _membership = None


def count_cores_by_node() -> dict[str, int]:
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
    global _forked
    _forked = True


class ClusterMembership:
    """A thread that enters a cluster and stays in it: the processes that ``ray.init`` starts die
    with the thread that called it (PDEATHSIG), and a caller's thread may end at any time."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._leave_requested = threading.Event()
        self._join_future: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, daemon=True, name="microcoder-ray")
        self._thread.start()
        self._join_future.result()

    def _run(self) -> None:
        try:
            with _quiet_ray():
                self._ray.init(
                    address=None if os.environ.get("RAY_ADDRESS") else "local",
                    include_dashboard=None if os.environ.get("RAY_ADDRESS") else False,
                    log_to_driver=False,
                    configure_logging=False,
                )
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            self._join_future.set_exception(
                JudgeError(f"Ray cannot be started or joined: {reason}")
            )
            return
        self._join_future.set_result(None)
        self._leave_requested.wait()
        self._ray.shutdown()

    def end(self) -> None:
        """Leave, and wait until what was started has ended."""
        self._leave_requested.set()
        self._thread.join()


@contextmanager
def _quiet_ray() -> Iterator[None]:
    """Let a cluster that we start send no usage statistics, unless the user asked for them, and
    silence Ray's warning that it installs no SIGTERM handler in a thread."""
    logger = logging.getLogger("ray")
    level = logger.level
    is_set_by_user = _USAGE_STATS in os.environ
    os.environ.setdefault(_USAGE_STATS, "0")
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
        if not is_set_by_user:
            del os.environ[_USAGE_STATS]
