"""The pool of ``engine="ray"``: one actor per node of a Ray cluster, each with a local pool.

    submit -> events -> one thread: backlog -> least busy node -> its actor -> its workers

That thread alone touches nodes and backlog; answers of Ray come to it as further events. A node
holds a bounded number of tasks, the backlog the rest. When a node is lost its tasks go to others,
ATTEMPTS times in all, then they are JE; what it may still answer later is dropped, since nobody
waits for that ticket any more: each task is answered once.
"""

from __future__ import annotations

import atexit
import itertools
import logging
import marshal
import os
import queue
import threading
import time
import weakref
from collections import Counter, deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any

from . import ray_cluster
from .errors import JudgeError
from .link import Task
from .ray_link import NodeLink, Packer
from .ray_node import environment

ATTEMPTS = 5  # of a task whose nodes are lost: they come and go for reasons of their own
START_ATTEMPTS = 3  # of a node's actor in a row
LOOK_SECONDS = 2.0  # between looks at which nodes there are
START_SECONDS = 60.0  # after which slow nodes are not waited for
NO_NODE_SECONDS = 60.0  # without any node, after which nothing more is hoped for
CLOSE_SECONDS = 10.0
CLOSED = "the judge was closed"
_log = logging.getLogger(__name__)
_live: weakref.WeakSet[RayPool] = weakref.WeakSet()


class RayPool:
    """As ``pool.Pool``, over all nodes that have CPUs, also those that join later.

    cage: keywords of ``make_plan``, which each node calls for itself. workers: per node (default:
    its cores). packages: those of the caller, which every node must have alike.
    Raises JudgeError when no node can judge.
    """

    def __init__(
        self,
        cage: Mapping[str, Any],
        habits: Mapping[str, Any],
        workers: int | None,
        max_pending: int,
        packages: Mapping[str, str],
    ) -> None:
        ray_cluster.load_ray()
        _close_at_exit()
        self._start_words = (dict(cage), dict(habits), workers)
        self._environment = environment(packages)
        self._events: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._slots = threading.BoundedSemaphore(max_pending)
        self._backlog: deque[Task] = deque()
        self._nodes: dict[str, NodeLink] = {}
        self._failures: Counter[str] = Counter()
        self._reasons: dict[str, str] = {}
        self._packer = Packer()
        self._tickets = itertools.count()
        self._lock = threading.Lock()
        self._closed = self._cancelled = self._ended = False
        self._broken = ""
        self._born = self._seen = self._looked = time.monotonic()
        self.abandoned = False
        self.pid = os.getpid()
        self.workers = 0
        self.level = 0
        self.layers: dict[str, str] = {}
        self._started: Future[None] = Future()
        self._thread = threading.Thread(target=self._serve, daemon=True, name="microcoder-nodes")
        self._thread.start()
        _live.add(self)
        try:
            self._started.result()
        except BaseException:
            self.close(cancel=True)
            raise

    def submit(self, task: Task, wait: bool = True) -> bool:
        """Queue a task. Blocks while max_pending are outstanding; False when told not to."""
        if self._closed or self._broken:
            raise JudgeError(self._broken or "this Judge is closed")
        if not self._slots.acquire(blocking=wait):
            return False
        task.future.add_done_callback(lambda _: self._slots.release())
        self.put(task)
        return True

    def put(self, task: Task) -> None:
        """Queue a task however many are outstanding."""
        with self._lock:
            if not self._ended:
                self._events.put(partial(self._backlog.append, task))
                return
        self._drop(task, self._broken or CLOSED)

    def shipments(self) -> dict[str, int]:
        """How many problems were sent to each node (by its id) that is in use."""
        return {node_id: node.shipments for node_id, node in list(self._nodes.items())}

    def close(self, cancel: bool = False) -> None:
        """Finish what is queued (or, with ``cancel``, drop it) and leave the nodes."""
        if self.pid != os.getpid():
            return
        self._cancelled = self._cancelled or cancel
        self._closed = True
        self._events.put(lambda: None)  # wakes the thread
        self._thread.join()
        _live.discard(self)

    def abandon(self) -> None:
        """In a fork of the caller: this pool belongs to the parent."""
        self.abandoned = not self._closed
        self._closed = True

    # What follows runs in the pool's own thread.

    def _serve(self) -> None:
        try:
            ray_cluster.join()
        except BaseException as error:
            self._ended = True
            self._started.set_exception(error)
            return
        try:
            self._look()
            while not self._is_done():
                self._step()
        except Exception as error:
            _log.exception("the Ray engine failed")
            self._broken = f"the Ray engine failed: {type(error).__name__}: {error}"
        finally:
            self._end()
            ray_cluster.leave()

    def _is_done(self) -> bool:
        if self._cancelled or self._broken:
            return True
        idle = not self._backlog and not any(node.asked for node in self._nodes.values())
        return self._closed and self._events.empty() and idle

    def _step(self) -> None:
        """Look at the cluster if it is time, else handle what happened; then give out work."""
        left = self._looked + LOOK_SECONDS - time.monotonic()
        if left <= 0:
            self._look()
        else:
            try:
                self._events.get(timeout=left)()
            except queue.Empty:
                return
        self._give_out()

    def _look(self) -> None:
        cores = ray_cluster.cores_by_node()
        self._looked = time.monotonic()
        for node in [node for node in self._nodes.values() if node.node_id not in cores]:
            self._lose(node, "the node left the cluster")
        for node_id in cores.keys() - self._nodes.keys():
            if self._failures[node_id] < START_ATTEMPTS:
                self._open(node_id, cores[node_id])
        if self._nodes:
            self._seen = self._looked
        self._conclude_start()
        if not self._nodes and self._looked - self._seen > NO_NODE_SECONDS:
            self._broken = self._no_node()

    def _open(self, node_id: str, cores: int) -> None:
        node = self._nodes[node_id] = NodeLink(node_id, cores)
        cage, habits, workers = self._start_words
        call = node.actor.start.remote(cage, habits, workers, cores, self._environment)
        self._expect(call, partial(self._on_started, node))

    def _expect(self, call: Any, then: Callable[[Future[Any]], None]) -> None:
        """Have ``then`` run in this thread when a call's answer, or its failure, is there."""
        call.future().add_done_callback(lambda found: self._events.put(partial(then, found)))

    def _on_started(self, node: NodeLink, found: Future[Any]) -> None:
        if self._nodes.get(node.node_id) is not node:
            return
        if (error := found.exception()) is not None:
            self._lose(node, f"its judge cannot be started: {_first_line(error)}")
        elif (reason := found.result().get("cannot")) is not None:
            self._failures[node.node_id] = START_ATTEMPTS  # it would say the same again
            self._lose(node, reason)
        else:
            node.greet(found.result())
            self.workers += node.workers
        self._conclude_start()

    def _conclude_start(self) -> None:
        """Tell the caller that waits in ``__init__`` once it is clear what there is."""
        if self._started.done():
            return
        ready = [node for node in self._nodes.values() if node.workers]
        late = time.monotonic() - self._born > START_SECONDS
        if ready and (late or len(ready) == len(self._nodes)):
            lowest = min(ready, key=lambda node: node.level)
            self.level, self.layers = lowest.level, lowest.layers
            self._started.set_result(None)
        elif not self._nodes and self._failures and min(self._failures.values()) >= START_ATTEMPTS:
            self._broken = self._no_node()

    def _no_node(self) -> str:
        told = "; ".join(f"{node_id[:8]}: {why}" for node_id, why in self._reasons.items())
        return f"no node of the Ray cluster can judge ({told or 'none offers a CPU'})"

    def _give_out(self) -> None:
        """Backlog to nodes, as far as they have room."""
        while self._backlog:
            task = self._backlog[0]
            free = [node for node in self._nodes.values() if node.has_room]
            if not free:
                return
            self._backlog.popleft()
            if task.future.running() or task.future.set_running_or_notify_cancel():
                self._ask(max(free, key=lambda node: node.fitness(task)), task)

    def _ask(self, node: NodeLink, task: Task) -> None:
        ticket = next(self._tickets)
        watch = partial(self._expect, then=partial(self._on_told, node))
        try:
            call = node.ask(ticket, task, self._packer, watch)
        except Exception as error:
            node.asked.pop(ticket, None)
            self._again(task, f"{type(error).__name__}: {error}")
        else:
            self._expect(call, partial(self._on_answer, node, ticket))

    def _on_told(self, node: NodeLink, found: Future[Any]) -> None:
        if (error := found.exception()) is not None:
            self._lose(node, _first_line(error))

    def _on_answer(self, node: NodeLink, ticket: int, found: Future[Any]) -> None:
        task = node.asked.pop(ticket, None)
        if task is None:
            return  # the node was taken for lost, and another has the task
        error = found.exception()
        if error is None:
            self._failures.pop(node.node_id, None)
            _settle(task, marshal.loads(found.result()))
        elif _raised_there(error):
            self._again(task, _first_line(error))
        else:
            node.asked[ticket] = task
            self._lose(node, _first_line(error))

    def _lose(self, node: NodeLink, reason: str) -> None:
        """A node is gone, or as good as that: its tasks go elsewhere. A look may start it anew."""
        if self._nodes.get(node.node_id) is not node:
            return
        del self._nodes[node.node_id]
        self.workers -= node.workers
        self._failures[node.node_id] += 1
        self._reasons[node.node_id] = reason
        words = "node %s of the Ray cluster is not used (%d solutions go elsewhere): %s"
        _log.warning(words, node.node_id[:8], len(node.asked), reason)
        node.kill()
        for task in reversed(node.asked.values()):
            self._again(task, f"the node that judged it was lost {ATTEMPTS} times: {reason}")
        node.asked.clear()

    def _again(self, task: Task, reason: str) -> None:
        task.attempts += 1
        if task.attempts >= ATTEMPTS:
            _settle(task, {"error": reason})
        else:
            self._backlog.appendleft(task)

    def _end(self) -> None:
        """Nothing is queued after this, and nobody is left waiting."""
        with self._lock:
            self._ended = True
        while not self._events.empty():
            self._events.get()()
        reason = self._broken or CLOSED
        for task in [*self._backlog, *(t for n in self._nodes.values() for t in n.asked.values())]:
            self._drop(task, reason)
        if not self._started.done():
            self._started.set_exception(JudgeError(reason))
        nodes = list(self._nodes.values())
        try:
            closing = [node.actor.close.remote(self._cancelled) for node in nodes if node.workers]
            if closing:
                ray = ray_cluster.load_ray()
                ray.wait(closing, num_returns=len(closing), timeout=CLOSE_SECONDS)
        except Exception as error:
            _log.warning("nodes of the Ray cluster could not be told to end: %s", error)
        for node in nodes:
            node.kill()

    def _drop(self, task: Task, reason: str) -> None:
        if not task.future.cancel() and not task.future.done():
            _settle(task, {"error": reason})


def _settle(task: Task, answer: dict[str, Any]) -> None:
    try:
        task.future.set_result(task.finish(answer))
    except BaseException as error:
        if not task.future.done():
            task.future.set_exception(error)


def _raised_there(error: BaseException) -> bool:
    """Whether the actor answered, with an exception; else it is lost."""
    from ray.exceptions import RayTaskError

    return isinstance(error, RayTaskError)


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    # Ray puts the traceback of the other side first.
    wanted = lines[-1:] if _raised_there(error) else lines[:1]
    return ": ".join([type(error).__name__, *wanted])


_registered = False


def _close_at_exit() -> None:
    """Register it once Ray is imported, so that it runs before Ray's own end."""
    global _registered
    if not _registered:
        atexit.register(_close_all)
        _registered = True


def _close_all() -> None:
    for pool in list(_live):
        pool.close(cancel=True)


def _abandon_all() -> None:
    for pool in list(_live):
        pool.abandon()
        ray_cluster.forget_after_fork()
    _live.clear()


os.register_at_fork(after_in_child=_abandon_all)
