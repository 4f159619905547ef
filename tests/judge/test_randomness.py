"""Unseeded generators: each run draws numbers of its own, though all are forks of one process."""

from __future__ import annotations

import pytest

from microcoder_eval import run
from tests.files import read_table

TABLE = read_table(__file__)
RUNS = 5


@pytest.mark.parametrize("draw", TABLE["draws"])
@pytest.mark.slow
def test_no_two_runs_draw_the_same(draw: str) -> None:
    outputs = [run(draw).stdout for _ in range(RUNS)]
    assert len(set(outputs)) == RUNS


def test_hashes_and_the_order_of_sets_are_the_same_in_every_run() -> None:
    code = "print(hash('x'), list({'a', 'b', 'c', 'd'}), hash(b'y'))"
    assert len({run(code).stdout for _ in range(RUNS)}) == 1
