"""Measures whether the dataset pipeline finds faults that are planted into clean problems.

    python benchmarks/faults/run.py [--seeds 1,2,3] [--each 3] [--no-corpus] [--out NAME]

Clean problems are those of tests/data/clean.py and, if ../shared/data/corpus exists, about as many
of its problems with statements and a right program. For each seed some get one fault each, chosen
by the seed, and all go through collect, process, filter, decontaminate and verify. The report has
for each kind of fault how often the problem was dropped, repaired or flagged for that reason
("found") or otherwise dropped ("dropped"), and how many of the untouched problems were dropped:
false alarms. Exact duplicates within the corpus are removed before, as dropping them is right.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from corpus import CORPUS, read_lines
from publication import describe_run

from faults import FAULTS, Row
from microcoder_data.collect import CollectStage
from microcoder_data.decontaminate.stage import DecontaminateStage
from microcoder_data.execution import RunConfig, run_stage
from microcoder_data.filter.duplicates import compute_duplicate_features
from microcoder_data.filter.stage import FilterStage
from microcoder_data.process.stage import ProcessStage
from microcoder_data.recipe import Recipe, parse_recipe
from microcoder_data.verify.stage import VerifyStage
from microcoder_eval.pool.cores import usable_cores
from tests.data.clean import problems


def corpus_problems(count: int, rng: random.Random) -> list[Row]:
    """Read problems of the shared corpus with a statement and a right program."""
    if not CORPUS.is_dir():
        print("the shared corpus is not there: only our own problems are used", file=sys.stderr)
        return []
    right: dict[str, list[Row]] = defaultdict(list)
    good = {line["solution_id"] for line in read_lines("labels.jsonl.gz") if line["accept"]
            and line["validation"] in ("confirmed", "not_run")}  # fmt: skip
    for line in read_lines("solutions.jsonl.gz"):
        if line["solution_id"] in good and line["language"] == "python":
            right[line["problem_id"]].append({"code": line["code"], "verdict": "AC"})
    rows: list[Row] = []
    keys: set[str | None] = set()
    for row in read_lines("tests.jsonl.gz"):
        key = compute_duplicate_features(row, row.get("statement", ""), 0).get("statement")
        if row.get("statement") and right[row["problem_id"]] and key not in keys:
            keys.add(key)
            rows.append({**row, "solutions": right[row["problem_id"]][:2]})
    rng.shuffle(rows)
    return rows[:count]


def make_evaluation_row(row: Row, way: str) -> Row:
    """Make a problem of the evaluation set: the statement with other numbers, or the tests."""
    tests = [{"input": "1\n", "output": "2\n"}, {"input": "3\n", "output": "4\n"}]
    fields = {"problem_id": f"{row['problem_id']}/eval", "kind": "stdin", "tests": tests}
    if way == "tests":
        return {**row, **fields, "kind": row["kind"], "tests": row["tests"], "solutions": [],
                "statement": "A wholly different story around the very same tests."}  # fmt: skip
    text = row["statement"]
    if way == "renumbered":
        text = re.sub(r"\d+", lambda m: str(int(m[0]) * 3 + 7), text)
    return {**fields, "statement": text}


@dataclass(frozen=True, slots=True)
class Planting:
    """A problem as the stages read it. fault: the name of the one that was planted; None for an
    untouched problem. row: bytes where the line is torn."""

    fault: str | None
    row: Row | bytes

    @property
    def problem_id(self) -> str | None:
        """The problem's name, if it has one."""
        return self.row.get("problem_id") if isinstance(self.row, dict) else None

    def encode(self) -> bytes:
        """Return the problem's line."""
        return self.row if isinstance(self.row, bytes) else json.dumps(self.row).encode()


def plant_faults(
    pool: list[Row], each: int, rng: random.Random, kinds: int | None = None
) -> tuple[list[Planting], list[Row]]:
    """Return all problems in random order, and the evaluation set.

    kinds: how many kinds of faults, chosen at random; None: all.
    """
    pool = list(pool)
    rng.shuffle(pool)
    plantings: list[Planting] = []
    evaluation: list[Row] = []
    anchors = [pool.pop() for _ in range(12)]  # without faults; copies are made of these
    names = sorted(FAULTS) if kinds is None else rng.sample(sorted(FAULTS), kinds)
    for name in names:
        kind = FAULTS[name]
        for _ in range(each):
            for place, row in enumerate(pool):
                other_rows = [rng.choice(anchors), *anchors]
                faulty = kind.plant(deepcopy(row), rng, other_rows) if kind.suits(row) else None
                if faulty is None:
                    continue
                del pool[place]
                if isinstance(faulty, dict) and (way := faulty.pop("evaluation", None)):
                    evaluation.append(make_evaluation_row(faulty, way))
                plantings.append(Planting(name, faulty))
                break
    plantings += [Planting(None, row) for row in (*pool, *anchors)]
    rng.shuffle(plantings)
    # Copies come after their originals, or the pipeline would drop the original.
    plantings.sort(key=lambda planting: planting.fault in
                   ("name_of_another", "copied_statement", "copied_and_retouched", "copy_in_html",
                    "renamed_variables", "copied_in_other_words", "statement_of_another",
                    "tests_of_another"))  # fmt: skip
    return plantings, evaluation


def run_stages(
    lines: Sequence[bytes], evaluation: Sequence[Row], folder: Path, recipe: Recipe
) -> None:
    """Run all stages on some lines; their files are in the folder."""
    (folder / "raw.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    fallback = [{"problem_id": "eval", "kind": "stdin", "statement": "Nothing of that kind.",
                 "tests": [{"input": "-", "output": "-"}]}]  # fmt: skip
    (folder / "eval.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in evaluation or fallback)
    )
    against = recipe.decontaminate.model_copy(update={"against": (str(folder / "eval.jsonl"),)})
    stages = (
        CollectStage(recipe.collect), ProcessStage(recipe.process),
        FilterStage(recipe.filter, recipe.seed), DecontaminateStage(against, 1024),
        VerifyStage(recipe.verify, recipe.seed),
    )  # fmt: skip
    source = "raw.jsonl"
    for stage in stages:
        out = f"{stage.name}.jsonl"
        run_stage(
            stage, RunConfig([str(folder / source)], str(folder / out), workers=usable_cores())
        )
        source = out


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What the stages made of the problems.

    flags: of kept problems. drops: the reasons of dropped ones. nameless: the reasons of those
    without a name of their own. twins: the kept problem that has the program of a dropped one.
    """

    flags: dict[str, list[str]]
    drops: dict[str, str]
    nameless: list[str]
    twins: dict[str, str]


def read_outcomes(folder: Path) -> Outcomes:
    """Read the files of all stages."""
    with (folder / "verify.jsonl").open() as file:
        flags = {row["problem_id"]: row.get("findings", []) for row in map(json.loads, file)}
    outcomes = Outcomes(flags, {}, [], {})
    for path in sorted(folder.glob("*.dropped.jsonl")):
        with path.open() as file:
            for row in map(json.loads, file):
                if row["problem_id"] is None or row["reason"] == "duplicate_id":
                    outcomes.nameless.append(row["reason"])
                else:
                    outcomes.drops[row["problem_id"]] = row["reason"]
                if (row.get("evidence") or {}).get("same") == "programs":
                    outcomes.twins[row["problem_id"]] = row["evidence"]["kept"]
    return outcomes


@dataclass(slots=True)
class Score:
    """Counts of one kind of fault: planted, found for the right reason, only dropped."""

    planted: int = 0
    found: int = 0
    dropped: int = 0


@dataclass(slots=True)
class Report:
    """Scores by fault, descriptions of false alarms and of missed faults, and how many problems
    were untouched."""

    scores: dict[str, Score] = field(default_factory=lambda: defaultdict(Score))
    alarms: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    untouched: int = 0


def run_experiment(
    report: Report,
    seed: int,
    each: int,
    own_count: int,
    foreign: int,
    kinds: int | None = None,
    verify: Row | None = None,
) -> None:
    """Plant faults by a seed, run the stages, and add what they found to a report.

    verify: settings of that stage that are not the defaults.
    """
    rng = random.Random(seed)
    pool = [*problems(own_count, seed), *corpus_problems(foreign, rng)]
    plantings, evaluation = plant_faults(pool, each, rng, kinds)
    window = {"since": "2020-01-01", "until": "2030-01-01"}
    recipe = parse_recipe({"seed": seed, "filter": window, "verify": verify or {}})
    with tempfile.TemporaryDirectory() as name:
        run_stages([one.encode() for one in plantings], evaluation, Path(name), recipe)
        outcomes = read_outcomes(Path(name))
    touched = {planting.problem_id for planting in plantings if planting.fault}
    for planting in plantings:
        key = planting.problem_id or ""
        drop = outcomes.drops.get(key)
        if planting.fault is None:
            report.untouched += 1
            # A planted program of another problem makes two that have it: either may stay.
            if drop is not None and outcomes.twins.get(key) not in touched:
                report.alarms.append(f"seed {seed}: {key}: {drop}")
            continue
        score = report.scores[planting.fault]
        score.planted += 1
        reasons = FAULTS[planting.fault].reasons
        if not key or planting.fault == "name_of_another":
            reason = next((reason for reason in outcomes.nameless if reason in reasons), None)
            if reason is not None:
                outcomes.nameless.remove(reason)
                score.found += 1
                score.dropped += 1
            continue
        is_found = drop in reasons or bool(reasons & set(outcomes.flags.get(key, ())))
        score.dropped += drop is not None
        score.found += is_found
        if not is_found:
            report.missed.append(f"seed {seed}: {planting.fault}: {key}: {drop or 'kept'}")


def summarize(report: Report) -> dict[str, Any]:
    """Return the figures of a report."""
    scores = report.scores
    plant_count = sum(score.planted for score in scores.values())
    find_count = sum(score.found for score in scores.values())
    return {
        "kinds": len(scores),
        "planted": plant_count,
        "found": find_count,
        "recall": round(find_count / max(plant_count, 1), 4),
        "dropped_or_found": sum(max(s.found, s.dropped) for s in scores.values()),
        "untouched": report.untouched,
        "false_alarms": len(report.alarms),
        "false_alarm_share": round(len(report.alarms) / max(report.untouched, 1), 4),
        "by_kind": {name: [s.planted, s.found, s.dropped] for name, s in sorted(scores.items())},
        "alarms": report.alarms,
        "missed": report.missed,
    }


def main() -> None:
    """Run and print the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--each", type=int, default=3, help="problems for each fault and seed")
    parser.add_argument("--no-corpus", action="store_true")
    parser.add_argument("--out", metavar="FILE", help="the report as JSON, too")
    args = parser.parse_args()
    foreign = 0 if args.no_corpus else 192
    seeds = [int(seed) for seed in args.seeds.split(",")]
    report = Report()
    for seed in seeds:
        run_experiment(report, seed, args.each, 192, foreign)
    record: dict[str, Any] = {
        "options": {"seeds": seeds, "each": args.each, "corpus": not args.no_corpus},
        **summarize(report),
    }
    for name, counts in record["by_kind"].items():
        print("{:42} planted {:3}  found {:3}  dropped {:3}".format(name, *counts))
    for title in ("missed", "alarms"):
        print(f"{title}:", *record[title], sep="\n  ")
    for key in ("kinds", "planted", "found", "recall", "untouched", "false_alarms",
                "false_alarm_share"):  # fmt: skip
        print(f"{key}: {record[key]}")
    if args.out:
        Path(args.out).write_text(json.dumps({**describe_run("faults"), **record}, indent=2) + "\n")


if __name__ == "__main__":
    main()
