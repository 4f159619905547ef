"""Measures whom added tests refuse: programs with known truth that pass the stored tests.

    python benchmarks/strengthen.py CASES... --split build|tune|test [--risks 0 1 2] [--every 1]
        [--minutes 20] [--lines FILE] [--out FILE]

CASES are files of benchmarks/strengthen_cases.py. Problems are divided by name into ``build``
(40 %, read while the stage is written), ``tune`` (30 %, read once, for defaults) and ``test``
(30 %, run once at the end). Added tests are chosen by mutants of the references alone. Of each set:
how many wrong programs (they pass the stored tests and fail the full ones) and how many right ones
an added test refuses, with 95 % intervals (Wilson). --risks: the recipe's, for the curve of both.
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

from common import describe_machine, measure_cases, read_commit

from microcoder_data.recipe import Strengthen
from microcoder_data.strengthen.strengthener import ProblemStrengthener
from microcoder_data.verify.programs import ProgramStore
from microcoder_eval.api import Judge
from microcoder_eval.audit.programs import Program
from microcoder_eval.audit.runner import Runner, UnjudgeableProblemError
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
        """Strengthen one problem and run its programs on what was added."""
        row, name = case["row"], case["row"]["problem_id"]
        outcome: Row = {"set": case["set"], "split": case["split"], "problem": name}
        store = ProgramStore()
        store.programs.by_problem[name] = [
            Program(Solution(name, f"reference{number}", code))
            for number, code in enumerate(case["references"])
        ]
        runner = Runner(self.judge)
        start = time.perf_counter()
        try:
            result = ProblemStrengthener(runner, store, self.recipe, self.seed).run(row)
            assert result.row is not None
            added = result.row["tests"][len(row["tests"]) :]
            seconds = time.perf_counter() - start
            programs = self._try(row, added, case["programs"])
        except (MicrocoderError, UnjudgeableProblemError) as error:
            return {**outcome, "why": str(error)[:200], "programs": case["programs"]}
        facts = result.row.get("strengthened", {})
        return {**outcome, **facts, "seconds": round(seconds, 2), "programs": programs}

    def _try(self, row: Row, added: list[Row], programs: list[Row]) -> list[Row]:
        """Whether an added test refuses each program, and the first that does."""
        results = []
        runner = Runner(self.judge.with_options(time_scale=self.judge.options.time_scale))
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
    report: Row = {}
    for name in sorted({outcome["set"] for outcome in outcomes}):
        members = [outcome for outcome in outcomes if outcome["set"] == name]
        programs = [
            {**program, "problem": one["problem"]} for one in members for program in one["programs"]
        ]
        figures: Row = {
            "problems": len(members),
            "with_added_tests": sum(bool(one.get("added")) for one in members),
            "added_tests": sum(one.get("added", 0) for one in members),
            "with_large_tests": sum(bool(one.get("large")) for one in members),
            "seconds": round(sum(one.get("seconds", 0) for one in members), 1),
        }
        for label, is_right in (("wrong", False), ("right", True)):
            group = [one for one in programs if one["right"] is is_right]
            refused = [one for one in group if one.get("refused")]
            models = sorted({one["model"] for one in group})
            figures[label] = {
                "programs": len(group),
                "refused": len(refused),
                "interval": bound_share(len(refused), len(group)),
                "by_model": {
                    model: [
                        sum(one["model"] == model for one in refused),
                        sum(one["model"] == model for one in group),
                    ]
                    for model in models
                },
            }
            if is_right:
                figures[label]["refusals"] = refused
        reasons = [one.get("skipped") or one.get("why") for one in members]
        figures["not_strengthened"] = {
            str(reason): reasons.count(reason) for reason in dict.fromkeys(filter(None, reasons))
        }
        report[name] = figures
    return report


def main() -> None:
    """Measure, print and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--split", required=True)
    parser.add_argument("--risks", type=int, nargs="+")
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
        if json.loads(line)["split"] == args.split
    ]
    cases = [case for case in cases if case["programs"]][:: args.every]
    random.Random(args.seed).shuffle(cases)  # what a limit of time leaves out is a fair sample
    recipe = Strengthen(risks=tuple(args.risks)) if args.risks else Strengthen()
    with Judge(workers=args.workers, stop="never") as judge:
        bench = Bench(judge, recipe, args.seed)
        outcomes, unmeasured = measure_cases(
            cases, bench.measure, args.workers, stop_time, args.lines
        )
    facts = {"split": args.split, "risks": recipe.risks, "seed": args.seed, "commit": read_commit()}
    report = {"machine": describe_machine(), **facts, "unmeasured": unmeasured}
    report |= {"sets": summarize(outcomes)}
    print(json.dumps(report, indent=1))
    if args.out:
        args.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
