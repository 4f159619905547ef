"""Real programs that write random bytes to all they own, judged: never accepted, never JE."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

import pytest

from microcoder_eval import Judge, Limits, Verdict

SPRAY = """
import os, random, sys, threading
rng = random.Random({seed})
WORDS = [b"V", b"X", b'V"', b"V[1, 2]", b"V{{}}", b"[" * 900, b'"', b"\\x00\\x00\\x00\\x02[]",
         b'V{{"$set": [[1]]}}', b'X"no"', b'V{{"$int": "0x' + b"f" * 900 + b'"}}', b"\\xff" * 9,
         b'\\x00\\x00\\x00\\x11{{"id":1,"ok":true}}',
         b'\\x00\\x00\\x00\\x14{{"id":1,"raised":[9]}}',
         b'\\x00\\x00\\x00\\x0f{{"passed": true}}', b"\\xff\\xff\\xff\\xff", bytes(4), b"VNaN"]
def spray(times=60):
    for _ in range(times):
        data = rng.choice([rng.randbytes(rng.randrange(80)), rng.choice(WORDS)])
        try: os.write(rng.randrange(64), data)
        except OSError: pass
        if rng.random() < 0.05:
            try: os.close(rng.randrange(64))
            except OSError: pass
def scribble():
    # What the program shares with the fork server, found through the frames above it.
    import mmap
    frame = sys._getframe()
    while frame:
        finish = frame.f_globals.get("finish")
        for cell in getattr(finish, "__closure__", None) or ():
            if type(cell.cell_contents) is mmap.mmap:
                cell.cell_contents[0:16] = rng.randbytes(16)
        frame = frame.f_back
def leave():
    os._exit(rng.choice([0, 0, 0, 1, 96, 97, 120, 137]))
"""
PLACES = {
    "before": "spray()\ndef f(n):\n    return {answer}\n",
    "within": "def f(n):\n    spray(); scribble()\n    return {answer}\n",
    "instead": "def f(n):\n    spray(); scribble(); leave()\n",
    "at import": "def f(n):\n    return {answer}\nspray(); scribble(); leave()\n",
    "beside": (
        "def f(n):\n"
        "    for _ in range(3): threading.Thread(target=spray, args=(400,), daemon=True).start()\n"
        "    return {answer}\n"
    ),
    "while it is sent": (
        "class Late(list):\n"
        "    def __iter__(self): spray(); scribble(); return iter([])\n"
        "    def __len__(self): spray(); return 1\n"
        "def f(n):\n    spray()\n    return Late([{answer}])\n"
    ),
}
SCRIPT = "\nprint(f(int(input())))\n"
SEEDS = range(4)


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


def judged(judge: Judge, kind: str, place: str, seed: int, answer: str, returned: object) -> Any:
    code = SPRAY.format(seed=seed) + PLACES[place].format(answer=returned)
    return judge.judge({"code": code + (SCRIPT if kind == "stdin" else "")}, problems(answer)[kind])


@pytest.mark.slow
@pytest.mark.parametrize("kind", problems(""))
@pytest.mark.parametrize("place", PLACES)
def test_random_bytes_on_every_descriptor_are_never_accepted_and_never_the_judge_s_failure(
    judge: Judge, kind: str, place: str
) -> None:
    for seed in SEEDS:
        found = judged(judge, kind, place, seed, secrets.token_hex(16), seed)
        assert found.verdict not in (Verdict.AC, Verdict.JE), (seed, found.error, found.tests)


@pytest.mark.slow
@pytest.mark.parametrize("kind", problems(""))
@pytest.mark.parametrize("place", PLACES)
def test_a_right_program_that_sprays_is_judged_all_the_same(
    judge: Judge, kind: str, place: str
) -> None:
    answer = secrets.token_hex(16)
    for seed in SEEDS:
        found = judged(judge, kind, place, seed, answer, repr(answer))
        assert found.verdict is not Verdict.JE, (seed, found.error, found.tests)


@pytest.mark.long
@pytest.mark.parametrize("kind", problems(""))
def test_the_same_for_hundreds_of_programs(judge: Judge, kind: str) -> None:
    for seed in range(100, 400):
        for place in PLACES:
            found = judged(judge, kind, place, seed, secrets.token_hex(16), seed)
            assert found.verdict not in (Verdict.AC, Verdict.JE), (place, seed, found.error)
