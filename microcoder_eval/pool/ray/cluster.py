"""Ray: importing it when it is needed; joining a cluster, and leaving it.

A cluster that this process is in already is used as it is; else the one that RAY_ADDRESS names, or
that runs on this machine, is joined, and left when the last pool has no more use for it.
"""

from __future__ import annotations

import logging
from typing import Any

from microcoder_eval.errors import JudgeError
from microcoder_eval.forksafe import ForkSafeLock

REQUIREMENT = "ray>=2.44,<3"  # as in pyproject.toml, extra "ray"
_lock = ForkSafeLock()
_pool_count = 0
_has_joined = _forked = False


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
    """Join the cluster, unless this process is in one. Each call needs one of ``leave_cluster``.
    Raises JudgeError."""
    global _pool_count, _has_joined
    ray = load_ray()
    with _lock:
        if not ray.is_initialized():
            logger = logging.getLogger("ray")
            level = logger.level
            logger.setLevel(logging.ERROR)  # no warning that a thread installs no SIGTERM handler
            try:
                ray.init("auto", log_to_driver=False, configure_logging=False)
            except Exception as error:
                raise JudgeError(
                    f"no Ray cluster can be joined ({type(error).__name__}: {error}): start one "
                    "(ray start --head), or name one by RAY_ADDRESS"
                ) from error
            finally:
                logger.setLevel(level)
            _has_joined = True
        _pool_count += 1


def leave_cluster() -> None:
    """Undo one ``join_cluster``; the last one leaves what the first has joined."""
    global _pool_count, _has_joined
    with _lock:
        _pool_count -= 1
        if _pool_count == 0 and _has_joined:
            load_ray().shutdown()
            _has_joined = False


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
