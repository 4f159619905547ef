"""Does the comparer that ``strengthen`` infers say the same as the checker of a problem's source?

    python benchmarks/inferred_comparers.py [--single 200] [--minutes 30] [--lines FILE]

The checker is hidden, the stage runs, and all known programs are judged twice: by the checker, and
by the comparer that is proposed (where none is, by the judge's default). An outcome is

* agrees: both give every program the same verdict; needless, where the default does so, too;
* none: they do not, and nothing was proposed;
* differs: what was proposed gives another verdict; of a problem with one answer: anything proposed.

Problems: tests/data/strengthen/several_answers.jsonl (written before anyone looked at the
inference); packages of ../shared/data with a checker and two right Python programs; and, for
problems with one answer, those of ../shared/data/corpus with two right programs.

With --lines each outcome is added to a file at once, and a later run continues it.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checkout import REPOSITORY
from corpus import open_packages, read_labelled_programs, read_packages
from measurement import measure_cases
from publication import write_report

from microcoder_data.recipe import Strengthen
from microcoder_data.strengthen.strengthener import ProblemStrengthener
from microcoder_data.verify.programs import ProgramStore
from microcoder_eval.api import Judge
from microcoder_eval.audit.trials import Runner
from microcoder_eval.errors import MicrocoderError
from microcoder_eval.formats import problem_from
from microcoder_eval.records import Solution

OWN = REPOSITORY / "tests" / "data" / "strengthen" / "several_answers.jsonl"
_ONE_ANSWER = ("lcb/atcoder", "kattis/", "lcb/leetcode")  # sources, those surest of it first
_MAX_TESTS = 26  # of a package: the stage looks at the shortest first
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A problem with its checker. kind: of its answers; "single" where there is only one."""

    kind: str
    row: Row


def list_own_cases() -> Iterator[Case]:
    """The problems that were written for this."""
    for line in OWN.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Case(row.pop("answers"), row)


def list_packages() -> list[Case]:
    """The packages with a checker and two right Python programs."""
    with open_packages() as folder:
        return list(_read_packages(folder))


def _read_packages(folder: Path) -> Iterator[Case]:
    for _path, row in read_packages(folder):
        solutions = [one for one in row["solutions"] if one.get("verdict") in ("AC", "WA")]
        right = sum(program.get("verdict") == "AC" for program in solutions)
        checker = row.get("checker") or {}
        is_scored_or_repeated = row.get("groups") or row.get("interactor") or checker.get("passes")
        if right < 2 or not checker or is_scored_or_repeated:
            continue
        tests = row["tests"][:_MAX_TESTS]
        yield Case("package", {**row, "tests": tests, "solutions": solutions})


def list_single_cases(count: int) -> Iterator[Case]:
    """Problems of the corpus with two right programs or more and no special checker."""
    rows: dict[str, Row] = {}
    solutions: dict[str, list[Row]] = defaultdict(list)
    for row, solution, is_right in read_labelled_programs():
        if (row.get("checker") or {"name": "kattis"})["name"] == "kattis":
            rows[row["problem_id"]] = row
            verdict = "AC" if is_right else "WA"
            solutions[row["problem_id"]].append({**solution, "verdict": verdict})
    names = [
        name
        for name, items in solutions.items()
        if sum(item["verdict"] == "AC" for item in items) > 1 and name.startswith(_ONE_ANSWER)
    ]
    names.sort()
    random.Random(1).shuffle(names)
    rank = {source: place for place, source in enumerate(_ONE_ANSWER)}
    names.sort(key=lambda name: min(rank[s] for s in _ONE_ANSWER if name.startswith(s)))
    for name in names[:count]:
        yield Case("single", {**rows[name], "solutions": solutions[name]})


@dataclass(slots=True)
class Bench:
    """The judge that programs run on."""

    judge: Judge
    recipe: Strengthen

    def measure(self, case: Case) -> Row:
        """What is inferred for one problem, and whether it agrees with the checker."""
        verdicts = Counter(program["verdict"] for program in case.row["solutions"])
        outcome: Row = {
            "problem": case.row["problem_id"],
            "kind": case.kind,
            "right": verdicts["AC"],
        }
        outcome["wrong"] = verdicts.total() - verdicts["AC"]
        row = {**case.row, "checker": None}
        try:
            strengthened = self._strengthen(row)
            evidence = strengthened.get("needs_checker", {})
            checker = evidence.get("checker")
            outcome["disagreements"] = len(evidence.get("disagreements", ()))
            outcome["proposal"] = checker
            if case.kind == "single":
                return {**outcome, "outcome": "differs" if checker else "agrees"}
            truth = self._judge(case.row)
            default = self._judge(row)
            verdicts_by_proposal = self._judge({**row, "checker": checker}) if checker else default
        except MicrocoderError as error:
            return {**outcome, "outcome": "failed", "why": str(error)[:200]}
        names = [name for name in truth if truth[name] != verdicts_by_proposal[name]]
        if not names:
            verdict = "needless" if truth == default else "agrees"
        else:
            verdict = "differs" if checker else "none"
        return {**outcome, "outcome": verdict, "other_verdict": names}

    def _strengthen(self, row: Row) -> Row:
        """What the stage notes."""
        result = ProblemStrengthener(Runner(self.judge), ProgramStore(), self.recipe, 1).run(row)
        assert result.row is not None
        facts: Row = result.row["strengthened"]
        return facts

    def _judge(self, row: Row) -> dict[str, bool]:
        """Whether each known program passes."""
        problem = problem_from({**row, "solutions": []})
        solutions = [
            Solution(problem.problem_id, str(item.get("solution_id", place)), item["code"])
            for place, item in enumerate(row["solutions"])
        ]
        judgements = Runner(self.judge).judge_programs(problem, solutions)
        return {
            program.solution_id: judgement.passed
            for program, judgement in zip(solutions, judgements, strict=True)
        }


def summarize(outcomes: list[Row]) -> Row:
    """Counts by kind of answers, and all outcomes but those of single answers that agree."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for outcome in outcomes:
        counts[outcome["kind"]][outcome["outcome"]] += 1
    singles = sorted(o["problem"] for o in outcomes if o["kind"] == "single")
    return {
        "by_kind": {
            kind: dict(sorted(counter.items())) for kind, counter in sorted(counts.items())
        },
        "single_with_disagreement": sorted(
            o["problem"] for o in outcomes if o["kind"] == "single" and o.get("disagreements")
        ),
        "problems": sorted(
            (o for o in outcomes if o["kind"] != "single" or o["outcome"] != "agrees"),
            key=lambda outcome: outcome["problem"],
        ),
        "single": singles,
    }


def main() -> None:
    """Measure, print and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--single", type=int, default=200, help="problems of the corpus")
    parser.add_argument("--only", default="", help="only problems whose name has this in it")
    parser.add_argument("--minutes", type=float, default=1e9, help="start no problem after this")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--lines", type=Path)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    stop_time = time.monotonic() + 60 * args.minutes
    outcomes: list[Row] = []
    if args.lines and args.lines.exists():
        outcomes = [json.loads(line) for line in args.lines.read_text().splitlines()]
    known = {outcome["problem"] for outcome in outcomes}
    cases = [
        case
        for case in [*list_own_cases(), *list_packages(), *list_single_cases(args.single)]
        if case.row["problem_id"] not in known and args.only in case.row["problem_id"]
    ]
    with Judge(workers=args.workers, stop="never") as judge:
        bench = Bench(judge, Strengthen())
        measured, unmeasured = measure_cases(
            cases, bench.measure, args.workers, stop_time, args.lines
        )
    outcomes += measured
    write_report(
        "inferred_comparers", {**summarize(outcomes), "unmeasured_problems": unmeasured}, args.out
    )


if __name__ == "__main__":
    main()
