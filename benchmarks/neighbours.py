"""Measures whether a hostile neighbour slows an innocent program or changes its verdict.

    python benchmarks/neighbours.py [--rounds N] [--out FILE]

Two workers: one judges an innocent load, the other, at the same time, in turn the attacks of
sandbox/attacks or equally busy benign programs. The innocent programs' verdicts must be the
same, and the median of their CPU time within 5 %.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from common import REPOSITORY, RESULTS, Spread, describe_machine, format_table, interleave, save

sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "sandbox")]

from microcoder_eval import Judge, Limits  # noqa: E402

LIMITS = Limits(time_s=1.0, wall_s=4.0, memory_mb=128, output_mb=2)
INNOCENT = "n = int(input())\nprint(sum(i * i % 7 for i in range(n)))"
SIZE, EACH = 60_000, 60
BUSY = "import time\nwhile time.process_time() < {seconds}: pass\nprint('done')"
ARMS = ("benign", "hostile")


def read_attacks() -> list[str]:
    """Read the programs of the attack corpus."""
    return [path.read_text() for path in sorted((REPOSITORY / "sandbox/attacks").glob("*.py"))]


class Neighbour(threading.Thread):
    """Keeps one worker busy until it is stopped."""

    def __init__(self, judge: Judge, programs: list[str]) -> None:
        super().__init__(daemon=True)
        self._judge = judge
        self._programs = programs
        self.finished = threading.Event()

    def run(self) -> None:
        """Judge the programs one after the other, repeatedly."""
        tests = [{"input": "3 4\n", "output": "a secret\n"}]
        while not self.finished.is_set():
            for program in self._programs:
                if self.finished.is_set():
                    return
                self._judge.judge({"code": program}, {"kind": "stdin", "tests": tests})


def judge_innocent_load(judge: Judge) -> tuple[list[float], list[str]]:
    """Judge the innocent load; return CPU seconds and verdicts."""
    expected = f"{sum(i * i % 7 for i in range(SIZE))}\n"
    tests = [{"input": f"{SIZE}\n", "output": expected}] * EACH
    judgement = judge.judge({"code": INNOCENT}, {"kind": "stdin", "tests": tests})
    ran = judgement.tests_run
    return [test.cpu_s for test in ran], [str(test.verdict) for test in ran]


def main() -> int:
    """Run, print and save; return 0 if the neighbour made no difference."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    facts, medians = describe_machine(), {arm: [] for arm in ARMS}
    wrong: list[str] = []
    programs = {
        "hostile": read_attacks(),
        "benign": [BUSY.format(seconds=s) for s in (0.05, 0.3, 0.01)],
    }
    settings: dict[str, Any] = {"workers": 1, "stop": "never", "limits": LIMITS}
    with Judge(**settings, reuse=False) as judge, Judge(**settings, reuse=False) as beside:

        def run(_number: int, arm: str) -> None:
            neighbour = Neighbour(beside, programs[arm])
            neighbour.start()
            seconds, verdicts = judge_innocent_load(judge)
            neighbour.finished.set()
            neighbour.join()
            medians[arm].append(statistics.median(seconds) * 1e3)
            wrong.extend(f"{arm}: {verdict}" for verdict in verdicts if verdict != "AC")

        interleave(options.rounds, ARMS, run)
    spreads = {arm: Spread.of(values) for arm, values in medians.items()}
    ratio = spreads["hostile"].median / spreads["benign"].median
    print(format_table(["beside", "median CPU, ms (least-greatest round)"],
                [[arm, str(spreads[arm])] for arm in ARMS]))  # fmt: skip
    print(f"\nhostile / benign: {ratio:.3f}; verdicts changed: {len(wrong)}")
    save(
        options.out or RESULTS / f"neighbours-{datetime.now(UTC):%Y-%m-%d-%H%M%S}.json",
        {"machine": facts, "medians_ms": medians, "ratio": ratio, "wrong": wrong,
         "attacks": len(programs["hostile"])},
    )  # fmt: skip
    return 1 if wrong or abs(ratio - 1) > 0.05 else 0


if __name__ == "__main__":
    sys.exit(main())
