"""The pool of ``engine="ray"``: one actor per node of a Ray cluster, each with a local pool.

    submit -> events -> one thread: backlog -> least busy node -> its actor -> its workers

Only that thread touches nodes and backlog; answers of Ray reach it as further events. A call costs
as much as judging several small programs, so one call carries many tasks or replies. While much is
left to do, nodes receive tasks in advance: all nodes together hold half of what is left (guided
self-scheduling: Polychronopoulos and Kuck, 1987), and the backlog holds the rest. At the end a node
hands back tasks that others can do sooner. When a node is lost, its tasks go to others, up to
retries.NODE_TASK attempts; then they are JE. A late answer of the lost node is dropped, because
nobody waits for its ticket any more: each task is answered once.
"""

from __future__ import annotations

import itertools
import marshal
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any

from microcoder_eval import retries
from microcoder_eval.errors import JudgeError
from microcoder_eval.log import get_logger
from microcoder_eval.pool.base import BasePool, close_pools_before_later_imports
from microcoder_eval.pool.tasks import CLOSED, Task
from microcoder_eval.worker import messages

from . import cluster
from .node_link import MAX_TASKS, NodeLink, ProblemStore
from .node_set import Callback, NodeSet, find_message_line

_REFRESH_SECONDS = 2.0  # between refreshes of the set of nodes
_log = get_logger("ray")


class RayPool(BasePool):
    """As ``Pool``, over all nodes that have CPUs, also those that join later.

    plan_options: keywords of ``make_plan``, which each node calls for itself.
    workers: per node (default: its cores).
    packages: those of the caller, which every node must have alike.

    Raises JudgeError when no node can judge.
    """

    def __init__(
        self,
        plan_options: Mapping[str, Any],
        workers: int | None,
        max_pending: int,
        packages: Mapping[str, str],
    ) -> None:
        super().__init__(max_pending)
        cluster.load_ray()
        close_pools_before_later_imports()  # Ray's own end would take the nodes away
        self._node_set = NodeSet(
            plan_options, workers, packages, self._add_callback, self._requeue_all
        )
        self._events: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._backlog: deque[Task] = deque()
        self._problem_store = ProblemStore()
        self._tickets = itertools.count()
        self._lock = threading.Lock()
        self._ended = False
        self._failure_reason = ""
        self._refreshed_at = 0.0
        self.level = 0
        self.layers = {}
        self._start_future: Future[None] = Future()
        self._thread = threading.Thread(target=self._serve, daemon=True, name="microcoder-nodes")
        self._thread.start()
        self._end_with_process()
        try:
            self._start_future.result()
        except BaseException:
            self.close(cancel=True)
            raise

    @property
    def workers(self) -> int:
        """How many workers the nodes in use have at the moment."""
        return self._node_set.workers

    @property
    def stream_window(self) -> int:
        """See BasePool: twice what nodes may have ahead, since they are given half of it."""
        return 2 * MAX_TASKS * self.workers + 8

    def check_open(self) -> None:
        """Raise JudgeError once closed, or broken."""
        if self._failure_reason:
            raise JudgeError(self._failure_reason)
        super().check_open()

    def _is_own_thread(self) -> bool:
        return threading.current_thread() is self._thread

    def enqueue(self, task: Task) -> None:
        """See BasePool."""
        with self._lock:
            if not self._ended:
                self._events.put(partial(self._backlog.append, task))
                return
        task.drop(self._failure_reason or CLOSED)

    def _end_workers(self) -> None:
        """See BasePool; the nodes are left."""
        self._events.put(lambda: None)  # wakes the thread

    def _wait_for_end(self) -> None:
        """See BasePool."""
        self._thread.join()

    def _forget_parent(self) -> None:
        """See BasePool."""
        if not self._ended:
            cluster.forget_after_fork()
        self._ended = True
        self._lock = threading.Lock()

    # What follows runs in the pool's own thread.

    def _serve(self) -> None:
        try:
            cluster.join_cluster()
        except BaseException as error:
            self._ended = True
            self._start_future.set_exception(error)
            return
        try:
            self._refresh_nodes()
            while not self._is_done():
                self._run_step()
        except Exception as error:
            _log.exception("the Ray engine failed")
            self._failure_reason = f"the Ray engine failed: {type(error).__name__}: {error}"
        finally:
            self._shut_down()
            cluster.leave_cluster()

    def _is_done(self) -> bool:
        if self._cancelled or self._failure_reason:
            return True
        idle = not self._backlog and not any(node.pending_tasks for node in self._node_set.ready)
        return self._closed and self._events.empty() and idle

    def _run_step(self) -> None:
        """Refresh the nodes if it is time, else handle events; then dispatch the backlog."""
        seconds_left = self._refreshed_at + _REFRESH_SECONDS - time.monotonic()
        if seconds_left <= 0:
            self._refresh_nodes()
        else:
            try:
                self._events.get(timeout=seconds_left)()
            except queue.Empty:
                return
            for _ in range(self._events.qsize()):
                self._events.get()()
        self._conclude_start()
        self._dispatch_backlog()

    def _refresh_nodes(self) -> None:
        self._refreshed_at = time.monotonic()
        self._node_set.refresh()
        self._failure_reason = self._node_set.failure_reason

    def _conclude_start(self) -> None:
        """End the wait in ``__init__`` once the nodes have started."""
        if not self._start_future.done() and self._node_set.is_complete:
            lowest = min(self._node_set.ready, key=lambda node: node.level)
            self.level, self.layers = lowest.level, lowest.layers
            self._start_future.set_result(None)

    def _add_callback(self, call: Any, callback: Callback) -> None:
        """Run ``callback`` in this thread when a call has returned or failed."""
        call.future().add_done_callback(lambda future: self._events.put(partial(callback, future)))

    def _dispatch_backlog(self) -> None:
        """Send tasks of the backlog to nodes, while one has room."""
        ready_nodes = self._node_set.ready
        tasks_left = len(self._backlog) + sum(len(node.pending_tasks) for node in ready_nodes)
        tasks_ahead = tasks_left / 2 / max(1, self.workers)
        while self._backlog:
            free_nodes = [node for node in ready_nodes if node.count_free_places(tasks_ahead) > 0]
            if not free_nodes:
                break
            task = self._backlog.popleft()
            if not (task.future.running() or task.begin()):
                continue
            node = max(free_nodes, key=lambda node: node.rank_for(task))
            try:
                node.add_task(next(self._tickets), task, self._problem_store)
            except Exception as error:
                self._retry_task(task, f"{type(error).__name__}: {error}")
        has_idle = any(len(node.pending_tasks) < node.workers for node in ready_nodes)
        busiest = max(ready_nodes, key=lambda node: node.load, default=None)
        for node in ready_nodes:
            self._exchange(node, must_recall=has_idle and not self._backlog and node is busiest)

    def _exchange(self, node: NodeLink, must_recall: bool) -> None:
        """Send what was added to a node, and have its replies brought while it has tasks.

        must_recall: whether to ask it for tasks that others may do.
        """
        try:
            node.send()
            if must_recall:
                node.recall_tasks()
            if node.pending_tasks and not node.is_collecting:
                self._add_callback(node.collect(), partial(self._on_replies, node))
        except Exception as error:
            self._node_set.discard(node, f"{type(error).__name__}: {error}")

    def _on_replies(self, node: NodeLink, future: Future[Any]) -> None:
        node.is_collecting = node.is_recalled = False
        if (error := future.exception()) is not None:
            self._node_set.discard(node, find_message_line(error))
            return
        replies = marshal.loads(future.result())
        if returned_count := sum(reply_bytes is None for _, reply_bytes in replies):
            _log.debug("node %s hands back %d tasks", node.node_id[:8], returned_count)
        for ticket, reply_bytes in replies:
            task = node.end_task(ticket)
            if task is None:
                continue  # the node was given up, and another one has the task
            if reply_bytes is None:
                self._backlog.append(task)
                continue
            reply = messages.decode(reply_bytes)
            assert isinstance(reply, messages.Reply)
            self._handle_reply(node, task, reply)

    def _handle_reply(self, node: NodeLink, task: Task, reply: messages.Reply) -> None:
        is_solution = isinstance(task.request, messages.SolutionRequest)
        if isinstance(reply, messages.FailureReply) and not reply.level and is_solution:
            # The node's own pool has tried to start a worker again and again. Such a node fails
            # quickly, and so would get most tasks.
            self._retry_task(task, reply.reason)
            self._node_set.discard(node, reply.reason)
        else:
            self._node_set.mark_working(node)
            task.resolve(reply)

    def _requeue_all(self, tasks: list[Task], reason: str) -> None:
        attempts = retries.NODE_TASK
        for task in reversed(tasks):
            self._retry_task(task, f"the node that judged it was lost {attempts} times: {reason}")

    def _retry_task(self, task: Task, reason: str) -> None:
        task.attempts += 1
        if task.attempts >= retries.NODE_TASK:
            task.resolve(messages.FailureReply(reason))
        else:
            self._backlog.appendleft(task)

    def _shut_down(self) -> None:
        """Drop all tasks and leave the nodes; nothing is queued after this."""
        with self._lock:
            self._ended = True
        while not self._events.empty():
            self._events.get()()
        reason = self._failure_reason or CLOSED
        pending_tasks = [
            task for node in self._node_set.ready for task in node.pending_tasks.values()
        ]
        for task in [*self._backlog, *pending_tasks]:
            task.drop(reason)
        if not self._start_future.done():
            self._start_future.set_exception(JudgeError(reason))
        self._node_set.close(self._cancelled or bool(self._failure_reason))
