"""Measures whom added tests refuse: wrong programs that pass all stored tests, and right ones.

    python benchmarks/strengthen.py [--held-out 100] [--minutes 20] [--lines FILE] [--out FILE]

On ../shared/data/corpus. Added tests are chosen by mutants of right programs alone.

* unconfirmed: programs with a label "wrong" that pass all stored tests of their problem, where the
  problem has a right program. How many does an added test refuse?
* held out: of problems with two right programs or more (drawn by --seed) the last one is hidden
  from generation and choice. How many does an added test refuse? Each is named with its test.

Many unconfirmed labels come from an evaluator that runs a program inside its own process: it does
not wait for threads, and cannot give a file to open(0). ``evaluator_artefact`` marks programs with
either; they may well be right, and the figures are given with and without them.

With --lines each outcome is added to a file at once, and a later run continues it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "sandbox"), str(REPOSITORY / "benchmarks")]

from common import describe_machine, measure_cases  # noqa: E402

from microcoder_data.reasons import Policy  # noqa: E402
from microcoder_data.recipe import Strengthen, Verify  # noqa: E402
from microcoder_data.strengthen.strengthener import ProblemStrengthener  # noqa: E402
from microcoder_data.verify.programs import ProgramStore  # noqa: E402
from microcoder_data.verify.verifier import ProblemVerifier  # noqa: E402
from microcoder_eval.api import Judge  # noqa: E402
from microcoder_eval.audit.programs import Program  # noqa: E402
from microcoder_eval.audit.runner import Runner, UnjudgeableProblemError  # noqa: E402
from microcoder_eval.errors import MicrocoderError  # noqa: E402
from microcoder_eval.formats import problem_from  # noqa: E402
from microcoder_eval.records import Solution, Verdict  # noqa: E402

CORPUS = REPOSITORY.parent / "shared" / "data" / "corpus"
_TRUSTED = ("confirmed", "not_run")
_ARTEFACT = re.compile(r"Thread\(|open\(0\)|/dev/stdin")
Row = dict[str, Any]


def read_rows(name: str) -> list[Row]:
    """The rows of a file of the corpus."""
    with gzip.open(CORPUS / name) as file:
        return [json.loads(line) for line in file]


@dataclass(frozen=True, slots=True)
class Case:
    """One problem: its references, and the programs that its added tests are tried on."""

    group: str
    row: Row
    references: list[Row]
    others: list[Row]

    def is_surely_wrong(self) -> bool:
        """Whether it holds wrong programs whose label no artefact explains: these go first."""
        return self.group == "unconfirmed" and not all(
            _ARTEFACT.search(program["code"]) for program in self.others
        )


def list_cases(seed: int, held_out: int) -> list[Case]:
    """All problems with unconfirmed programs, and as many of the held-out group as asked for."""
    rows = {row["problem_id"]: row for row in read_rows("tests.jsonl.gz")}
    labels = {row["solution_id"]: row for row in read_rows("labels.jsonl.gz")}
    right, unconfirmed = defaultdict(list), defaultdict(list)
    for solution in read_rows("solutions.jsonl.gz"):
        label = labels[solution["solution_id"]]
        if solution.get("language", "python") != "python":
            continue
        if label["accept"] and label["validation"] in _TRUSTED:
            right[solution["problem_id"]].append(solution)
        elif not label["accept"] and label["validation"] == "unconfirmed":
            unconfirmed[solution["problem_id"]].append(solution)
    cases = [
        Case("unconfirmed", rows[name], right[name], unconfirmed[name])
        for name in unconfirmed
        if right[name]
    ]
    names = sorted(
        name for name in right if len(right[name]) > 1 and rows[name].get("kind") != "assert"
    )
    random.Random(seed).shuffle(names)
    return cases + [
        Case("held_out", rows[name], right[name][:-1], right[name][-1:])
        for name in names[:held_out]
    ]


@dataclass(slots=True)
class Bench:
    """The judges of both stages, and the seed."""

    judge: Judge
    verify_judge: Judge
    seed: int
    verify_share: float  # of the problems, whose time is compared with verify's

    def measure(self, case: Case) -> Row:
        """Strengthen one problem and run the other programs on what was added."""
        name = case.row["problem_id"]
        outcome: Row = {"group": case.group, "problem": name, "source": name.rpartition("/")[0]}
        store = ProgramStore()
        store.programs.by_problem[name] = [
            Program(_make_solution(reference)) for reference in case.references
        ]
        runner = Runner(self.judge)
        start = time.perf_counter()
        try:
            result = ProblemStrengthener(runner, store, Strengthen(), self.seed).run(case.row)
            seconds = time.perf_counter() - start
            is_timed = random.Random(name).random() < self.verify_share
            timed = {"timed": [seconds, self._verify(case.row, store)]} if is_timed else {}
            assert result.row is not None
            added = result.row["tests"][len(case.row["tests"]) :]
            programs = [self._try(case.row, added, program) for program in case.others]
        except (MicrocoderError, UnjudgeableProblemError) as error:
            return {**outcome, "why": str(error)[:200]}
        return {
            **outcome,
            **result.row.get("strengthened", {}),
            "seconds": round(seconds, 2),
            **timed,
            "programs": programs,
        }

    def _verify(self, row: Row, store: ProgramStore) -> float:
        start = time.perf_counter()
        ProblemVerifier(Runner(self.verify_judge), store, Verify(), self.seed, Policy()).run(row)
        return time.perf_counter() - start

    def _try(self, row: Row, added: list[Row], program: Row) -> Row:
        """Whether an added test refuses a program, and the first that does."""
        facts: Row = {
            "solution": program["solution_id"],
            "evaluator_artefact": bool(_ARTEFACT.search(program["code"])),
            "refused": False,
        }
        if not added:
            return facts
        problem = problem_from({**row, "tests": added, "solutions": []})
        judgement = Runner(self.judge).judge_programs(problem, [_make_solution(program)])[0]
        for test, result in zip(added, judgement.tests, strict=False):
            if result is not None and result.verdict is not Verdict.AC:
                facts |= {
                    "refused": True,
                    "verdict": str(result.verdict),
                    "input": str(test["input"])[:160],
                    "origin": test["origin"],
                    "detail": (result.detail or "")[:120],
                }
                break
        return facts


def _make_solution(row: Row) -> Solution:
    return Solution(row["problem_id"], row["solution_id"], row["code"])


def summarize(outcomes: list[Row]) -> Row:
    """The figures of the report, by group and source."""
    report: Row = {}
    for group in ("unconfirmed", "held_out"):
        members = [outcome for outcome in outcomes if outcome["group"] == group]
        measured = [outcome for outcome in members if "programs" in outcome]
        programs = [
            {**program, "source": outcome["source"]}
            for outcome in measured
            for program in outcome["programs"]
        ]
        genuine = [program for program in programs if not program["evaluator_artefact"]]
        sources = sorted({program["source"] for program in programs})
        report[group] = {
            "problems": len(members),
            "problems_with_added_tests": sum(bool(one.get("added")) for one in measured),
            "added_tests": sum(one.get("added", 0) for one in measured),
            "problems_with_large_tests": sum(bool(one.get("large")) for one in measured),
            "programs": len(programs),
            "refused": sum(program["refused"] for program in programs),
            "programs_without_artefact": len(genuine),
            "refused_without_artefact": sum(program["refused"] for program in genuine),
            "by_source": {
                source: [
                    sum(p["refused"] for p in programs if p["source"] == source),
                    sum(p["source"] == source for p in programs),
                ]
                for source in sources
            },
            "refusals": [program for program in programs if program["refused"]],
            "seconds": round(sum(one["seconds"] for one in measured), 1),
            "seconds_and_those_of_verify": [
                round(sum(one["timed"][stage] for one in measured if "timed" in one), 1)
                for stage in (0, 1)
            ],
            "not_strengthened": {
                one["problem"]: one.get("skipped") or one.get("why")
                for one in members
                if "skipped" in one or "why" in one
            },
        }
    return report


def main() -> None:
    """Measure, print and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--held-out", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verify-share", type=float, default=0.15)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--lines", type=Path)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    stop_time = time.monotonic() + 60 * args.minutes
    outcomes: list[Row] = []
    if args.lines and args.lines.exists():
        outcomes = [json.loads(line) for line in args.lines.read_text().splitlines()]
    known = {(outcome["group"], outcome["problem"]) for outcome in outcomes}
    cases = [
        case
        for case in list_cases(args.seed, args.held_out)
        if (case.group, case.row["problem_id"]) not in known
    ]
    random.Random(args.seed).shuffle(cases)  # what a limit of time leaves out is a fair sample
    cases.sort(key=lambda case: not case.is_surely_wrong())
    with (
        Judge(workers=args.workers, stop="never") as judge,
        Judge(workers=1) as verify_judge,
    ):
        bench = Bench(judge, verify_judge, args.seed, args.verify_share)
        measured, unmeasured = measure_cases(
            cases, bench.measure, args.workers, stop_time, args.lines
        )
    outcomes += measured
    report = {**summarize(outcomes), "unmeasured_problems": unmeasured, "seed": args.seed}
    text = json.dumps({"machine": describe_machine(), **report}, indent=1)
    print(text)
    if args.out:
        args.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
