"""Measures whom added tests refuse: programs with known truth that pass the stored tests.

    python benchmarks/strengthen.py CASES... --split build|tune|test|all
        [--every 1] [--minutes 20] [--lines FILE] [--out FILE]

CASES are files of benchmarks/strengthen_cases.py. Problems are divided by name into ``build``
(40 %), ``tune`` (30 %) and ``test`` (30 %). Programs that are copies but for names and layout count
once. Of each set: how many wrong programs (they pass the stored tests and fail the full ones) and
how many right ones an added test refuses, with 95 % intervals (Wilson).
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measurement import measure_cases
from publication import write_report

from microcoder_data.recipe import Strengthen
from microcoder_data.strengthen.strengthener import ProblemStrengthener
from microcoder_data.strengthen.voting import find_originals
from microcoder_data.verify.programs import ProgramStore
from microcoder_eval.api import Judge
from microcoder_eval.audit.labelled_programs import Program
from microcoder_eval.audit.trials import Runner
from microcoder_eval.errors import MicrocoderError
from microcoder_eval.formats import problem_from
from microcoder_eval.records import Solution, Verdict

Row = dict[str, Any]


@dataclass(slots=True)
class Bench:
    """The judge, the recipe and the seed."""

    judge: Judge
    recipe: Strengthen
    seed: int

    def measure(self, case: Row) -> Row:
        """Strengthen one problem, and judge its programs."""
        facts, added = self._strengthen(case)
        return {
            "set": case["set"],
            "split": case["split"],
            "problem": case["row"]["problem_id"],
            **facts,
            "programs": self._try(case["row"], added, select_originals(case)),
        }

    def _strengthen(self, case: Row) -> tuple[Row, list[Row]]:
        """What was done, and the added tests."""
        row, name = case["row"], case["row"]["problem_id"]
        store = ProgramStore()
        store.programs.by_problem[name] = [
            Program(Solution(name, f"reference{number}", code), label="AC")
            for number, code in enumerate(case["references"])
        ]
        start = time.perf_counter()
        strengthener = ProblemStrengthener(Runner(self.judge), store, self.recipe, self.seed)
        try:
            result = strengthener.run(row)
        except MicrocoderError as error:
            return {"why": str(error)[:200]}, []
        assert result.row is not None
        added = result.row["tests"][len(row["tests"]) :]
        facts = {**result.row.get("strengthened", {}), "findings": result.row.get("findings", [])}
        return {**facts, "seconds": round(time.perf_counter() - start, 2)}, added

    def _try(self, row: Row, added: list[Row], programs: list[Row]) -> list[Row]:
        """Whether an added test refuses each program, and the first that does."""
        results = []
        runner = Runner(self.judge.with_changes(stop="first_failure"))
        problem = problem_from({**row, "tests": added, "solutions": []}) if added else None
        for program in programs:
            facts = {key: program.get(key) for key in ("id", "model", "right", "slow")}
            facts["refused"] = False
            if problem is not None:
                solution = Solution(row["problem_id"], program["id"], program["code"])
                judgement = runner.judge_programs(problem, [solution])[0]
                for test, result in zip(added, judgement.tests, strict=False):
                    if result is not None and result.verdict is not Verdict.AC:
                        facts |= {"refused": True, "verdict": str(result.verdict)}
                        facts |= {"input": str(test["input"])[:160], "origin": test["origin"]}
                        facts |= {"expected": str(test["output"])[:80]}
                        facts["detail"] = (result.detail or "")[:120]
                        break
            results.append(facts)
        return results


def select_originals(case: Row) -> list[Row]:
    """The programs of a case, without copies of one another or of a reference."""
    programs = [Solution("", "reference", code) for code in case["references"]]
    programs += [
        Solution("", str(place), program["code"]) for place, program in enumerate(case["programs"])
    ]
    kept = {one.solution_id for one in find_originals(programs)}
    return [program for place, program in enumerate(case["programs"]) if str(place) in kept]


def bound_share(count: int, total: int) -> list[float]:
    """The 95 % interval of a share (Wilson), in per cent."""
    if not total:
        return [0.0, 100.0]
    z, share = 1.96, count / total
    centre = share + z * z / (2 * total)
    reach = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    return [round(100 * (centre - reach) / scale, 2), round(100 * (centre + reach) / scale, 2)]


def summarize(outcomes: Sequence[Row]) -> Row:
    """The figures of each set."""
    names = sorted({outcome["set"] for outcome in outcomes})
    return {name: _summarize([one for one in outcomes if one["set"] == name]) for name in names}


def _summarize(outcomes: Sequence[Row]) -> Row:
    programs = [
        {**program, "problem": outcome["problem"]}
        for outcome in outcomes
        for program in outcome["programs"]
    ]
    figures: Row = {
        "problems": len(outcomes),
        "with_added_tests": sum(bool(outcome.get("added")) for outcome in outcomes),
        "added_tests": sum(outcome.get("added", 0) for outcome in outcomes),
    }
    for label, is_right in (("wrong", False), ("right", True)):
        group = [one for one in programs if one["right"] is is_right]
        refused = [one for one in group if one.get("refused")]
        figures[label] = {
            "programs": len(group),
            "refused": len(refused),
            "interval": bound_share(len(refused), len(group)),
        }
        if is_right:
            figures[label]["refusals"] = refused
    reasons = [outcome.get("skipped") or outcome.get("why") for outcome in outcomes]
    figures["not_strengthened"] = {
        str(reason): reasons.count(reason) for reason in dict.fromkeys(filter(None, reasons))
    }
    return figures


def main() -> None:
    """Measure, print and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--split", required=True)
    parser.add_argument("--every", type=int, default=1, help="a part of the problems")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--lines", type=Path)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    stop_time = time.monotonic() + 60 * args.minutes
    cases = [
        json.loads(line)
        for path in args.cases
        for line in path.read_text().splitlines()
        if args.split in (json.loads(line)["split"], "all")
    ]
    cases = [case for case in cases if case["programs"]][:: args.every]
    random.Random(args.seed).shuffle(cases)  # what a limit of time leaves out is a fair sample
    with Judge(workers=args.workers, stop="never") as judge:
        bench = Bench(judge, Strengthen(), args.seed)
        outcomes, unmeasured = measure_cases(
            cases, bench.measure, args.workers, stop_time, args.lines
        )
    facts = {"split": args.split, "seed": args.seed, "unmeasured": unmeasured}
    write_report("strengthen", {**facts, "sets": summarize(outcomes)}, args.out)


if __name__ == "__main__":
    main()
