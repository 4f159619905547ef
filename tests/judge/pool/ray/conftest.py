"""A Ray cluster of several nodes on this machine: a head that judges nothing, and three nodes of
one CPU, each a raylet with processes of its own, that tests may kill."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest

from tests.commands import ENVIRONMENT

NODES = 3
MARKS = [
    pytest.mark.ray,
    pytest.mark.slow,
    # Ray's own, on import and at the end of its processes.
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
# Ray takes a node for dead after this many failed checks; by default it is some 15 s later.
HEALTH = {
    "health_check_initial_delay_ms": 2000,
    "health_check_period_ms": 1000,
    "health_check_timeout_ms": 2000,
    "health_check_failure_threshold": 3,
}


class Machines:
    """The cluster; ``whole`` makes it complete again."""

    def __init__(self, folder: str) -> None:
        from ray.cluster_utils import Cluster

        head = {
            "num_cpus": 0,
            "include_dashboard": False,
            "temp_dir": folder,
            "_system_config": HEALTH,
        }
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        self.address = str(self.cluster.address)
        self.nodes: list[Any] = []

    def whole(self) -> None:
        """As many nodes as there should be."""
        while len(self.nodes) < NODES:
            self.add()

    def add(self) -> str:
        """One more node; its id."""
        self.nodes.append(self.cluster.add_node(num_cpus=1))
        return str(self.nodes[-1].node_id)

    def kill(self) -> str:
        """One node less, with all its processes, by SIGKILL; its id."""
        node = self.nodes.pop()
        self.cluster.remove_node(node, allow_graceful=False)
        return str(node.node_id)


@pytest.fixture(scope="session")
def all_machines() -> Iterator[Machines]:
    folder = tempfile.mkdtemp(prefix="ray")  # short: paths of sockets have a limit of 107 bytes
    machines = Machines(folder)
    try:
        yield machines
    finally:
        machines.cluster.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def machines(all_machines: Machines, monkeypatch: pytest.MonkeyPatch) -> Machines:
    """A head and three nodes, found by RAY_ADDRESS."""
    all_machines.whole()
    monkeypatch.setenv("RAY_ADDRESS", all_machines.address)
    return all_machines


@pytest.fixture
def environment() -> dict[str, str]:
    """For commands: they find this checkout first, and so do the nodes that they start."""
    return {**os.environ, "PYTHONPATH": ENVIRONMENT["PYTHONPATH"]}
