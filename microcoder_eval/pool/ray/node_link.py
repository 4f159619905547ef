"""One node of a Ray cluster as the pool holds it: its tasks under way, and its problems."""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Callable
from typing import Any

from microcoder_eval.lru import LruCache
from microcoder_eval.pool.payloads import ProblemPayload
from microcoder_eval.pool.tasks import Task
from microcoder_eval.worker.messages import encode

from .cluster import load_ray
from .node import NodeJudge, StoredProblem, TaskCall

_MAX_PROBLEM_BYTES, MAX_PROBLEMS = 1 << 30, 4096  # per node; its workers hold fewer
MAX_STORED_BYTES = 256 << 20  # of problems in the caller's object store, on their way to nodes
_MAX_INLINE_BYTES = 64 << 10  # of a problem that travels in a call, not through the object store
MAX_TASKS = 64  # for each worker: enough to do while a call is under way
_SPARE_TASKS = 2  # asked for beyond twice the workers, so that none waits for the network
_MAX_CALLS = 100_000  # at a time: the pool bounds them, not Ray
CallWatcher = Callable[[Any], None]


class ProblemStore:
    """Problems as bytes in the caller's object store: made once, fetched by each node."""

    def __init__(self) -> None:
        # Calls under way keep a reference to the bytes of a problem that is evicted.
        self._refs: LruCache[str, Any] = LruCache(max_weight=MAX_STORED_BYTES)

    def get_ref(self, problem: ProblemPayload) -> Any:
        """Return the reference of the problem's bytes, which are stored now if need be."""
        ref = self._refs.get(problem.key)
        if ref is None:
            problem_bytes = problem.encode()
            self._refs.make_room(len(problem_bytes))
            ref = load_ray().put(problem_bytes)
            self._refs.put(problem.key, ref, len(problem_bytes))
        return ref


class NodeLink:
    """The actor of one node. Used by the pool's own thread only.

    watch_call: called with the reference of each call whose failure means that the node is lost.
    pending_tasks: those under way there, by ticket.
    shipments: problems sent there so far.
    is_collecting: a call for replies is under way.
    is_recalled: tasks were asked back since the last replies.
    """

    def __init__(self, node_id: str, watch_call: CallWatcher) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        # No CPUs are reserved: the judge works beside what else runs there, as it does locally,
        # and does not wait for a trainer that has reserved them all.
        options = {
            "num_cpus": 0,
            "max_restarts": 0,
            "max_task_retries": 0,
            "max_concurrency": _MAX_CALLS,
            "scheduling_strategy": NodeAffinitySchedulingStrategy(node_id, soft=False),
        }
        self.actor: Any = load_ray().remote(**options)(NodeJudge).remote()
        self.node_id = node_id
        self.workers = 0
        self.level = 0
        self.layers: dict[str, str] = {}
        self.pending_tasks: dict[int, Task] = {}
        self.shipments = 0
        self.is_collecting = self.is_recalled = False
        self._watch_call = watch_call
        # What the next ``send`` takes along.
        self._outgoing_problems: list[StoredProblem] = []
        self._outgoing_calls: list[TaskCall] = []
        # The number of each problem's shipment, by the problem's key.
        self._stored_problems: LruCache[str, int] = LruCache(
            MAX_PROBLEMS,
            _MAX_PROBLEM_BYTES,
            on_evict=self._forget_problem,
            may_evict=lambda key, _: not self._pending_keys[key],
        )
        self._pending_keys: Counter[str] = Counter()  # tasks under way, by their problem's key

    def count_free_places(self, tasks_per_worker: float) -> int:
        """Return how many more tasks it may be given. tasks_per_worker: how many it may hold for
        each worker, within bounds."""
        ahead = min(int(tasks_per_worker), MAX_TASKS) * self.workers
        most = max(ahead, 2 * self.workers + _SPARE_TASKS) if self.workers else 0
        return most - len(self.pending_tasks)

    @property
    def load(self) -> float:
        """Tasks under way for each worker."""
        return len(self.pending_tasks) / max(1, self.workers)

    def rank_for(self, task: Task) -> tuple[bool, bool, float]:
        """Return a key for ``max`` over nodes. It prefers a node with an idle worker, then one that
        has the problem, then the one with the lowest load."""
        has_problem = task.problem is not None and task.problem.key in self._stored_problems
        return (
            len(self.pending_tasks) < self.workers,
            has_problem,
            -self.load,
        )

    def add_task(self, ticket: int, task: Task, store: ProblemStore) -> None:
        """Add a task to the next ``send``, with its problem if the node does not have it."""
        request_bytes, number = encode(task.request), None
        if task.problem is not None:
            number = self._add_problem(task.problem, store)
            self._pending_keys[task.problem.key] += 1
        self._outgoing_calls.append(TaskCall(ticket, number, request_bytes))
        self.pending_tasks[ticket] = task

    def end_task(self, ticket: int) -> Task | None:
        """Remove a task from those under way and return it, None if it was not there."""
        task = self.pending_tasks.pop(ticket, None)
        if task is not None and task.problem is not None:
            self._pending_keys[task.problem.key] -= 1
            if not self._pending_keys[task.problem.key]:
                del self._pending_keys[task.problem.key]
        return task

    def _add_problem(self, problem: ProblemPayload, store: ProblemStore) -> int:
        number = self._stored_problems.get(problem.key)
        if number is not None:
            return number
        self.shipments += 1
        number = self.shipments
        if problem.size <= _MAX_INLINE_BYTES:
            shipment = StoredProblem(number, problem.key, problem.size, problem.encode())
            self._outgoing_problems.append(shipment)
        else:
            ref = store.get_ref(problem)
            call = self.actor.store_problem.remote(number, problem.key, problem.size, ref)
            self._watch_call(call)
        self._stored_problems.put(problem.key, number, problem.size)
        return number

    def _forget_problem(self, _key: str, number: int) -> None:
        self._watch_call(self.actor.forget_problem.remote(number))

    def send(self) -> None:
        """Send what was added, in one call."""
        if self._outgoing_calls:
            plain = ([*map(tuple, self._outgoing_problems)], [*map(tuple, self._outgoing_calls)])
            self._watch_call(self.actor.run_tasks.remote(marshal.dumps(plain)))
            self._outgoing_problems, self._outgoing_calls = [], []

    def collect(self) -> Any:
        """Ask for the next replies. Returns the reference of that call."""
        self.is_collecting = True
        return self.actor.collect_replies.remote()

    def recall_tasks(self) -> None:
        """Ask for half of the tasks that it does not need soon, so that idle nodes do them."""
        if not self.is_recalled and (surplus := -self.count_free_places(0)) > 0:
            self.is_recalled = True
            self._watch_call(self.actor.hand_back.remote((surplus + 1) // 2))

    def kill(self) -> None:
        """End the actor; its workers end with it."""
        try:
            load_ray().kill(self.actor)
        except Exception:
            pass  # it, or all of Ray, is gone already
