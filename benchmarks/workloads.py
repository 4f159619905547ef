"""Measures what users bring, in core-milliseconds, beside a peer or the bare work, in one run.

    python benchmarks/workloads.py [--rounds N] [--only NAME ...] [--out NAME]

Each round runs every arm of every load once, in alternating order; a figure is the median of the
rounds, and only the ratios of one run compare. Arms that start processes are measured by the CPU
time of their whole tree, as the difference of a run of few and one of more programs.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checkout import HERE, BenchmarkError, run_script
from evaluators import LIVECODEBENCH, MICROCODER, PRIME_CODE, Evaluator, judge_jobs
from measurement import Usage, adopt_orphans, describe_machine, interleave, measure, subtract_runs
from publication import Spread, format_figure, format_table, make_parser, publish_table

from microcoder_eval import Judge, conversion
from microcoder_eval.arguments import read_problem
from microcoder_eval.compare import arrays, make_comparer
from microcoder_eval.conversion import make_payload
from microcoder_eval.languages import Language, find_language
from microcoder_eval.pool.cache_folders import find_prepared_folder
from microcoder_eval.recent_problems import recent_problems
from microcoder_eval.settings import JudgeOptions
from microcoder_eval.worker.compilation.preparing import prepare
from microcoder_sandbox import PreparedStore, make_plan

RUN_LIMIT_S = 300.0
COUNTS = (1, 4)  # of programs in the two runs of a compiled language
CPP = """\
#include <bits/stdc++.h>
using namespace std;
int main() {{ long a, b; map<long, long> m; cin >> a >> b; m[a] = b; cout << a + m[a] + {number}; }}
"""
JAVA = """\
import java.util.*;
public class Main {{ public static void main(String[] arguments) {{
    Scanner in = new Scanner(System.in); Map<Long, Long> m = new HashMap<>();
    long a = in.nextLong(); m.put(a, in.nextLong());
    System.out.println(a + m.get(a) + {number});
}} }}
"""
NUMPY = """\
import numpy as np
values = np.array(input().split(), dtype=np.int64)
print(values.sum() + {number})
"""
Measure = Callable[[int], float]  # the number of a round -> core-milliseconds


@dataclass(frozen=True, slots=True)
class Arm:
    """One way of doing a load."""

    load: str
    title: str
    measure: Measure


def make_sums(number: int) -> list[dict[str, str]]:
    """Return ten tests whose answer is the sum of two numbers and ``number``."""
    return [{"input": f"{n} {n + 5}\n", "output": f"{2 * n + 5 + number}\n"} for n in range(10)]


def make_python_arm(title: str, evaluator: Evaluator, folder: Path) -> Arm:
    """Ten tests of a program that imports numpy."""

    def run(count: int, seed: int) -> Usage:
        numbers = [1000 * seed + index for index in range(count)]
        jobs = [
            {"kind": "stdin", "codes": [NUMPY.format(number=n)], "tests": make_sums(n)}
            for n in numbers
        ]
        return judge_jobs(evaluator, jobs, True, folder, RUN_LIMIT_S, workers=1)[0]

    return Arm(
        "numpy program, 10 tests",
        title,
        lambda number: 1000 * subtract_runs(run, (2, 14), number).cpu_s,
    )


def make_language_arm(
    load: str, title: str, language: Language, program: str, folder: Path, prepared: str | None
) -> Arm:
    """Ten tests of a compiled program. prepared: None: the judge; else the compiler alone, with
    what lies in that folder."""
    options = [option.replace("{folder}", prepared or "") for option in _options(language)]

    def run(count: int, seed: int) -> Usage:
        number = random.Random(f"{title} {seed} {time.time_ns()}").randrange(10**9)
        codes = [program.format(number=number) + "\n" * index for index in range(count)]
        job = {
            "language": language.name,
            "codes": codes,
            "tests": make_sums(number),
            "how": "judge" if prepared is None else "bare",
            "prepared": options if prepared else [],
        }
        (folder / "job").write_text(json.dumps(job))
        driver = [sys.executable, str(HERE / "peers" / "languages_driver.py")]
        files = [str(folder / "job"), str(folder / "result")]
        usage = measure([*driver, *files], limit_s=RUN_LIMIT_S, log=folder / "log")
        if not all(json.loads((folder / "result").read_text())["passed"]):
            raise BenchmarkError(f"{title} gives wrong verdicts")
        return usage

    return Arm(load, title, lambda number: 1000 * subtract_runs(run, COUNTS, number).cpu_s)


def _options(language: Language) -> Sequence[str]:
    assert language.preparation is not None
    return language.preparation.options


def make_language_arms(folder: Path) -> list[Arm]:
    """C++ and Java: the judge, the compiler with what is prepared, the compiler alone."""
    arms = []
    for name, program in (("cpp", CPP), ("java", JAVA)):
        language = find_language(name)
        assert language is not None
        assert language.preparation is not None
        store = PreparedStore(find_prepared_folder())
        prepared = store.find(language.preparation.recipe) or prepare(
            make_plan(), store, language.preparation.recipe
        )
        if not prepared:
            raise BenchmarkError(f"nothing can be prepared for {name}")
        ways = (("MicroCoder", None), ("compiler, prepared, and runs", prepared),
                ("compiler and runs", ""))  # fmt: skip
        load = f"{name} program, 10 tests"
        arms += [make_language_arm(load, way, language, program, folder, at) for way, at in ways]
    return arms


def make_arms_in_process() -> list[Arm]:
    """What the caller does for each solution of a problem, and comparing large outputs."""
    options = JudgeOptions.from_keywords()
    tests = [{"input": "1 2\n" * 131_072, "output": "3\n" * 262_144} for _ in range(10)]
    numbers = random.Random(1)
    expected = "\n".join(f"{numbers.random() * 1000:.6f}" for _ in range(1_000_000)).encode()
    actual = expected.replace(b"\n", b"1\n")
    import numpy  # noqa: F401 - the comparer uses it where it is loaded

    def prepare_problem(given: Any, *, fresh: bool) -> float:
        if fresh:
            recent_problems.clear()
        else:  # a problem is kept from its second reading on
            read_problem(given)
            read_problem(given)
        start = time.process_time()
        make_payload(read_problem(given), options)
        return 1000 * (time.process_time() - start)

    def compare(output: bytes, *, by_words: bool) -> float:
        size, arrays._MIN_BYTES_LOADED = arrays._MIN_BYTES_LOADED, 1 << (60 if by_words else 16)
        methods = make_comparer("calibrated").text_methods
        start = time.process_time()
        accepted = any(method.find_refusal(output, expected) is None for method in methods)
        elapsed = time.process_time() - start
        arrays._MIN_BYTES_LOADED = size
        if not accepted:
            raise BenchmarkError("close outputs are refused")
        return 1000 * elapsed

    problem = read_problem(tests)
    caller, reals = "caller, 10 MB of tests", "10 MB of nearly equal reals"
    return [
        Arm(caller, "as a list, again", lambda _: prepare_problem(tests, fresh=False)),
        Arm(caller, "as a list, first", lambda _: prepare_problem(tests, fresh=True)),
        Arm(caller, "as a Problem", lambda _: prepare_problem(problem, fresh=False)),
        Arm(reals, "by blocks", lambda _: compare(actual, by_words=False)),
        Arm(reals, "word by word", lambda _: compare(actual, by_words=True)),
        Arm(reals, "equal", lambda _: compare(expected, by_words=False)),
    ]


def make_arms_of_judges(folder: Path) -> list[Arm]:
    """What the caller does with a large problem, and with kept verdicts."""
    large = [{"input": f"{n}\n" + "1 2\n" * (1 << 20), "output": f"{n}\n"} for n in range(32)]
    small = make_sums(0)

    def give_large(*, shared: bool) -> float:
        problem = read_problem(large)
        assert problem.size >= 128 << 20
        size, conversion.SHARED_BYTES = conversion.SHARED_BYTES, 4 << (20 if shared else 60)
        try:
            with Judge(workers=2) as judge:
                list(judge.map([("print()", small), ("print(1)", small)]))
                start = time.process_time()
                judgements = list(judge.map([(f"print({n})", problem) for n in range(4)]))
                if any(judgement.verdict != "WA" for judgement in judgements):
                    raise BenchmarkError("large problems give wrong verdicts")
                return 1000 * (time.process_time() - start)
        finally:
            conversion.SHARED_BYTES = size

    def look_up(*, again: bool) -> float:
        programs = [f"n = {number}\nprint(sum(map(int, input().split())))" for number in range(200)]
        cpu_ms = 0.0
        with tempfile.TemporaryDirectory(dir=folder) as cache:
            for _ in range(1 + again):
                with Judge(workers=1, cache=cache) as judge:
                    list(judge.map([("print()", small)]))
                    start = time.process_time()
                    list(judge.map([(program, small) for program in programs]))
                    cpu_ms = 1000 * (time.process_time() - start) / len(programs)
        return cpu_ms

    mapped = "caller, giving 128 MB of tests to two workers"
    return [
        Arm(mapped, "in one file", lambda _: give_large(shared=True)),
        Arm(mapped, "copied for each worker", lambda _: give_large(shared=False)),
        Arm("caller, 10 tests", "looked up", lambda _: look_up(again=True)),
        Arm("caller, 10 tests", "judged and kept", lambda _: look_up(again=False)),
    ]


def make_arms(only: Sequence[str], folder: Path) -> list[Arm]:
    """Return the arms of all loads whose names begin with one of ``only``; an empty list: all."""
    peers = (
        ("MicroCoder", MICROCODER),
        ("LiveCodeBench", LIVECODEBENCH),
        ("prime_code", PRIME_CODE),
    )
    arms = [make_python_arm(title, evaluator, folder) for title, evaluator in peers]
    arms += [*make_language_arms(folder), *make_arms_in_process(), *make_arms_of_judges(folder)]
    return [arm for arm in arms if not only or arm.load.startswith(tuple(only))]


def report(core_ms: Mapping[tuple[str, str], list[float]]) -> str:
    """Return the table: each arm, and how many times as much it takes as the first of its load."""
    first: dict[str, float] = {}
    rows = []
    for (load, title), values in core_ms.items():
        spread = Spread.of(values)
        base = first.setdefault(load, spread.median)
        rows.append([load, title, str(spread), f"{format_figure(spread.median / base)}x"])
    return format_table(["load", "way", "core-ms", "of the first"], rows)


def main() -> int:
    """Run the benchmark; print the table, and write the record."""
    parser = make_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[], help="beginnings of loads")
    options = parser.parse_args()
    adopt_orphans()
    core_ms: dict[tuple[str, str], list[float]] = defaultdict(list)
    notes: dict[str, str] = {}

    def run(number: int, arm: Arm) -> None:
        if arm.title in notes:
            return
        try:
            core_ms[arm.load, arm.title].append(arm.measure(number))
        except BenchmarkError as error:
            notes[arm.title] = f"left out: {error}"
            print(f"{arm.title} {notes[arm.title]}", file=sys.stderr)

    with tempfile.TemporaryDirectory() as folder:
        arms = make_arms(options.only, Path(folder))
        for arm in arms:  # the order of the table
            core_ms[arm.load, arm.title] = []
        before = os.getloadavg()
        interleave(options.rounds, arms, run)
    figures = {key: values for key, values in core_ms.items() if values}
    table = report(figures)
    print(table)
    record = {
        "machine": {**describe_machine(), "load_before": before, "load_after": os.getloadavg()},
        "options": {"rounds": options.rounds, "only": options.only},
        "notes": notes,
        "loads": [
            {"load": load, "way": title, "core_ms": Spread.of(values), "rounds": values}
            for (load, title), values in figures.items()
        ],
    }
    publish_table("workloads", options.out, record, "What users bring", table)
    return 0


if __name__ == "__main__":
    run_script(main)
