"""Follows problems through the stages that made a file."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from microcoder_eval.errors import DataError

from . import source_files
from .manifest import Files, Manifest, read_manifest
from .row_reader import identify_record, read_findings, read_objects
from .rows import Row, get_text

_MAX_EXAMPLES = 20  # of each reason and flag


@dataclass(frozen=True, slots=True)
class StageFiles:
    """The files of one stage. inputs: its input files that are in the same folder."""

    files: Files
    manifest: Manifest
    inputs: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """What one stage did to a problem.

    before: its row in the stage's input; None if that file is missing.
    after: the row that was kept, or the cleaned row that was dropped.
    drop: why it was dropped.
    """

    stage: str
    before: Row | None
    after: Row
    drop: Mapping[str, Any] | None


def list_stages(out: str) -> list[StageFiles]:
    """Return the stages that led to a file, in their order.

    A stage is recognised by its manifest; its inputs are searched for in the same folder. Raises
    DataError for a broken manifest.
    """
    files = Files.from_output(out)
    manifest = read_manifest(files.manifest)
    if manifest is None:
        return []
    paths = [files.manifest.with_name(Path(item["name"]).name) for item in manifest.inputs]
    input_files = tuple(path for path in paths if path.is_file())
    earlier = [
        stage
        for path in input_files[:1]
        if path.name.endswith(source_files.JSON_SUFFIXES)
        for stage in list_stages(str(path))
    ]
    if earlier and earlier[-1].manifest.outputs["out"]["sha256"] not in (
        item["sha256"] for item in manifest.inputs
    ):
        return [StageFiles(files, manifest, ())]  # the input was rewritten after this stage ran
    return [*earlier, StageFiles(files, manifest, input_files)]


def read_out(out: str) -> Iterator[tuple[str, Row]]:
    """Yield the place and the row of each problem in the output of a run. Raises DataError; of a
    file that its run has yet to write, the error names what the run has written."""
    if not Path(out).exists() and (progress := _describe_progress(out)):
        raise DataError(f"no such file{progress}", out)
    yield from read_objects(out)


def _describe_progress(out: str) -> str:
    journal = Files.from_output(out).paths.journal
    of_stage = re.compile(re.escape(journal.name.removesuffix("part")) + r"\d-\w+\.jsonl")
    names = sorted(path.name for path in journal.parent.glob("*") if of_stage.fullmatch(path.name))
    return f"; the run that is to write it has come to {names[-1]}" if names else ""


def find_steps(out: str, problem_id: str) -> list[Step]:
    """Return what each stage did to a problem. Raises DataError where none knows it."""
    stages = list_stages(out)
    if not stages:
        reason = "no stage wrote it: there is no manifest beside it"
        raise DataError(f"{reason}{_describe_progress(out)}", out)
    row = _read_sources(stages[0], {problem_id}).get(problem_id)
    steps: list[Step] = []
    for stage in stages:
        step = _find_step(stage, problem_id, row)
        if step is not None:
            steps.append(step)
            row = step.after
    if not steps:
        raise DataError(f'no stage that led to it knows a problem "{problem_id}"', out)
    return steps


def _read_sources(stage: StageFiles, names: Collection[str]) -> dict[str, Row]:
    """Return problems as the first stage read them. For collect, that is what it wrote."""
    is_collect = stage.manifest.stage == "collect"
    paths = [str(path) for path in ((stage.files.paths.results,) if is_collect else stage.inputs)]
    sources = source_files.find_sources(paths) if paths else []
    rows = map(identify_record, source_files.read_records(sources, 1024.0))
    return {row["problem_id"]: row for row in rows if row and row["problem_id"] in names}


def _find_step(stage: StageFiles, problem_id: str, before: Row | None) -> Step | None:
    name = stage.manifest.stage
    before = None if name == "collect" else before
    for _, row in read_objects(stage.files.paths.results):
        if row.get("problem_id") == problem_id:
            return Step(name, before, row, None)
    for _, record in read_objects(stage.files.drops):
        if record["problem_id"] == problem_id:
            return Step(name, before or record.get("problem"), restore_dropped_row(record), record)
    return None


def restore_dropped_row(record: Mapping[str, Any]) -> Row:
    """Return the row of a dropped problem. If process dropped it, its statement is cleaned."""
    row: Row = record.get("problem") or {"problem_id": record["problem_id"]}
    if record["stage"] != "process" or not get_text(row, "statement").strip():
        return row
    from .process.stage import clean_row_statement

    return {**row, "statement": clean_row_statement(row).text}


def read_examples(out: str) -> dict[str, list[Step]]:
    """Return, for each reason and each flag, what became of the first problems. Their ``before`` is
    the row as the first stage read it, if that file exists. Raises DataError."""
    examples: defaultdict[str, list[Step]] = defaultdict(list)
    stages = list_stages(out)
    for stage in stages:
        for _, record in read_objects(stage.files.drops) if stage.files.drops.exists() else ():
            if len(known := examples[record["reason"]]) < _MAX_EXAMPLES:
                row = restore_dropped_row(record)
                known.append(Step(record["stage"], record.get("problem"), row, record))
    for _, row in read_objects(out):
        for name in read_findings(row):
            if len(known := examples[name]) < _MAX_EXAMPLES:
                known.append(Step("", None, row, None))
    names = {str(step.after["problem_id"]) for known in examples.values() for step in known}
    sources = _read_sources(stages[0], names) if stages else {}
    return {
        name: [
            replace(step, before=sources.get(str(step.after["problem_id"]), step.before))
            for step in examples[name]
        ]
        for name in sorted(examples)
    }
