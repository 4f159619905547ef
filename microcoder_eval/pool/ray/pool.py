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
import marshal
import os
import queue
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any

from . import ray_cluster
from .errors import JudgeError
from .link import Task
from .log import logger
from .ray_fleet import Fleet, Then, first_line, raised_there
from .ray_link import NodeLink, Packer

ATTEMPTS = 5  # of a task whose nodes are lost: they come and go for reasons of their own
MOST_DOUBTS = 3  # tasks in a row for which a node had no worker
LOOK_SECONDS = 2.0  # between looks at which nodes there are
CLOSED = "the judge was closed"
_log = logger("ray")
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
        self._fleet = Fleet(cage, habits, workers, packages, self._expect, self._orphaned)
        self._events: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._slots = threading.BoundedSemaphore(max_pending)
        self._backlog: deque[Task] = deque()
        self._packer = Packer()
        self._tickets = itertools.count()
        self._lock = threading.Lock()
        self._closed = self._cancelled = self._ended = False
        self._broken = ""
        self._looked = 0.0
        self.abandoned = False
        self.pid = os.getpid()
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

    @property
    def workers(self) -> int:
        """Of all nodes in use at the moment."""
        return self._fleet.workers

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
        return {node_id: node.shipments for node_id, node in self._fleet.nodes.copy().items()}

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
        idle = not self._backlog and not any(node.asked for node in self._fleet.ready)
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
        self._conclude_start()
        self._give_out()

    def _look(self) -> None:
        self._looked = time.monotonic()
        self._fleet.look()
        self._broken = self._fleet.despair

    def _conclude_start(self) -> None:
        """Tell the caller that waits in ``__init__`` once it is clear what there is."""
        if not self._started.done() and self._fleet.is_complete:
            lowest = min(self._fleet.ready, key=lambda node: node.level)
            self.level, self.layers = lowest.level, lowest.layers
            self._started.set_result(None)

    def _expect(self, call: Any, then: Then) -> None:
        """Have ``then`` run in this thread when a call's answer, or its failure, is there."""
        call.future().add_done_callback(lambda found: self._events.put(partial(then, found)))

    def _give_out(self) -> None:
        """Backlog to nodes, as far as they have room."""
        while self._backlog:
            task = self._backlog[0]
            free = [node for node in self._fleet.ready if node.has_room]
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
            self._fleet.lose(node, first_line(error))

    def _on_answer(self, node: NodeLink, ticket: int, found: Future[Any]) -> None:
        task = node.asked.pop(ticket, None)
        if task is None:
            return  # the node was taken for lost, and another has the task
        error = found.exception()
        if error is None:
            self._hear(node, task, marshal.loads(found.result()))
        elif raised_there(error):
            self._again(task, first_line(error))
        else:
            node.asked[ticket] = task
            self._fleet.lose(node, first_line(error))

    def _hear(self, node: NodeLink, task: Task, answer: dict[str, Any]) -> None:
        if "error" in answer and "level" not in answer and task.verb == "judge":
            # Not a worker's word: there was none to give it. A node that fails so is quick, and
            # would draw all the work to itself.
            self._again(task, answer["error"])
            node.doubts += 1
            if node.doubts >= MOST_DOUBTS:
                self._fleet.lose(node, answer["error"])
        else:
            self._fleet.proved(node)
            _settle(task, answer)

    def _orphaned(self, tasks: list[Task], reason: str) -> None:
        for task in reversed(tasks):
            self._again(task, f"the node that judged it was lost {ATTEMPTS} times: {reason}")

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
        asked = [task for node in self._fleet.ready for task in node.asked.values()]
        for task in [*self._backlog, *asked]:
            self._drop(task, reason)
        if not self._started.done():
            self._started.set_exception(JudgeError(reason))
        self._fleet.close(self._cancelled or bool(self._broken))

    def _drop(self, task: Task, reason: str) -> None:
        if not task.future.cancel() and not task.future.done():
            _settle(task, {"error": reason})


def _settle(task: Task, answer: dict[str, Any]) -> None:
    try:
        task.future.set_result(task.finish(answer))
    except BaseException as error:
        if not task.future.done():
            task.future.set_exception(error)


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
