"""Real programs that write random bytes to all they own, judged: never accepted, never JE."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from microcoder_eval import Judge, Limits, Verdict
from tests.files import read_table

TABLE = read_table(__file__)
SPRAY, PLACES = TABLE["spray"], TABLE["places"]
SCRIPT = "\nprint(f(int(input())))\n"
SEEDS = range(2)


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    limits = Limits(time_s=2.0, wall_s=8.0, memory_mb=256)
    with Judge(workers=1, stop="never", limits=limits, reuse=False) as judge:
        yield judge


def problems(answer: str) -> dict[str, dict[str, Any]]:
    tests = {"entry_point": "f", "kind": "assert"}
    return {
        "stdin": {"tests": [{"input": "7\n", "output": f"{answer}\n"}]},
        "call": {"entry_point": "f", "tests": [{"input": [7], "output": answer}]},
        "assertions": {**tests, "test_code": f"assert f(7) == {answer!r}"},
        "test code": {**tests, "test_code": f"r = f(7)\nassert r == {answer!r}"},
    }


def judge_hostile(
    judge: Judge, kind: str, place: str, seed: int, answer: str, returned: object
) -> Any:
    code = SPRAY.format(seed=seed) + PLACES[place].format(answer=returned)
    return judge.judge({"code": code + (SCRIPT if kind == "stdin" else "")}, problems(answer)[kind])


@pytest.mark.slow
@pytest.mark.parametrize("kind", problems(""))
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("seeds", [SEEDS, pytest.param(range(100, 400), marks=pytest.mark.long)])
def test_random_bytes_on_every_descriptor_are_never_accepted_and_never_the_judge_s_failure(
    judge: Judge, kind: str, place: str, seeds: Sequence[int]
) -> None:
    for seed in seeds:
        judgement = judge_hostile(judge, kind, place, seed, secrets.token_hex(16), seed)
        assert judgement.verdict not in (Verdict.AC, Verdict.JE), (
            seed,
            judgement.error,
            judgement.tests,
        )


@pytest.mark.slow
@pytest.mark.parametrize("kind", problems(""))
@pytest.mark.parametrize("place", PLACES)
def test_a_right_program_that_sprays_is_judged_all_the_same(
    judge: Judge, kind: str, place: str
) -> None:
    answer = secrets.token_hex(16)
    for seed in SEEDS:
        judgement = judge_hostile(judge, kind, place, seed, answer, repr(answer))
        assert judgement.verdict is not Verdict.JE, (seed, judgement.error, judgement.tests)
