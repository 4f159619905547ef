"""Rows written by people who had not seen the rules: whole ones are kept, damaged ones are told.

tests/data_fresh/README.md says what the rows are and how their phrases are compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.collect import CollectStage
from microcoder_data.execution import RunConfig, run_stage
from microcoder_data.filter.stage import FilterStage
from microcoder_data.process.stage import ProcessStage
from microcoder_data.recipe import Collect, Filter, Process, Verify, read_recipe
from microcoder_data.stage import Stage
from microcoder_data.verify.stage import VerifyStage
from tests.data.lines import Row, read, write
from tests.files import ROOT, SHARED, read_table

HERE = Path(__file__).parent
FRESH = ROOT / "tests" / "data_fresh"
LEETCODE = SHARED / "leetcode_rows.jsonl.gz"
FITTING: dict[str, list[str]] = read_table(__file__)


def read_fresh(name: str) -> list[Row]:
    """The rows of a file of fresh rows."""
    return read(FRESH / name)


def run_stages(folder: Path, rows: Sequence[Any], stages: Sequence[Stage]) -> dict[str, Row]:
    """What became of each row, by its problem_id: the row that is kept, or that was dropped."""
    folder.mkdir(exist_ok=True)
    source = write(folder / "rows.jsonl", list(rows))
    results: dict[str, Row] = {}
    for number, stage in enumerate(stages):
        out = folder / f"{number}.jsonl"
        run_stage(stage, RunConfig([str(source)], str(out), force=True))
        dropped = read(folder / f"{number}.dropped.jsonl")
        results |= {str(row["problem_id"]): row for row in dropped}
        source = out
    return results | {row["problem_id"]: row for row in read(source)}


def list_names(result: Row) -> set[str]:
    """The names of everything that was found in a row."""
    also = (result.get("evidence") or {}).get("also") or []
    return {*(result.get("findings") or []), *filter(None, [result.get("reason")]), *also}


def fold(text: str) -> str:
    """The text as tests/data_fresh/README.md folds both sides of a comparison."""
    for pattern, sign in (
        (r"<sup>(.*?)</sup>", r"^\1"), (r"<sub>(.*?)</sub>", r"_\1"),
        (r"\\leqslant|\\leq?\b|≤", "<="), (r"\\ldots|\\dots|…", "..."), ("−", "-"),
        (r"\\(?:times|cdot)\b|[×·]", ""), (r"(?<=\d)[, ](?=\d{3})", ""),
        (r"\\(?:texttt|text|textbf|textit|emph)\b", ""),
    ):  # fmt: skip
        text = re.sub(pattern, sign, text)
    return re.sub(r"[\s$`*\\{}_]", "", text)


@pytest.mark.parametrize(
    "path",
    [FRESH / "statements.jsonl", HERE / "more_statements.jsonl", HERE / "shape_statements.jsonl"],
)
def test_whole_statements_are_kept_whole(path: Path, tmp_path: Path) -> None:
    lines = read(path)
    stages = [CollectStage(Collect()), ProcessStage(Process()), FilterStage(Filter())]
    results = run_stages(tmp_path, [line["row"] for line in lines], stages)
    dropped = {name: row["reason"] for name, row in results.items() if "reason" in row}
    assert dropped == {}
    texts = [fold(row["statement"]) for row in results.values()]
    lost = [
        (line["row"].get("title") or line["row"].get("problem_id"), phrase)
        for line in lines
        for phrase in line["expected"]
        if not any(fold(phrase) in text for text in texts)
    ]
    assert lost == []


def test_damaged_statements_are_dropped_repaired_or_flagged_by_a_fitting_name(
    tmp_path: Path,
) -> None:
    lines = read(HERE / "damaged_statements.jsonl")
    stages = [CollectStage(Collect()), ProcessStage(Process()), FilterStage(Filter())]
    results = run_stages(tmp_path, [line["row"] for line in lines], stages)
    names = {name: list_names(row) for name, row in results.items()}
    missed = [
        line["row"]["problem_id"]
        for line in lines
        if not names[line["row"]["problem_id"]] & set(line["names"])
    ]
    assert missed == []


def make_batches(faults: Sequence[Row]) -> Iterator[list[Row]]:
    """The faults in groups in which no two rows have the same name."""
    remaining = list(faults)
    while remaining:
        batch = list({fault["base"]: fault for fault in reversed(remaining)}.values())
        yield batch
        remaining = [fault for fault in remaining if fault not in batch]


def run_alone(folder: Path, row: Row, stages: Sequence[Stage]) -> tuple[str, Row]:
    """Name of a single row, and what became of it."""
    return next(iter(run_stages(folder, [row], stages).items()))


def run_batch(folder: Path, faults: Sequence[Row]) -> Iterator[tuple[Row, set[str]]]:
    """Each fault with the names of what was found in its row."""
    collected = [run_alone(folder, fault["row"], [CollectStage(Collect())]) for fault in faults]
    duplicates_off = Filter(exact_duplicates=False, near_duplicate=0)
    # Mutants find no fault: they choose the tests that stay.
    stages = [ProcessStage(Process()), FilterStage(duplicates_off), VerifyStage(Verify(mutants=0))]
    rows = [row for _, row in collected if "reason" not in row]
    results = run_stages(folder, rows, stages)
    for fault, (name, row) in zip(faults, collected, strict=True):
        yield fault, list_names(row if "reason" in row else results[name])


def run_pair(folder: Path, fault: Row, other: Row) -> set[str]:
    """The names of what was found in a row and in the one beside it."""
    stages = [CollectStage(Collect()), ProcessStage(Process()), FilterStage(Filter())]
    results = run_stages(folder, [other, fault["row"]], stages)
    return set().union(*map(list_names, results.values()))


@pytest.mark.slow
def test_visible_faults_are_found_by_a_fitting_name(tmp_path: Path) -> None:
    bases = {line["id"]: line["row"] for line in read_fresh("statements.jsonl")}
    faults = [
        fault
        for fault in read_fresh("faults.jsonl")
        if fault["visible"] and fault["fault"] in FITTING  # the others are not looked for
    ]
    pairs = [fault for fault in faults if fault.get("beside")]
    single = [fault for fault in faults if not fault.get("beside")]
    fault_names = [(fault, run_pair(tmp_path, fault, bases[fault["beside"]])) for fault in pairs]
    for batch in make_batches(single):
        fault_names += run_batch(tmp_path, batch)
    missed = [
        f"{fault['id']}: {sorted(names)}"
        for fault, names in fault_names
        if not names.intersection(FITTING[fault["fault"]])
        and not is_repaired(tmp_path, fault, bases)
    ]
    assert len(fault_names) == len(faults)
    assert len(missed) <= 0.15 * len(faults), missed


def is_repaired(folder: Path, fault: Row, bases: dict[str, Row]) -> bool:
    """Whether a damaged statement ends up as the statement of the undamaged row."""

    def list_statements(*stages: Stage) -> list[Any]:
        return [
            run_alone(folder, row, stages)[1].get("statement")
            for row in (fault["row"], bases[fault["base"]])
        ]

    damaged, whole = list_statements(CollectStage(Collect()))
    clean, clean_whole = list_statements(CollectStage(Collect()), ProcessStage(Process()))
    return damaged != whole and clean is not None and clean == clean_whole


@pytest.mark.slow
def test_real_contest_rows_pass_process_and_verify(tmp_path: Path) -> None:
    if not LEETCODE.exists():
        pytest.skip(f"THE SHARED ROWS ARE NOT THERE ({LEETCODE.name}): nothing was processed")
    recipe = read_recipe(ROOT / "datasets" / "recipes" / "paper.toml")
    rows = read(LEETCODE)
    stages = [CollectStage(recipe.collect), ProcessStage(recipe.process),
              VerifyStage(recipe.verify)]  # fmt: skip
    results = run_stages(tmp_path, rows, stages)
    reasons = {name: row["reason"] for name, row in results.items() if "reason" in row}
    assert len(results) == len(rows)
    assert len(reasons) <= 0.05 * len(rows), reasons
