"""Measures how many tests ``verify`` removes, and which wrong programs then pass.

    python benchmarks/test_reduction.py [--seed 1] [--no-generated] [--lines FILE] [--out FILE]

On ../shared/data/corpus: problems with 20 or more tests and at least two wrong Python programs that
all tests together kill under our judge. ``verify`` chooses tests by mutants and one half of those
programs (drawn by the seed); the other half, unseen, then runs on the chosen tests. The report has
the median reduction, the pooled kill rate on the unseen half, and each escape. Problems with one
such program, whose tests are chosen by mutants alone, are a separate group. Only labels "confirmed"
and "not_run" count; problems with confirmed labels only come first, as a group of their own. Last
come problems of tests/data/clean.py with 300 tests each.

With --lines each problem's outcome is added to a file at once, and a later run continues it. The
report names what --minutes left unmeasured.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "sandbox"), str(REPOSITORY / "tests" / "data")]

from clean import problems  # noqa: E402

from microcoder_data.reasons import Policy  # noqa: E402
from microcoder_data.recipe import Verify  # noqa: E402
from microcoder_data.verify.programs import ProgramStore  # noqa: E402
from microcoder_data.verify.runner import Runner  # noqa: E402
from microcoder_data.verify.verifier import ProblemVerifier  # noqa: E402
from microcoder_eval.api import Judge  # noqa: E402
from microcoder_eval.formats import problem_from  # noqa: E402
from microcoder_eval.records import Problem, Solution  # noqa: E402

CORPUS = REPOSITORY.parent / "shared" / "data" / "corpus"
_TRUSTED = ("confirmed", "not_run")
Row = dict[str, Any]


def rows_of(name: str) -> list[Row]:
    """Read the rows of a file of the corpus."""
    with gzip.open(CORPUS / name) as file:
        return [json.loads(line) for line in file]


def told(outcomes: Sequence[Row]) -> Row:
    """Summarise a group of problems for the report."""
    measured = [outcome for outcome in outcomes if "chosen" in outcome]
    reductions = [1 - outcome["chosen"] / outcome["tests"] for outcome in measured]
    unseen, killed = (sum(outcome[key] for outcome in measured) for key in ("unseen", "killed"))
    return {
        "problems": len(measured),
        "median_reduction": round(statistics.median(reductions), 4) if reductions else None,
        "unseen_programs": unseen,
        "killed": killed,
        "kill_rate_unseen": round(killed / unseen, 4) if unseen else None,
        "escapes": [name for outcome in measured for name in outcome["escapes"]],
        "left_out": [
            f"{outcome['problem']}: {outcome['why']}" for outcome in outcomes if "why" in outcome
        ],
    }


@dataclass(slots=True)
class Lines:
    """The outcomes of problems, in a file that later runs continue."""

    path: Path | None
    seed: int
    rows_by_problem: dict[str, Row] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.path is not None and self.path.exists():
            rows = map(json.loads, self.path.read_text().splitlines())
            self.rows_by_problem = {row["problem"]: row for row in rows if row["seed"] == self.seed}

    def add(self, row: Row) -> None:
        """Store one outcome."""
        row = {**row, "seed": self.seed}
        self.rows_by_problem[row["problem"]] = row
        print(json.dumps(row), file=sys.stderr, flush=True)
        if self.path is not None:
            with self.path.open("a") as file:
                file.write(json.dumps(row) + "\n")


@dataclass(slots=True)
class Bench:
    """The judge, and the settings that problems are verified with."""

    judge: Judge
    recipe: Verify
    seed: int

    def killed(self, problem: Problem, programs: Sequence[Solution]) -> list[Solution]:
        """Return the programs that do not pass."""
        judgements = Runner(self.judge).judge_programs(problem, programs)
        return [
            p for p, judgement in zip(programs, judgements, strict=True) if not judgement.passed
        ]

    def reduced(self, row: Row) -> Row | None:
        """Return the row with the tests that verify chooses; None if it drops the problem."""
        policy = Policy(kept_names=frozenset({"weak"}))
        verifier = ProblemVerifier(
            Runner(self.judge), ProgramStore(), self.recipe, self.seed, policy
        )
        result = verifier.run(row)
        return None if result.drop is not None else result.row


def measure(bench: Bench, row: Row, right: list[Row], wrong: list[Solution], kind: str) -> Row:
    """Choose tests by a half of the programs, and run the others on them."""
    name = row["problem_id"]
    outcome: Row = {"problem": name, "kind": kind}
    wrong = sorted(wrong, key=lambda program: program.solution_id)
    random.Random(f"{bench.seed}:{name}").shuffle(wrong)
    training, unseen = wrong[: len(wrong) // 2], wrong[len(wrong) // 2 :]
    programs = [{"code": program["code"], "verdict": "AC"} for program in right]
    programs += [{"code": program.code, "verdict": "WA"} for program in training]
    reduced = bench.reduced({**row, "solutions": programs})
    if reduced is None:
        return {**outcome, "why": "its references do not pass"}
    before, after = len(row["tests"]), len(reduced["tests"])
    problem = problem_from({**row, "tests": reduced["tests"], "solutions": []})
    dead = {program.solution_id for program in bench.killed(problem, unseen)}
    names = [program.solution_id for program in unseen if program.solution_id not in dead]
    return {
        **outcome,
        "tests": before,
        "chosen": after,
        "unseen": len(unseen),
        "killed": len(dead),
        "escapes": [f"{program} ({before} tests, {after} chosen)" for program in names],
    }


def corpus(bench: Bench, log: Lines, until: float) -> Row:
    """Measure the groups of the corpus. until: when, by time.monotonic, to start no other one."""
    labels = {solution["solution_id"]: solution for solution in rows_of("labels.jsonl.gz")}
    right: dict[str, list[Row]] = defaultdict(list)
    wrong: dict[str, list[Solution]] = defaultdict(list)
    unsure: set[str] = set()
    for solution in rows_of("solutions.jsonl.gz"):
        label = labels[solution["solution_id"]]
        name = solution["problem_id"]
        if solution["language"] != "python" or label["validation"] not in _TRUSTED:
            continue
        if label["accept"]:
            right[name].append(solution)
        else:
            wrong[name].append(Solution(name, solution["solution_id"], code=solution["code"]))
            unsure |= {name} if label["validation"] != "confirmed" else set()
    rows = [row for row in rows_of("tests.jsonl.gz") if len(row.get("tests") or ()) >= 20]
    rows = [row for row in rows if wrong[row["problem_id"]]]
    rows.sort(key=lambda row: (row["problem_id"] in unsure, len(wrong[row["problem_id"]]) < 2))
    late: list[str] = []
    outcomes: list[Row] = []
    for row in rows:
        name = row["problem_id"]
        if name not in log.rows_by_problem and time.monotonic() > until:
            late.append(name)
            continue
        if name not in log.rows_by_problem:
            killed = bench.killed(replace(problem_from(row), solutions=()), wrong[name])
            kind = ("none", "one")[len(killed)] if len(killed) < 2 else "two"
            outcome = (
                measure(bench, row, right[name][:4], killed, kind)
                if killed
                else {"problem": name, "kind": kind}
            )
            log.add(outcome)
        outcomes.append(log.rows_by_problem[name])
    two = [solution for solution in outcomes if solution["kind"] == "two"]
    return {
        "two or more wrong programs": told(two),
        "of them with confirmed labels alone": told([o for o in two if o["problem"] not in unsure]),
        "one wrong program": told([solution for solution in outcomes if solution["kind"] == "one"]),
        "no wrong program that all tests kill": [
            solution["problem"] for solution in outcomes if solution["kind"] == "none"
        ],
        "not measured for lack of time": late,
    }


def generated(bench: Bench, log: Lines) -> Row:
    """Measure problems of ours with 300 different tests."""
    outcomes: list[Row] = []
    for row in problems(8, bench.seed):
        name = row["problem_id"]
        if name not in log.rows_by_problem:
            log.add(_of_generated(bench, row))
        outcomes.append(log.rows_by_problem[name])
    return told(outcomes)


def _of_generated(bench: Bench, row: Row) -> Row:
    code = row["solutions"][0]["code"]
    tests_by_input = {json.dumps(test["input"]): test for test in row["tests"]}
    inputs = _inputs(row, random.Random(f"{bench.seed}:{row['problem_id']}"))
    tests = [
        tests_by_input.get(json.dumps(arguments), {"input": arguments}) for arguments in inputs
    ]
    filled = {**row, "tests": tests, "solutions": [{"code": code, "verdict": "AC"}] * 2}
    every = bench.recipe.model_copy(update={"max_tests": 0})
    page = ProblemVerifier(Runner(bench.judge), ProgramStore(), every, bench.seed, Policy()).run(
        filled
    )
    assert page.row is not None, page.drop
    page_row = {**page.row, "findings": []}
    wrong = [
        Solution(row["problem_id"], f"{row['problem_id']}#{number}", code=solution["code"])
        for number, solution in enumerate(row["solutions"])
        if solution["verdict"] == "WA"
    ]
    killed = bench.killed(problem_from({**page_row, "solutions": []}), wrong)
    return measure(bench, page_row, row["solutions"][:2], killed, "generated")


def _inputs(row: Row, rng: random.Random) -> list[Any]:
    """Return its inputs and random ones, 300 different ones in all."""
    inputs = [test["input"] for test in row["tests"]]
    while len(inputs) < 300:
        numbers = [rng.randint(-1000, 1000) for _ in range(rng.randint(2, 60))]
        text = f"{len(numbers)}\n{' '.join(map(str, numbers))}\n"
        arguments = text if row["kind"] == "stdin" else [numbers]
        if arguments not in inputs:
            inputs.append(arguments)
    return inputs


def main() -> None:
    """Run and print the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-generated", action="store_true")
    parser.add_argument("--no-corpus", action="store_true")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no problem after")
    parser.add_argument("--lines", metavar="FILE", type=Path, help="outcomes, to go on from")
    parser.add_argument("--out", metavar="FILE")
    args = parser.parse_args()
    report: Row = {"seed": args.seed}
    until = time.monotonic() + 60 * args.minutes
    log = Lines(args.lines, args.seed)
    with Judge() as judge:
        bench = Bench(judge, Verify(), args.seed)
        if not args.no_generated:
            report["generated, 300 tests"] = generated(bench, log)
        if not args.no_corpus and CORPUS.is_dir():
            report |= corpus(bench, log, until)
    print(json.dumps(report, indent=2))
    if args.out:
        Path(args.out).write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
