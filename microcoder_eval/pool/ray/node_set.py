"""The nodes of a Ray cluster that judge: found, started, given up. Used by the pool's own thread.

Every node with CPUs is used, also one that joins later; one that differs in software or cannot
be safe enough is refused with the reason.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any

from . import ray_cluster
from .link import Task
from .log import logger
from .ray_link import NodeLink
from .ray_node import environment

START_ATTEMPTS = 3  # of a node's actor in a row
START_SECONDS = 60.0  # after which slow nodes are not waited for
NO_NODE_SECONDS = 60.0  # without any node, after which nothing more is hoped for
CLOSE_SECONDS = 10.0
_log = logger("ray")
Then = Callable[[Future[Any]], None]


class Fleet:
    """cage: keywords of ``make_plan``, which each node calls for itself. workers: per node.
    packages: those of the caller, which every node must have alike.

    expect: has a function called, in the pool's thread, with what came of a call to Ray.
    orphaned: what to do with the tasks of a node that is lost, and why it was.
    """

    def __init__(
        self,
        cage: Mapping[str, Any],
        habits: Mapping[str, Any],
        workers: int | None,
        packages: Mapping[str, str],
        expect: Callable[[Any, Then], None],
        orphaned: Callable[[list[Task], str], None],
    ) -> None:
        self._words = (dict(cage), dict(habits), workers)
        self._environment = environment(packages)
        self._expect = expect
        self._orphaned = orphaned
        self._failures: Counter[str] = Counter()
        self._reasons: dict[str, str] = {}
        self._born = self._seen = time.monotonic()
        self.nodes: dict[str, NodeLink] = {}

    def look(self) -> None:
        """Give up nodes that are gone, start those that are new."""
        cores = ray_cluster.cores_by_node()
        for node in [node for node in self.nodes.values() if node.node_id not in cores]:
            self.lose(node, "the node left the cluster")
        for node_id in cores.keys() - self.nodes.keys():
            if self._failures[node_id] < START_ATTEMPTS:
                self._open(node_id, cores[node_id])
        if self.nodes:
            self._seen = time.monotonic()

    def _open(self, node_id: str, cores: int) -> None:
        node = self.nodes[node_id] = NodeLink(node_id, cores)
        cage, habits, workers = self._words
        call = node.actor.start.remote(cage, habits, workers, cores, self._environment)
        self._expect(call, partial(self._on_started, node))

    def _on_started(self, node: NodeLink, found: Future[Any]) -> None:
        if self.nodes.get(node.node_id) is not node:
            return
        if (error := found.exception()) is not None:
            self.lose(node, f"its judge cannot be started: {first_line(error)}")
        elif (reason := found.result().get("cannot")) is not None:
            self._failures[node.node_id] = START_ATTEMPTS  # it would say the same again
            self.lose(node, reason)
        else:
            node.greet(found.result())

    def lose(self, node: NodeLink, reason: str) -> None:
        """A node is gone, or as good as that: its tasks go elsewhere. A look may start it anew."""
        if self.nodes.get(node.node_id) is not node:
            return
        del self.nodes[node.node_id]
        self._failures[node.node_id] += 1
        self._reasons[node.node_id] = reason
        words = "node %s of the Ray cluster is not used (%d solutions go elsewhere): %s"
        _log.warning(words, node.node_id[:8], len(node.asked), reason)
        node.kill()
        tasks = list(node.asked.values())
        node.asked.clear()
        self._orphaned(tasks, reason)

    def proved(self, node: NodeLink) -> None:
        """It has answered: what went wrong before does not count any more."""
        self._failures.pop(node.node_id, None)
        node.doubts = 0

    @property
    def ready(self) -> list[NodeLink]:
        """Nodes that can judge."""
        return [node for node in self.nodes.values() if node.workers]

    @property
    def workers(self) -> int:
        """Of all nodes that can judge."""
        return sum(node.workers for node in self.nodes.copy().values())  # from any thread

    @property
    def is_complete(self) -> bool:
        """Whether all nodes there are can judge, or some can and it is too late for the others."""
        late = time.monotonic() - self._born > START_SECONDS
        return bool(self.ready) and (late or len(self.ready) == len(self.nodes))

    @property
    def despair(self) -> str:
        """Why no node will judge; empty while there are some, or may be soon."""
        refused = bool(self._failures) and min(self._failures.values()) >= START_ATTEMPTS
        if self.nodes or not (refused or time.monotonic() - self._seen > NO_NODE_SECONDS):
            return ""
        told = "; ".join(f"{node_id[:8]}: {why}" for node_id, why in self._reasons.items())
        return f"no node of the Ray cluster can judge ({told or 'none offers a CPU'})"

    def close(self, cancel: bool) -> None:
        """End the workers of all nodes, then the actors."""
        try:
            closing = [node.actor.close.remote(cancel) for node in self.ready]
            if closing:
                ray = ray_cluster.load_ray()
                ray.wait(closing, num_returns=len(closing), timeout=CLOSE_SECONDS)
        except Exception as error:
            _log.warning("nodes of the Ray cluster could not be told to end: %s", error)
        for node in self.nodes.values():
            node.kill()


def raised_there(error: BaseException) -> bool:
    """Whether the actor answered, with an exception; else it is lost."""
    from ray.exceptions import RayTaskError

    return isinstance(error, RayTaskError)


def first_line(error: BaseException) -> str:
    """The line of Ray's long message that says what happened."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    # Of an exception on the other side its traceback comes first.
    wanted = lines[-1:] if raised_there(error) else lines[:1]
    return ": ".join([type(error).__name__, *wanted])
