"""Unseeded generators: each run draws numbers of its own, though all are forks of one process."""

from __future__ import annotations

import pytest

from microcoder_eval import run

RUNS = 5


@pytest.mark.parametrize(
    "draw",
    [
        "import random; print(random.random(), random.getrandbits(64))",
        "import random; print(random.SystemRandom().random())",
        "import numpy; print(numpy.random.rand(), numpy.random.randint(10**9))",
        "import numpy; print(numpy.random.default_rng().random())",
        "import numpy; print(getattr(numpy, 'ran' 'dom').rand())",
        "import numpy; print(__import__('ran' 'dom').getrandbits(64))",
        "import numpy, json; print(getattr(numpy, 'ran' 'dom').rand())",
        "import uuid; print(uuid.uuid4())",
        "import secrets; print(secrets.token_hex())",
    ],
)
@pytest.mark.slow
def test_no_two_runs_draw_the_same(draw: str) -> None:
    printed = [run(draw).stdout for _ in range(RUNS)]
    assert len(set(printed)) == RUNS


def test_hashes_and_the_order_of_sets_are_the_same_in_every_run() -> None:
    code = "print(hash('x'), list({'a', 'b', 'c', 'd'}), hash(b'y'))"
    assert len({run(code).stdout for _ in range(RUNS)}) == 1
