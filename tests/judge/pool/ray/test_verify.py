"""The corpus pipeline's verify on a cluster: the bytes of one machine, also when a node is killed.

Run with Ray installed: ``pytest -m ray``.
"""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from microcoder_data.execution import RunConfig, run_stage
from microcoder_data.recipe import Verify
from microcoder_data.verify.stage import VerifyStage
from tests.data.clean import problems
from tests.data.lines import write
from tests.judge.pool.ray.conftest import MARKS, Machines
from tests.processes import wait_until

pytest.importorskip("ray", reason='the Ray engine is NOT tested: pip install -e ".[ray]"')
pytestmark = MARKS
COUNT = 16
RECIPE = Verify(mutants=4, problems_at_once=4)


def verify(source: Path, folder: Path, recipe: Verify) -> list[bytes]:
    """The bytes of what is kept and dropped, and of the manifest."""
    folder.mkdir()
    out = folder / "out.jsonl"
    run_stage(VerifyStage(recipe), RunConfig([str(source)], str(out), workers=2))
    names = ("out.jsonl", "out.dropped.jsonl", "out.manifest.json")
    return [(folder / name).read_bytes() for name in names]


def test_a_cluster_writes_the_bytes_of_one_machine_and_a_killed_node_loses_nothing(
    machines: Machines, tmp_path: Path
) -> None:
    source = write(tmp_path / "in.jsonl", problems(COUNT))
    local = verify(source, tmp_path / "local", RECIPE)
    log = tmp_path / "cluster" / "out.part"

    def has_begun() -> bool:
        return log.exists() and log.read_bytes().count(b"\n") > 2

    victims: list[str] = []

    def kill() -> None:
        if wait_until(has_begun, 240):
            victims.append(machines.kill())

    killer = threading.Thread(target=kill)
    killer.start()
    on_ray = RECIPE.model_copy(update={"engine": "ray"})
    cluster = verify(source, tmp_path / "cluster", on_ray)
    killer.join()
    assert victims
    assert cluster == local
    assert not log.exists()
