"""Measures the wait for the rewards of one RL step, and what the cores do meanwhile.

    python benchmarks/rollouts.py [--quick] [--rounds N] [--seed N] [--out NAME]

64 problems of ../shared/data/corpus, 8 samples each, a fixed seed: about 15 % right, the rest
programs that an official judge refused, right programs with one small change,
and some that never end, take too much memory, crash, or print without end. In turn, on one list:

all at once    this judge and LiveCodeBench's evaluator, from the whole list to all rewards
as they come   this judge, with samples arriving over a simulated generation: the time from the
               last sample to the last reward. LiveCodeBench's evaluator takes whole lists, so it
               starts at the last sample and needs the time of all at once
calibrated     this judge, both ways, on the same samples with the time limits that
               `microcoder-eval calibrate` derives from the right programs of each problem

Core efficiency: CPU seconds of the judged programs / (cores x wall seconds); the numerator is
what this judge measured of the programs, for both.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checkout import REPOSITORY, BenchmarkError, run_script
from corpus import DATA, make_job, read_labelled_programs
from evaluators import LIVECODEBENCH, MICROCODER, Evaluator, drive
from measurement import interleave, open_session
from publication import Spread, format_figure, format_table, make_parser, publish_table

from microcoder_data.verify.mutants import make_mutants

SAMPLES = 8
RIGHT_SHARE = 0.15
# Counts of each thousand samples; the others are right or wrong answers.
SHARES = {"endless loop": 30, "too much memory": 15, "crash": 80, "endless output": 10}
MEMORY_MB = 1024
GUARD_GB = 4  # LiveCodeBench's evaluator sets no limit, and some programs use all memory
RUN_LIMIT_S = 3000.0
CALIBRATION_LIMIT_S = 900.0
LOOP = "n = 0\nwhile True:\n    n += 1\n"
# Uses 1.5 times the limit at most, so that a judge without limits survives it.
GREED = "held = [b'x' * (1 << 20) for _ in range(1536)]\nprint(len(held))\n"
CRASHES = (
    "print(int('twelve'))\n",
    "print([1, 2, 3][7])\n",
    "def f(n):\n    return f(n + 1)\nprint(f(0))\n",
    "for i in range(10)\n    print(i)\n",
    "import somethingthatisnotthere\n",
)
CHATTER = "while True:\n    print('x' * 1000)\n"


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to judge the step. streams: samples arrive one by one. calibrated: with time limits
    from right programs."""

    name: str
    evaluator: Evaluator = MICROCODER
    streams: bool = False
    calibrated: bool = False


OURS = Arm("MicroCoder")
PEER = Arm("LiveCodeBench", LIVECODEBENCH)
STREAMED = Arm("MicroCoder, as they come", streams=True)
CALIBRATED = Arm("MicroCoder, calibrated limits", calibrated=True)
CALIBRATED_STREAMED = Arm("the same, as they come", streams=True, calibrated=True)
ARMS = (OURS, PEER, STREAMED, CALIBRATED, CALIBRATED_STREAMED)


@dataclass(frozen=True, slots=True)
class Step:
    """The samples of one step: jobs of SAMPLES programs, counts by kind, and right programs of
    each job."""

    jobs: list[dict[str, Any]]
    kinds: Counter[str]
    right: list[list[str]]


def make_step(problems: int, seed: int) -> Step:
    """Draw the samples; equal for equal seeds."""
    numbers = random.Random(seed)
    right: dict[str, list[str]] = defaultdict(list)
    wrong: dict[str, list[str]] = defaultdict(list)
    problems_by_name = {}
    for problem, solution, is_right in read_labelled_programs():
        problems_by_name[problem["problem_id"]] = problem
        (right if is_right else wrong)[problem["problem_id"]].append(solution["code"])
    names = sorted(name for name in problems_by_name if name in right and name in wrong)
    selection = numbers.sample(names, min(problems, len(names)))
    kinds = _draw_kinds(len(selection) * SAMPLES, numbers)
    counts = Counter(kinds)
    jobs = []
    for name in selection:
        wrong_codes = numbers.sample(wrong[name], len(wrong[name]))
        codes = []
        for number in range(SAMPLES):
            kind = kinds.pop()
            code = _choose_program(kind, right[name], wrong_codes, numbers)
            codes.append(
                f"# sample {number}\n{code}"
            )  # all different, so that caches have no effect
        jobs.append(make_job(problems_by_name[name], codes))
    return Step(jobs, counts, [right[name] for name in selection])


def _draw_kinds(count: int, numbers: random.Random) -> list[str]:
    kinds = ["right"] * round(RIGHT_SHARE * count)
    for name, share in SHARES.items():
        kinds += [name] * max(1, round(share * count / 1000))
    kinds += ["wrong answer"] * (count - len(kinds))
    numbers.shuffle(kinds)
    return kinds


def _choose_program(kind: str, right: list[str], wrong: list[str], numbers: random.Random) -> str:
    if kind == "right":
        return numbers.choice(right)
    if kind == "wrong answer" and wrong:
        return wrong.pop()
    if kind == "wrong answer":
        return next(m for code in right for m in make_mutants(code, 1, numbers.randrange(1 << 32)))
    return {
        "endless loop": LOOP,
        "too much memory": GREED,
        "crash": numbers.choice(CRASHES),
        "endless output": CHATTER,
    }[kind]


def calibrate_jobs(
    jobs: Sequence[Mapping[str, Any]], right: Sequence[Sequence[str]], limit_s: float, folder: Path
) -> list[dict[str, Any]]:
    """The jobs with the ``limits`` of ``microcoder-eval calibrate``, at most limit_s a test.

    right: right programs of each job. A job keeps limit_s where none of them passes. Raises
    BenchmarkError when the command fails.
    """
    problems, programs, output = (folder / name for name in ("tests", "right", "calibrated"))
    _write(
        problems,
        [
            {
                "problem_id": str(index),
                "limits": {"time_s": limit_s},
                **{key: value for key, value in job.items() if value and key != "codes"},
            }
            for index, job in enumerate(jobs)
        ],
    )
    _write(
        programs,
        [
            {"problem_id": str(index), "solution_id": f"{index}.{number}", "code": code}
            for index, codes in enumerate(right)
            for number, code in enumerate(codes)
        ],
    )
    output.unlink(missing_ok=True)
    command = [sys.executable, "-m", "microcoder_eval", "calibrate", problems, programs]
    process = subprocess.run(
        [*map(str, command), "-o", str(output)],
        env={**os.environ, "PYTHONPATH": f"{REPOSITORY}:{REPOSITORY / 'sandbox'}"},
        capture_output=True,
        text=True,
        timeout=CALIBRATION_LIMIT_S,
    )
    if process.returncode != 0:
        raise BenchmarkError(f"calibrate: exit {process.returncode}: {process.stderr[-600:]}")
    rows = map(json.loads, output.read_text(encoding="utf-8").splitlines())
    return [{**job, "limits": row["limits"]} for job, row in zip(jobs, rows, strict=True)]


def _write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def draw_arrivals(count: int, seconds: float, seed: int) -> list[float]:
    """Return when each sample arrives: few answers are long, and the last takes the whole time."""
    numbers = random.Random(f"arrivals {seed}")
    lengths = [numbers.lognormvariate(0, 0.6) for _ in range(count)]
    longest = max(lengths)
    return [seconds * length / longest for length in lengths]


class Bench:
    """The jobs, and the figures of each arm so far."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options = options
        self.folder = folder
        self.step = make_step(options.problems, options.seed)
        self.calibrated_jobs = calibrate_jobs(
            self.step.jobs, self.step.right, options.seconds, folder
        )
        count = SAMPLES * len(self.step.jobs)
        self.arrivals = draw_arrivals(count, options.generation, options.seed)
        self.rounds: dict[str, list[dict[str, float]]] = defaultdict(list)
        self.verdicts: dict[str, list[str]] = {}
        self.passed: dict[str, list[bool]] = {}
        self.changed: list[str] = []
        self.about: dict[str, Any] = {}

    def run(self, _number: int, arm: Arm) -> None:
        """Run one arm once."""
        job_file = {
            "workers": self.options.workers,
            "isolation": self.options.isolation,
            "seconds": None if arm.calibrated else self.options.seconds,
            "memory_mb": MEMORY_MB,
            "guard_gb": GUARD_GB,
            "jobs": self.calibrated_jobs if arm.calibrated else self.step.jobs,
            "arrivals": self.arrivals if arm.streams else None,
        }
        usage, answer = drive(arm.evaluator, job_file, self.folder, RUN_LIMIT_S)
        wall_s = answer.get("rewards_s", answer["wall_s"])
        facts = {"wall_s": wall_s, "tree_cpu_s": usage.cpu_s}
        if arm.evaluator is MICROCODER:
            facts["programs_cpu_s"] = answer["programs_cpu_s"]
            self.about = {key: answer[key] for key in ("sandbox_level", "isolation")}
        self.rounds[arm.name].append(facts)
        self._compare(arm.name, answer)
        print(f"{arm.name}: {format_figure(wall_s)} s", file=sys.stderr)

    def _compare(self, arm: str, answer: dict[str, Any]) -> None:
        before = self.verdicts.setdefault(arm, answer["verdicts"])
        self.passed.setdefault(arm, answer["passed"])
        self.changed += [
            f"{arm}, sample {index}: {old}, then {new}"
            for index, (old, new) in enumerate(zip(before, answer["verdicts"], strict=True))
            if old != new
        ]

    def compute_spread(self, arm: Arm, value: Callable[[dict[str, float]], float]) -> Spread:
        """Compute the spread of a figure over the rounds."""
        return Spread.of(list(map(value, self.rounds[arm.name])))

    def sum_work_s(self, arm: Arm) -> float:
        """Sum the CPU seconds of the judged programs, as this judge measured them."""
        source = arm if arm.evaluator is MICROCODER else OURS
        return self.compute_spread(source, lambda facts: facts["programs_cpu_s"]).median

    def compute_efficiency(self, arm: Arm) -> Spread:
        """Core efficiency of an arm; below 1 by the judge's cost and idle cores."""
        cores, work_s = self.options.workers, self.sum_work_s(arm)
        return self.compute_spread(arm, lambda facts: work_s / (cores * facts["wall_s"]))

    def measure_wait(self, arm: Arm) -> Spread:
        """Seconds until the last reward, from the start or from the last arrival."""
        generation_s = self.options.generation if arm.streams else 0.0
        return self.compute_spread(arm, lambda facts: facts["wall_s"] - generation_s)

    def measure_core_s(self, arm: Arm) -> Spread:
        """Core-seconds that 1,000 such samples cost, programs included."""
        samples = len(self.arrivals)
        return self.compute_spread(arm, lambda facts: 1000 * facts["tree_cpu_s"] / samples)


def report(bench: Bench) -> str:
    """Format the table and the text below it."""
    rows = [
        [
            arm.name,
            str(bench.measure_wait(arm)),
            str(bench.measure_core_s(arm)),
            format_figure(bench.sum_work_s(arm)),
            "-" if arm.streams else str(bench.compute_efficiency(arm)),
        ]
        for arm in ARMS
    ]
    head = [
        "",
        "trainer waits, s",
        "core-s for 1,000 samples",
        "programs, CPU s",
        "core efficiency",
    ]
    ratio = bench.measure_wait(PEER).median / bench.measure_wait(OURS).median
    after = bench.measure_wait(PEER).median / max(bench.measure_wait(STREAMED).median, 1e-3)
    limits = sorted(job["limits"]["time_s"] for job in bench.calibrated_jobs)
    return "\n".join(
        [
            format_table(head, rows),
            "",
            f"{len(bench.arrivals)} samples, right: "
            + ", ".join(f"{sum(bench.passed[arm.name])} ({arm.name})" for arm in ARMS),
            f"LiveCodeBench waits {format_figure(ratio)}x as long for all at once, "
            f"{format_figure(after)}x as long after the last sample",
            f"made as: {dict(bench.step.kinds)}",
            f"verdicts: {dict(Counter(bench.verdicts[OURS.name]))}",
            f"calibrated limits: {limits[0]:g} to {limits[-1]:g} s, half of them at most "
            f"{limits[len(limits) // 2]:g} s",
            f"passed by one only (this judge / LiveCodeBench): {count_differences(bench, PEER)}",
            f"passed by one only (limits as they are / calibrated): "
            f"{count_differences(bench, CALIBRATED)}",
            f"verdicts that changed between rounds: {'; '.join(bench.changed) or 'none'}",
        ]
    )


def count_differences(bench: Bench, arm: Arm) -> dict[str, int] | str:
    """Count the samples that pass in this arm or in OURS only, by their two verdicts."""
    pairs = zip(bench.verdicts[OURS.name], bench.verdicts[arm.name], strict=True)
    passes = zip(bench.passed[OURS.name], bench.passed[arm.name], strict=True)
    counts = Counter(
        " / ".join(pair) for pair, (ours, other) in zip(pairs, passes, strict=True) if ours != other
    )
    return dict(counts) or "none"


def record(bench: Bench, facts: dict[str, Any]) -> dict[str, Any]:
    """Return all figures for the result file."""
    options = {key: value for key, value in vars(bench.options).items() if key != "out"}
    return {
        "machine": facts,
        "packages": {peer.name: peer.versions() for peer in (MICROCODER, LIVECODEBENCH)},
        "options": options,
        "microcoder": bench.about,
        "kinds": bench.step.kinds,
        "calibrated_limits_s": [job["limits"]["time_s"] for job in bench.calibrated_jobs],
        "programs_cpu_s": {arm.name: bench.sum_work_s(arm) for arm in ARMS},
        "wait_s": {arm.name: bench.measure_wait(arm) for arm in ARMS},
        "core_s_per_1000_samples": {arm.name: bench.measure_core_s(arm) for arm in ARMS},
        "core_efficiency": {
            arm.name: bench.compute_efficiency(arm) for arm in ARMS if not arm.streams
        },
        "rounds": bench.rounds,
        "verdicts": bench.verdicts,
        "changed": bench.changed,
    }


def parse() -> argparse.Namespace:
    parser = make_parser(__doc__)
    parser.add_argument("--quick", action="store_true", help="16 problems, 2 s a test, 1 round")
    parser.add_argument("--rounds", type=int, help="default 3")
    parser.add_argument("--problems", type=int, help="default 64, of which there are 67")
    parser.add_argument("--seconds", type=int, help="a test may take, in both (default 6)")
    parser.add_argument("--generation", type=float, help="seconds it takes (default 60)")
    parser.add_argument("--workers", type=int, default=2, help="of each evaluator (default 2)")
    parser.add_argument("--isolation", choices=["test", "batch"], help="default: as the API")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    defaults = {"rounds": (3, 1), "problems": (64, 16), "seconds": (6, 2), "generation": (60, 8)}
    for name, (full, quick) in defaults.items():
        if getattr(options, name) is None:
            setattr(options, name, quick if options.quick else full)
    return options


def main() -> int:
    """Run, print and save; return 0 if no verdict of this judge changed."""
    options = parse()
    if not DATA.exists():
        print(f"no corpus at {DATA}: nothing to judge", file=sys.stderr)
        return 2
    LIVECODEBENCH.python()  # made before the time is measured
    with open_session() as (facts, folder):
        bench = Bench(options, folder)
        interleave(options.rounds, ARMS, bench.run)
    text = report(bench)
    print(text)
    publish_table("rollouts", options.out, record(bench, facts), "The rewards of one step", text)
    return 1 if any(line.startswith("MicroCoder") for line in bench.changed) else 0


if __name__ == "__main__":
    run_script(main)
