"""How many tests can go, and what does that let through?

    python benchmarks/test_reduction.py [--seed 1] [--no-generated] [--lines FILE] [--out FILE]

On ../shared/data/corpus: problems with 20 or more tests and at least two wrong Python programs that
all tests together kill under our judge. Tests are chosen by ``verify`` on mutants and one half of
those programs (drawn by the seed); the other half, unseen, is then run on the tests that were
chosen. Told are the median reduction, the pooled kill rate on the unseen half, and each escape.
Problems with one such program: chosen on mutants alone, told apart. Only labels that say
"confirmed" or "not_run" are taken; problems of which all are confirmed come first, and are told
apart, too. Last, problems of tests/data/clean.py with 300 tests each.

With --lines each problem's outcome is added to a file as soon as it is known, and a later run goes
on after what is there. What was not measured when a run ends by --minutes is named in the report.
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

from microcoder_eval.api import Judge  # noqa: E402
from microcoder_eval.data.reasons import Policy  # noqa: E402
from microcoder_eval.data.recipe import Verify  # noqa: E402
from microcoder_eval.data.verify.programs import Shelf  # noqa: E402
from microcoder_eval.data.verify.runner import Runner  # noqa: E402
from microcoder_eval.data.verify.stage import Visit  # noqa: E402
from microcoder_eval.formats import problem_from  # noqa: E402
from microcoder_eval.records import Problem, Solution  # noqa: E402

CORPUS = REPOSITORY.parent / "shared" / "data" / "corpus"
_TRUSTED = ("confirmed", "not_run")
Row = dict[str, Any]


def rows_of(name: str) -> list[Row]:
    """The rows of a file of the corpus."""
    with gzip.open(CORPUS / name) as file:
        return [json.loads(line) for line in file]


def told(outcomes: Sequence[Row]) -> Row:
    """A group of problems, for the report."""
    measured = [one for one in outcomes if "chosen" in one]
    reductions = [1 - one["chosen"] / one["tests"] for one in measured]
    unseen, killed = (sum(one[key] for one in measured) for key in ("unseen", "killed"))
    return {
        "problems": len(measured),
        "median_reduction": round(statistics.median(reductions), 4) if reductions else None,
        "unseen_programs": unseen,
        "killed": killed,
        "kill_rate_unseen": round(killed / unseen, 4) if unseen else None,
        "escapes": [name for one in measured for name in one["escapes"]],
        "left_out": [f"{one['problem']}: {one['why']}" for one in outcomes if "why" in one],
    }


@dataclass(slots=True)
class Lines:
    """The outcomes of problems, kept in a file from run to run."""

    path: Path | None
    seed: int
    known: dict[str, Row] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.path is not None and self.path.exists():
            rows = map(json.loads, self.path.read_text().splitlines())
            self.known = {row["problem"]: row for row in rows if row["seed"] == self.seed}

    def add(self, row: Row) -> None:
        """Keep one outcome."""
        row = {**row, "seed": self.seed}
        self.known[row["problem"]] = row
        print(json.dumps(row), file=sys.stderr, flush=True)
        if self.path is not None:
            with self.path.open("a") as file:
                file.write(json.dumps(row) + "\n")


@dataclass(slots=True)
class Bench:
    """A judge, and what a problem is verified with."""

    judge: Judge
    recipe: Verify
    seed: int

    def killed(self, problem: Problem, programs: Sequence[Solution]) -> list[Solution]:
        """Those that do not pass."""
        judgements = Runner(self.judge).judged(problem, programs)
        return [p for p, one in zip(programs, judgements, strict=True) if not one.passed]

    def reduced(self, row: Row) -> Row | None:
        """The row with the tests that verify chooses; None where it drops the problem."""
        policy = Policy(keep=frozenset({"weak"}))
        visit = Visit(Runner(self.judge), Shelf(), self.recipe, self.seed, policy)
        page = visit.of(row)
        return None if page.drop is not None else page.row


def measure(bench: Bench, row: Row, right: list[Row], wrong: list[Solution], kind: str) -> Row:
    """Choose on a half (none of a single program), and run the others on what was chosen."""
    name = row["problem_id"]
    outcome: Row = {"problem": name, "kind": kind}
    wrong = sorted(wrong, key=lambda one: one.solution_id)
    random.Random(f"{bench.seed}:{name}").shuffle(wrong)
    seen, unseen = wrong[: len(wrong) // 2], wrong[len(wrong) // 2 :]
    programs = [{"code": one["code"], "verdict": "AC"} for one in right]
    programs += [{"code": one.code, "verdict": "WA"} for one in seen]
    reduced = bench.reduced({**row, "solutions": programs})
    if reduced is None:
        return {**outcome, "why": "its references do not pass"}
    before, after = len(row["tests"]), len(reduced["tests"])
    problem = problem_from({**row, "tests": reduced["tests"], "solutions": []})
    dead = {one.solution_id for one in bench.killed(problem, unseen)}
    names = [one.solution_id for one in unseen if one.solution_id not in dead]
    return {
        **outcome,
        "tests": before,
        "chosen": after,
        "unseen": len(unseen),
        "killed": len(dead),
        "escapes": [f"{one} ({before} tests, {after} chosen)" for one in names],
    }


def corpus(bench: Bench, kept: Lines, until: float) -> Row:
    """The groups of the corpus. until: when, by time.monotonic, no other problem is begun."""
    labels = {one["solution_id"]: one for one in rows_of("labels.jsonl.gz")}
    right: dict[str, list[Row]] = defaultdict(list)
    wrong: dict[str, list[Solution]] = defaultdict(list)
    unsure: set[str] = set()
    for one in rows_of("solutions.jsonl.gz"):
        label = labels[one["solution_id"]]
        name = one["problem_id"]
        if one["language"] != "python" or label["validation"] not in _TRUSTED:
            continue
        if label["accept"]:
            right[name].append(one)
        else:
            wrong[name].append(Solution(name, one["solution_id"], code=one["code"]))
            unsure |= {name} if label["validation"] != "confirmed" else set()
    rows = [row for row in rows_of("tests.jsonl.gz") if len(row.get("tests") or ()) >= 20]
    rows = [row for row in rows if wrong[row["problem_id"]]]
    rows.sort(key=lambda row: (row["problem_id"] in unsure, len(wrong[row["problem_id"]]) < 2))
    late: list[str] = []
    outcomes: list[Row] = []
    for row in rows:
        name = row["problem_id"]
        if name not in kept.known and time.monotonic() > until:
            late.append(name)
            continue
        if name not in kept.known:
            killed = bench.killed(replace(problem_from(row), solutions=()), wrong[name])
            kind = ("none", "one")[len(killed)] if len(killed) < 2 else "two"
            outcome = (
                measure(bench, row, right[name][:4], killed, kind)
                if killed
                else {"problem": name, "kind": kind}
            )
            kept.add(outcome)
        outcomes.append(kept.known[name])
    two = [one for one in outcomes if one["kind"] == "two"]
    return {
        "two or more wrong programs": told(two),
        "of them with confirmed labels alone": told([o for o in two if o["problem"] not in unsure]),
        "one wrong program": told([one for one in outcomes if one["kind"] == "one"]),
        "no wrong program that all tests kill": [
            one["problem"] for one in outcomes if one["kind"] == "none"
        ],
        "not measured for lack of time": late,
    }


def generated(bench: Bench, kept: Lines) -> Row:
    """Problems of ours with 300 different tests."""
    outcomes: list[Row] = []
    for row in problems(8, bench.seed):
        name = row["problem_id"]
        if name not in kept.known:
            kept.add(_of_generated(bench, row))
        outcomes.append(kept.known[name])
    return told(outcomes)


def _of_generated(bench: Bench, row: Row) -> Row:
    code = row["solutions"][0]["code"]
    known = {json.dumps(test["input"]): test for test in row["tests"]}
    inputs = _inputs(row, random.Random(f"{bench.seed}:{row['problem_id']}"))
    tests = [known.get(json.dumps(given), {"input": given}) for given in inputs]
    filled = {**row, "tests": tests, "solutions": [{"code": code, "verdict": "AC"}] * 2}
    every = bench.recipe.model_copy(update={"max_tests": 0})
    page = Visit(Runner(bench.judge), Shelf(), every, bench.seed, Policy()).of(filled)
    assert page.row is not None, page.drop
    whole = {**page.row, "findings": []}
    wrong = [
        Solution(row["problem_id"], f"{row['problem_id']}#{number}", code=one["code"])
        for number, one in enumerate(row["solutions"])
        if one["verdict"] == "WA"
    ]
    killed = bench.killed(problem_from({**whole, "solutions": []}), wrong)
    return measure(bench, whole, row["solutions"][:2], killed, "generated")


def _inputs(row: Row, chance: random.Random) -> list[Any]:
    """Its own inputs and random ones, 300 in all, none twice."""
    inputs = [test["input"] for test in row["tests"]]
    while len(inputs) < 300:
        numbers = [chance.randint(-1000, 1000) for _ in range(chance.randint(2, 60))]
        text = f"{len(numbers)}\n{' '.join(map(str, numbers))}\n"
        given = text if row["kind"] == "stdin" else [numbers]
        if given not in inputs:
            inputs.append(given)
    return inputs


def main() -> None:
    """Run it and print the report."""
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
    kept = Lines(args.lines, args.seed)
    with Judge() as judge:
        bench = Bench(judge, Verify(), args.seed)
        if not args.no_generated:
            report["generated, 300 tests"] = generated(bench, kept)
        if not args.no_corpus and CORPUS.is_dir():
            report |= corpus(bench, kept, until)
    print(json.dumps(report, indent=2))
    if args.out:
        Path(args.out).write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
