"""Finds, starts and discards the nodes of a Ray cluster. Only the pool's own thread uses it.

Every node with CPUs is used, also one that joins later. A node is refused, with the reason, if its
software differs from the caller's or if it cannot isolate programs as required.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any

from microcoder_eval import retries
from microcoder_eval.log import get_logger
from microcoder_eval.pool.tasks import Task

from . import cluster
from .node import describe_environment
from .node_link import NodeLink

_START_SECONDS = 60.0  # after which slow nodes are not waited for
_NO_NODE_SECONDS = 60.0  # without any node, after which the pool gives up
_CLOSE_SECONDS = 10.0
_log = get_logger("ray")
Callback = Callable[[Future[Any]], None]


class NodeSet:
    """The nodes of a pool, by their ids.

    plan_options: keywords of ``make_plan``, which each node calls for itself.
    workers: per node.
    packages: those of the caller; every node must have the same.
    add_callback: calls a function in the pool's thread, with the future of a call to Ray.
    requeue: takes the tasks of a lost node, and why it was lost.
    """

    def __init__(
        self,
        plan_options: Mapping[str, Any],
        workers: int | None,
        packages: Mapping[str, str],
        add_callback: Callable[[Any, Callback], None],
        requeue: Callable[[list[Task], str], None],
    ) -> None:
        self._start_arguments = (dict(plan_options), workers)
        self._environment = describe_environment(packages)
        self._add_callback = add_callback
        self._requeue = requeue
        self._failures: Counter[str] = Counter()
        self._reasons: dict[str, str] = {}
        self._created_at = self._last_node_at = time.monotonic()
        self.nodes: dict[str, NodeLink] = {}

    def refresh(self) -> None:
        """Discard nodes that have left the cluster and start new ones."""
        cores = cluster.count_cores_by_node()
        for node in [node for node in self.nodes.values() if node.node_id not in cores]:
            self.discard(node, "the node left the cluster")
        for node_id in cores.keys() - self.nodes.keys():
            if self._failures[node_id] < retries.NODE_START:
                self._start_node(node_id, cores[node_id])
        if self.nodes:
            self._last_node_at = time.monotonic()

    def _start_node(self, node_id: str, cores: int) -> None:
        node = self.nodes[node_id] = NodeLink(
            node_id, lambda call: self._add_callback(call, partial(self._on_watched, node))
        )
        plan_options, workers = self._start_arguments
        call = node.actor.start.remote(plan_options, workers, cores, self._environment)
        self._add_callback(call, partial(self._on_started, node))

    def _on_started(self, node: NodeLink, future: Future[Any]) -> None:
        if self.nodes.get(node.node_id) is not node:
            return
        if (error := future.exception()) is not None:
            self.discard(node, f"its judge cannot be started: {find_message_line(error)}")
            return
        start = future.result()
        if start.refusal:
            self._failures[node.node_id] = retries.NODE_START  # it would refuse again
            self.discard(node, start.refusal)
        else:
            node.workers, node.level, node.layers = start.workers, start.level, dict(start.layers)

    def _on_watched(self, node: NodeLink, future: Future[Any]) -> None:
        """Discard the node if a call to it failed."""
        if (error := future.exception()) is not None:
            self.discard(node, find_message_line(error))

    def discard(self, node: NodeLink, reason: str) -> None:
        """Stop using a node and requeue its tasks. ``refresh`` may start it again."""
        if self.nodes.get(node.node_id) is not node:
            return
        del self.nodes[node.node_id]
        self._failures[node.node_id] += 1
        self._reasons[node.node_id] = reason
        message = "node %s of the Ray cluster is not used (%d solutions go elsewhere): %s"
        _log.warning(message, node.node_id[:8], len(node.pending_tasks), reason)
        node.kill()
        tasks = list(node.pending_tasks.values())
        node.pending_tasks.clear()
        self._requeue(tasks, reason)

    def mark_working(self, node: NodeLink) -> None:
        """Forget the failures of a node that has answered."""
        self._failures.pop(node.node_id, None)

    @property
    def ready(self) -> list[NodeLink]:
        """Nodes that can judge."""
        return [node for node in self.nodes.values() if node.workers]

    @property
    def workers(self) -> int:
        """How many workers the nodes that can judge have."""
        return sum(node.workers for node in self.nodes.copy().values())  # from any thread

    @property
    def is_complete(self) -> bool:
        """Whether the start is over: all nodes can judge, or some can after _START_SECONDS."""
        is_late = time.monotonic() - self._created_at > _START_SECONDS
        return bool(self.ready) and (is_late or len(self.ready) == len(self.nodes))

    @property
    def failure_reason(self) -> str:
        """Why no node will judge; empty while there are some, or may be some soon."""
        lowest = min(self._failures.values(), default=0)
        all_refused = lowest >= retries.NODE_START
        if self.nodes or not (
            all_refused or time.monotonic() - self._last_node_at > _NO_NODE_SECONDS
        ):
            return ""
        reasons = "; ".join(f"{node_id[:8]}: {reason}" for node_id, reason in self._reasons.items())
        return f"no node of the Ray cluster can judge ({reasons or 'none offers a CPU'})"

    def close(self, cancel: bool) -> None:
        """End the workers of all nodes, then the actors."""
        try:
            calls = [node.actor.close.remote(cancel) for node in self.ready]
            if calls:
                ray = cluster.load_ray()
                ray.wait(calls, num_returns=len(calls), timeout=_CLOSE_SECONDS)
        except Exception as error:
            _log.warning("nodes of the Ray cluster could not be asked to stop: %s", error)
        for node in self.nodes.values():
            node.kill()


def find_message_line(error: BaseException) -> str:
    """Return the line of Ray's long message that says what happened."""
    from ray.exceptions import RayTaskError

    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    # The text of an exception in the actor, which has answered, begins with its traceback.
    chosen_lines = lines[-1:] if isinstance(error, RayTaskError) else lines[:1]
    return ": ".join([type(error).__name__, *chosen_lines])
