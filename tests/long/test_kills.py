"""SIGKILL at random moments of a run of 500: no verdict changed, none lost.

pytest -m long tests/long/test_kills.py
"""

from __future__ import annotations

import os
import random
import signal
import threading

import psutil
import pytest

from microcoder_eval import Judge

pytestmark = pytest.mark.long
SIZE, KILLS = 500, 30
TESTS = [{"input": f"{n}\n", "output": f"{n * n}\n"} for n in range(4)]
PROGRAMS = (
    ("print(int(input()) ** 2)", "AC"),
    ("print(int(input()) * 2)", "WA"),
    ("import time; time.sleep(0.05); print(int(input()) ** 2)", "AC"),
    ("raise SystemExit(3)", "RE"),
    ("import random; print(int(input()) ** 2)", "AC"),
)


def test_killing_any_of_our_processes_changes_no_verdict() -> None:
    rng = random.Random(11)
    done = threading.Event()
    killed: list[str] = []

    def assassin() -> None:
        while not done.wait(rng.uniform(0.2, 0.8)) and len(killed) < KILLS:
            victims = psutil.Process().children(recursive=True)
            if not victims:
                continue
            victim = rng.choice(victims)
            try:
                depth = len(victim.parents())
                os.kill(victim.pid, signal.SIGKILL)
                killed.append(str(depth))
            except (ProcessLookupError, psutil.NoSuchProcess):
                pass

    pairs = [(f"# {n}\n{PROGRAMS[n % 5][0]}", TESTS) for n in range(SIZE)]
    expected = [PROGRAMS[n % 5][1] for n in range(SIZE)]
    with Judge(reuse=False) as judge:
        thread = threading.Thread(target=assassin)
        thread.start()
        verdicts = [str(j.verdict) for j in judge.map(pairs)]
        done.set()
        thread.join()
    print(f"killed {len(killed)} processes, by depth {sorted(killed)}")
    assert verdicts == expected
    assert len(killed) > 10
