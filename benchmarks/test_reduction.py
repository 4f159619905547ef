"""How many tests can go, and what does that let through?

    python benchmarks/test_reduction.py [--seed 1] [--no-generated] [--out FILE]

On ../shared/data/corpus: problems with 20 or more tests and at least two wrong Python programs that
all tests together kill under our judge. Tests are chosen by ``verify`` on mutants and one half of
those programs (drawn by the seed); the other half, unseen, is then run on the tests that were
chosen. Told are the median reduction, the pooled kill rate on the unseen half, and each escape.
Problems with one such program: chosen on mutants alone, told apart. Only labels that say
"confirmed" or "not_run" are taken. Last, problems of tests/data/clean.py with 300 tests each.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import statistics
import sys
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


def lines(name: str) -> list[Row]:
    """The rows of a file of the corpus."""
    with gzip.open(CORPUS / name) as file:
        return [json.loads(line) for line in file]


@dataclass(slots=True)
class Outcome:
    """What the choice of tests did in some problems."""

    reductions: list[float] = field(default_factory=list)
    unseen: int = 0
    killed: int = 0
    escapes: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def told(self) -> Row:
        """For the report."""
        rate = self.killed / self.unseen if self.unseen else None
        return {
            "problems": len(self.reductions),
            "median_reduction": round(statistics.median(self.reductions), 4)
            if self.reductions
            else None,
            "unseen_programs": self.unseen,
            "kill_rate_unseen": None if rate is None else round(rate, 4),
            "escapes": self.escapes,
            "left_out": self.left_out,
        }


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


def measure(bench: Bench, row: Row, right: list[Row], wrong: list[Solution], outcome: Outcome,
            chance: random.Random) -> None:  # fmt: skip
    """Choose on a half (none of a single program), and run the others on what was chosen."""
    wrong = sorted(wrong, key=lambda one: one.solution_id)
    chance.shuffle(wrong)
    seen, unseen = wrong[: len(wrong) // 2], wrong[len(wrong) // 2 :]
    programs = [{"code": one["code"], "verdict": "AC"} for one in right]
    programs += [{"code": one.code, "verdict": "WA"} for one in seen]
    reduced = bench.reduced({**row, "solutions": programs})
    if reduced is None:
        outcome.left_out.append(f"{row['problem_id']}: its references do not pass")
        return
    before, after = len(row["tests"]), len(reduced["tests"])
    outcome.reductions.append(1 - after / before)
    problem = problem_from({**row, "tests": reduced["tests"], "solutions": []})
    dead = {one.solution_id for one in bench.killed(problem, unseen)}
    outcome.unseen += len(unseen)
    outcome.killed += len(dead)
    for one in unseen:
        if one.solution_id not in dead:
            outcome.escapes.append(f"{one.solution_id} ({before} tests, {after} chosen)")
    told = (
        f"{row['problem_id']}: {before} tests, {after} chosen; {len(dead)} of {len(unseen)} unseen"
    )
    print(f"{told} wrong programs killed", file=sys.stderr, flush=True)


def corpus(bench: Bench) -> Row:
    """The two groups of the corpus."""
    labels = {one["solution_id"]: one for one in lines("labels.jsonl.gz")}
    right: dict[str, list[Row]] = defaultdict(list)
    wrong: dict[str, list[Solution]] = defaultdict(list)
    for one in lines("solutions.jsonl.gz"):
        label = labels[one["solution_id"]]
        if one["language"] != "python" or label["validation"] not in _TRUSTED:
            continue
        if label["accept"]:
            right[one["problem_id"]].append(one)
        else:
            wrong[one["problem_id"]].append(
                Solution(one["problem_id"], one["solution_id"], code=one["code"])
            )
    groups = {"two or more wrong programs": Outcome(), "one wrong program": Outcome()}
    chance = random.Random(bench.seed)
    rows = [row for row in lines("tests.jsonl.gz") if len(row.get("tests") or ()) >= 20]
    for row in sorted(rows, key=lambda row: -min(2, len(wrong[row["problem_id"]]))):
        name = row["problem_id"]
        if not wrong[name]:
            continue
        killed = bench.killed(replace(problem_from(row), solutions=()), wrong[name])
        if not killed:
            continue
        group = "two or more wrong programs" if len(killed) > 1 else "one wrong program"
        measure(bench, row, right[name][:4], killed, groups[group], chance)
    return {name: outcome.told() for name, outcome in groups.items()}


def generated(bench: Bench) -> Row:
    """Problems of ours with 300 different tests."""
    chance = random.Random(bench.seed)
    outcome = Outcome()
    for row in problems(8, bench.seed):
        code = row["solutions"][0]["code"]
        inputs = _inputs(row, chance)
        known = {json.dumps(test["input"]): test for test in row["tests"]}
        tests = [known.get(json.dumps(given), {"input": given}) for given in inputs]
        filled = {**row, "tests": tests, "solutions": [{"code": code, "verdict": "AC"}] * 2}
        visit = Visit(Runner(bench.judge), Shelf(), bench.recipe.model_copy(
            update={"max_tests": 0}), bench.seed, Policy())  # fmt: skip
        page = visit.of(filled)
        assert page.row is not None, page.drop
        whole = {**page.row, "findings": []}
        wrong = [
            Solution(row["problem_id"], f"{row['problem_id']}#{number}", code=one["code"])
            for number, one in enumerate(row["solutions"])
            if one["verdict"] == "WA"
        ]
        killed = bench.killed(problem_from({**whole, "solutions": []}), wrong)
        measure(bench, whole, row["solutions"][:2], killed, outcome, chance)
    return outcome.told()


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
    parser.add_argument("--out", metavar="FILE")
    args = parser.parse_args()
    report: Row = {}
    with Judge() as judge:
        bench = Bench(judge, Verify(), args.seed)
        if not args.no_generated:
            report["generated, 300 tests"] = generated(bench)
        if not args.no_corpus and CORPUS.is_dir():
            report |= corpus(bench)
    print(json.dumps(report, indent=2))
    if args.out:
        Path(args.out).write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
