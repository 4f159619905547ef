"""One node of a Ray cluster as the pool holds it: its tasks under way, and its problems."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from microcoder_eval.lru import LruCache
from microcoder_eval.pool.tasks import ProblemPayload, Task
from microcoder_eval.worker.messages import encode

from .cluster import load_ray
from .node import NodeJudge, NodeStart

MAX_PROBLEM_BYTES, MAX_PROBLEMS = 1 << 30, 4096  # per node; its workers hold fewer
MAX_STORED_BYTES = 256 << 20  # of problems in the caller's object store, on their way to nodes
_SPARE_TASKS = 2  # asked for beyond twice the workers, so that none waits for the network
_MAX_CALLS = 100_000  # at a time: the pool bounds them, not Ray
CallWatcher = Callable[[Any], None]


class ProblemStore:
    """Problems as bytes in the caller's object store: made once, fetched by each node."""

    def __init__(self) -> None:
        # Of one that is evicted, calls under way keep what they need.
        self._refs: LruCache[str, Any] = LruCache(max_weight=MAX_STORED_BYTES)

    def get_ref(self, problem: ProblemPayload) -> Any:
        """Return the reference of the problem's bytes, which are stored now if need be."""
        ref = self._refs.get(problem.key)
        if ref is None:
            problem_bytes = encode(problem.build())
            self._refs.make_room(len(problem_bytes))
            ref = load_ray().put(problem_bytes)
            self._refs.put(problem.key, ref, len(problem_bytes))
        return ref


class NodeLink:
    """The actor of one node. Used by the pool's own thread only.

    watch_call: called with the reference of each call whose failure means that the node is lost.
    pending_tasks: those under way there, by ticket. shipments: problems sent there so far.
    consecutive_failures: tasks in a row that its pool could not do.
    """

    def __init__(self, node_id: str, cores: int, watch_call: CallWatcher) -> None:
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
        self.cores = cores
        self.workers = 0
        self.level = 0
        self.layers: dict[str, str] = {}
        self.pending_tasks: dict[int, Task] = {}
        self.shipments = self.consecutive_failures = 0
        self._watch_call = watch_call
        # The number of each problem's shipment, by the problem's key.
        self._stored_problems: LruCache[str, int] = LruCache(
            MAX_PROBLEMS,
            MAX_PROBLEM_BYTES,
            on_evict=self._forget_problem,
            may_evict=lambda key, _: key not in self._needed_keys,
        )
        self._needed_keys: frozenset[str] = frozenset()
        self._problem_numbers = itertools.count()

    def record_start(self, start: NodeStart) -> None:
        """Record what a node that can judge has."""
        self.workers, self.level, self.layers = start.workers, start.level, dict(start.layers)

    @property
    def has_capacity(self) -> bool:
        """Whether it may be sent another task."""
        return self.workers > 0 and len(self.pending_tasks) < 2 * self.workers + _SPARE_TASKS

    def fitness(self, task: Task) -> tuple[bool, bool, float]:
        """For choosing among nodes: first one with an idle worker, then one that has the problem,
        then the one with least to do."""
        has_problem = task.problem is not None and task.problem.key in self._stored_problems
        return (
            len(self.pending_tasks) < self.workers,
            has_problem,
            -len(self.pending_tasks) / max(1, self.workers),
        )

    def send_task(self, ticket: int, task: Task, store: ProblemStore) -> Any:
        """Send a task, and its problem if the node does not have it; the reply's reference."""
        number = None if task.problem is None else self._send_problem(task.problem, store)
        self.pending_tasks[ticket] = task
        return self.actor.run_task.remote(number, encode(task.request))

    def _send_problem(self, problem: ProblemPayload, store: ProblemStore) -> int:
        number = self._stored_problems.get(problem.key)
        if number is not None:
            return number
        ref = store.get_ref(problem)
        number = next(self._problem_numbers)
        pending_problems = (task.problem for task in self.pending_tasks.values())
        self._needed_keys = frozenset(pending.key for pending in pending_problems if pending)
        self._stored_problems.put(problem.key, number, problem.size)
        self._watch_call(self.actor.store_problem.remote(number, problem.key, problem.size, ref))
        self.shipments += 1
        return number

    def _forget_problem(self, _key: str, number: int) -> None:
        self._watch_call(self.actor.forget_problem.remote(number))

    def kill(self) -> None:
        """End the actor; its workers end with it."""
        try:
            load_ray().kill(self.actor)
        except Exception:
            pass  # it, or all of Ray, is gone already
