"""One node of a Ray cluster as the pool holds it: what it was asked, which problems it has."""

from __future__ import annotations

import itertools
import marshal
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .link import ProblemPayload, Task
from .ray_cluster import load_ray
from .ray_node import NodeJudge

HELD_PROBLEM_BYTES, HELD_PROBLEMS = 1 << 30, 4096  # per node; its workers hold fewer
PACKED_BYTES = 256 << 20  # of problems in the caller's object store, on their way to nodes
_SPARE = 2  # asked for beyond twice the workers, so that none waits for the network
_CALLS = 100_000  # at a time: the pool bounds them, not Ray
Watch = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class Held:
    """A problem on a node. number: of its shipment."""

    number: int
    size: int


class Packer:
    """Problems as bytes in the caller's object store: made once, fetched by each node."""

    def __init__(self) -> None:
        self._refs: OrderedDict[str, tuple[Any, int]] = OrderedDict()
        self._bytes = 0

    def ref(self, problem: ProblemPayload) -> Any:
        """Where the problem is to be had."""
        if problem.key in self._refs:
            self._refs.move_to_end(problem.key)
            return self._refs[problem.key][0]
        packed = marshal.dumps(problem.build())
        while self._refs and self._bytes + len(packed) > PACKED_BYTES:
            _, (_, size) = self._refs.popitem(last=False)  # calls under way keep what they need
            self._bytes -= size
        ref = load_ray().put(packed)
        self._refs[problem.key] = (ref, len(packed))
        self._bytes += len(packed)
        return ref


class NodeLink:
    """The actor of one node. Used by the pool's own thread only.

    asked: tasks under way there, by ticket. shipments: problems sent there so far. doubts: tasks
    in a row that its pool could not do.
    """

    def __init__(self, node_id: str, cores: int) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        # No CPUs are reserved: the judge works beside what else runs there, as it does locally,
        # and never waits for a trainer that holds them all to let go.
        options = {
            "num_cpus": 0,
            "max_restarts": 0,
            "max_task_retries": 0,
            "max_concurrency": _CALLS,
            "scheduling_strategy": NodeAffinitySchedulingStrategy(node_id, soft=False),
        }
        self.actor: Any = load_ray().remote(**options)(NodeJudge).remote()
        self.node_id = node_id
        self.cores = cores
        self.workers = 0
        self.level = 0
        self.layers: dict[str, str] = {}
        self.asked: dict[int, Task] = {}
        self.shipments = self.doubts = 0
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._numbers: Iterator[int] = itertools.count()

    def greet(self, facts: dict[str, Any]) -> None:
        """It can judge: take down what it has."""
        self.workers, self.level, self.layers = facts["workers"], facts["level"], facts["layers"]

    @property
    def has_room(self) -> bool:
        """Whether it may be asked for more."""
        return self.workers > 0 and len(self.asked) < 2 * self.workers + _SPARE

    def fitness(self, task: Task) -> tuple[bool, bool, float]:
        """For choosing among nodes: first one with an idle worker, then one that has the problem,
        then the one with least to do."""
        has_problem = task.problem is not None and task.problem.key in self._held
        return (
            len(self.asked) < self.workers,
            has_problem,
            -len(self.asked) / max(1, self.workers),
        )

    def ask(self, ticket: int, task: Task, packer: Packer, watch: Watch) -> Any:
        """Send a task, and its problem if the node does not have it; the answer's reference.

        watch: called with the reference of each call whose failure means that the node is lost.
        """
        number = None if task.problem is None else self._number(task.problem, packer, watch)
        self.asked[ticket] = task
        return self.actor.do.remote(task.verb, number, marshal.dumps(task.message))

    def _number(self, problem: ProblemPayload, packer: Packer, watch: Watch) -> int:
        held = self._held.get(problem.key)
        if held is not None:
            self._held.move_to_end(problem.key)
            return held.number
        packed = packer.ref(problem)
        self._make_room(problem.size, watch)
        held = self._held[problem.key] = Held(next(self._numbers), problem.size)
        watch(self.actor.hold.remote(held.number, problem.key, problem.size, packed))
        self.shipments += 1
        return held.number

    def _make_room(self, more_bytes: int, watch: Watch) -> None:
        """Forget what was not used for longest, but nothing that a task under way needs."""
        needed = {task.problem.key for task in self.asked.values() if task.problem is not None}
        held_bytes = sum(held.size for held in self._held.values())
        for key in [key for key in self._held if key not in needed]:
            if len(self._held) < HELD_PROBLEMS and held_bytes + more_bytes <= HELD_PROBLEM_BYTES:
                return
            held = self._held.pop(key)
            held_bytes -= held.size
            watch(self.actor.forget.remote(held.number))

    def kill(self) -> None:
        """End the actor; its workers end with it."""
        try:
            load_ray().kill(self.actor)
        except Exception:
            pass  # it, or all of Ray, is gone already
