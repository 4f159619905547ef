"""Measures whom added tests refuse: programs with known truth that pass the stored tests.

    python benchmarks/strengthen.py CASES... --split build|tune|test [--witnesses 0 3 5 10]
        [--every 1] [--minutes 20] [--lines FILE] [--out FILE]

CASES are files of benchmarks/strengthen_cases.py. Problems are divided by name into ``build``
(40 %, read while the stage is written), ``tune`` (30 %, read for defaults) and ``test`` (30 %, run
once at the end). Models are divided in two: witnesses of the programs of one half are samples of
the other half, as they come, right and wrong, so no program judges itself, nor does its model.
Programs that are copies but for names and layout count once. Of each set and number of witnesses:
how many wrong programs (they pass the stored tests and fail the full ones) and how many right ones
an added test refuses, with 95 % intervals (Wilson).
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
from microcoder_data.strengthen.voting import find_originals
from microcoder_data.verify.programs import ProgramStore
from microcoder_eval.api import Judge
from microcoder_eval.audit.programs import Program
from microcoder_eval.audit.trials import Runner
from microcoder_eval.errors import MicrocoderError
from microcoder_eval.formats import problem_from
from microcoder_eval.records import Solution, Verdict

Row = dict[str, Any]


@dataclass(slots=True)
class Bench:
    """The judge, the recipe, the seed, and the numbers of witnesses."""

    judge: Judge
    recipe: Strengthen
    seed: int
    counts: Sequence[int]

    def measure(self, case: Row) -> Row:
        """Strengthen one problem with each number of witnesses, and judge its programs."""
        programs = select_originals(case)
        models = sorted({program["model"] for program in programs})
        runs: list[Row] = []
        results: dict[tuple[str, ...], tuple[Row, list[Row]]] = {}
        for count in self.counts:
            for half in (models[::2], models[1::2]):
                judged = [program for program in programs if program["model"] in half]
                others = [program for program in programs if program["model"] not in half]
                random.Random(f"{self.seed} {case['row']['problem_id']}").shuffle(others)
                if not judged:
                    continue
                key = tuple(program["code"] for program in others[:count])
                if key not in results:
                    results[key] = self._strengthen(case, key)
                facts, added = results[key]
                refused = self._try(case["row"], added, judged)
                runs.append({**facts, "wanted": count, "programs": refused})
        return {
            "set": case["set"],
            "split": case["split"],
            "problem": case["row"]["problem_id"],
            "runs": runs,
        }

    def _strengthen(self, case: Row, witnesses: Sequence[str]) -> tuple[Row, list[Row]]:
        """What was done, and the added tests."""
        row, name = case["row"], case["row"]["problem_id"]
        store = ProgramStore()
        store.programs.by_problem[name] = [
            Program(Solution(name, f"reference{number}", code), label="AC")
            for number, code in enumerate(case["references"])
        ] + [
            Program(Solution(name, f"witness{number}", code))
            for number, code in enumerate(witnesses)
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


def summarize(outcomes: Sequence[Row], counts: Sequence[int]) -> Row:
    """The figures of each set and number of witnesses."""
    report: Row = {}
    for name in sorted({outcome["set"] for outcome in outcomes}):
        members = [outcome for outcome in outcomes if outcome["set"] == name]
        report[name] = {"problems": len(members)}
        for count in counts:
            runs = [
                {**run, "problem": member["problem"]}
                for member in members
                for run in member["runs"]
                if run["wanted"] == count
            ]
            report[name][f"{count} witnesses"] = _summarize_runs(runs)
    return report


def _summarize_runs(runs: Sequence[Row]) -> Row:
    programs = [
        {**program, "problem": run["problem"]} for run in runs for program in run["programs"]
    ]
    figures: Row = {
        "witnesses": round(sum(run.get("witnesses", 0) for run in runs) / max(1, len(runs)), 1),
        "with_added_tests": sum(bool(run.get("added")) for run in runs),
        "added_tests": sum(run.get("added", 0) for run in runs),
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
    reasons = [run.get("skipped") or run.get("why") for run in runs]
    figures["not_strengthened"] = {
        str(reason): reasons.count(reason) for reason in dict.fromkeys(filter(None, reasons))
    }
    return figures


def main() -> None:
    """Measure, print and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--split", required=True)
    parser.add_argument("--witnesses", type=int, nargs="+", default=[0, 3, 5, 10])
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
    recipe = Strengthen(witnesses=max(args.witnesses))
    with Judge(workers=args.workers, stop="never") as judge:
        bench = Bench(judge, recipe, args.seed, args.witnesses)
        outcomes, unmeasured = measure_cases(
            cases, bench.measure, args.workers, stop_time, args.lines
        )
    facts = {"split": args.split, "seed": args.seed, "commit": read_commit()}
    report = {"machine": describe_machine(), **facts, "unmeasured": unmeasured}
    report |= {"sets": summarize(outcomes, args.witnesses)}
    print(json.dumps(report, indent=1))
    if args.out:
        args.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
