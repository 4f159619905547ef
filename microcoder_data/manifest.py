"""The files of a stage. They are written at the end, in input order, and renamed into place.

OUT                  the kept problems
OUT.dropped.jsonl    the dropped problems, each with its reason
OUT.timings.jsonl    measured times; the only file that differs between runs
OUT.manifest.json    hashes, counts, reasons, settings, versions

("OUT" in these names is OUT without its suffix.)
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import IO, Any

from microcoder_eval.errors import DataError
from microcoder_eval.results.files import Paths, write_atomically
from microcoder_eval.results.journal import LineExtents
from microcoder_eval.version import __version__, list_installed_versions

from .reasons import PENDING_REASONS
from .result_log import ResultLog, drop_to_dict
from .rows import serialize_row
from .source_files import Source, hash_file
from .stage import Decisions, Drop, Stage, StageResult

_PACKAGES = (  # packages whose version may change OUT
    "beautifulsoup4", "ftfy", "markdownify", "numpy", "py3langid", "pyarrow",
    "pypandoc_binary",
)  # fmt: skip
_COUNTS = ("read", "kept", "dropped", "trainable")
_NEEDED_KEYS = {"stage", "counts", "reasons", "inputs", "outputs"}


@dataclass(frozen=True, slots=True)
class Files:
    """The paths that a stage writes to."""

    paths: Paths
    drops: Path
    timings: Path
    manifest: Path

    @classmethod
    def from_output(cls, out: str) -> Files:
        """All paths from the path of ``-o``. Raises OutputError for one that names no file."""
        paths = Paths.from_output(out)
        stem = paths.journal.name.removesuffix(".part")
        endings = (".dropped.jsonl", ".timings.jsonl", ".manifest.json")
        return cls(paths, *(paths.journal.with_name(stem + ending) for ending in endings))

    def refuse_misuse(self, inputs: Sequence[str]) -> None:
        """Raise OutputError where a path is an input or cannot be a file."""
        self.paths.refuse_misuse(inputs)
        Paths(self.drops, self.timings, self.manifest).refuse_misuse(inputs)


@dataclass(slots=True)
class Manifest:
    """What is known of a run: the content of OUT.manifest.json.

    key: hashes of all that the results depend on.
    inputs: name and sha256 of each source. outputs: the same of each file, by "out" or "dropped".
    facts: figures of this kind of stage.
    counts: of problems: "read", "kept", "dropped", "trainable".
    reasons, flags: how many problems have each. examples: by reason, the first dropped problem.
    """

    stage: str
    inputs: Sequence[Mapping[str, str]]
    key: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    recipe: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_COUNTS, 0))
    reasons: dict[str, int] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    flags: dict[str, int] = field(default_factory=Counter)
    outputs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def add(self, result: StageResult) -> None:
        """Count one problem and its findings."""
        row, drop = result.row, result.drop
        self.counts["read"] += 1
        if drop is not None:
            self.counts["dropped"] += 1
            self.reasons[drop.reason] += 1
            name = result.problem_id
            if name is None and (line := drop.evidence.get("line")):
                name = f"{self.inputs[drop.evidence['input']]['name']}:{line}"
            self.examples.setdefault(drop.reason, f"{name}: {drop.detail}" if name else drop.detail)
        elif row is not None:
            self.counts["kept"] += 1
            self.counts["trainable"] += row.get("trainable") is True
            for name in row.get("findings") or ():
                self.flags[name] += 1

    def encode(self) -> bytes:
        """Return the manifest as its file holds it."""
        content = {one.name: getattr(self, one.name) for one in fields(self)}
        return json.dumps(content, indent=2, sort_keys=True).encode() + b"\n"

    @property
    def pending(self) -> dict[str, int]:
        """How many problems are pending, by reason."""
        return {name: n for name, n in self.reasons.items() if name in PENDING_REASONS}


def read_manifest(path: Path) -> Manifest | None:
    """Return the manifest in a file; None where there is no file, or no manifest in it. Raises
    DataError for a file that cannot be read."""
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read: {error}", str(path)) from error
    if not isinstance(content, dict) or not content.keys() >= _NEEDED_KEYS:
        return None
    names = {one.name for one in fields(Manifest)}
    return Manifest(**{name: value for name, value in content.items() if name in names})


def describe_run(
    stage: Stage, sources: Sequence[Source], seed: int, key: Mapping[str, str]
) -> Manifest:
    """Return the manifest of a run before it has results."""
    return Manifest(
        stage=stage.name,
        inputs=[{"name": source.label, "sha256": source.sha256} for source in sources],
        key=key,
        seed=seed,
        recipe=stage.describe_settings(),
        versions={"microcoder": __version__, **list_installed_versions(_PACKAGES)},
    )


def read_finished_manifest(files: Files, key: Mapping[str, str]) -> Manifest | None:
    """Return the manifest of a finished run with the same key; None where its files were changed or
    problems are pending."""
    try:
        manifest = read_manifest(files.manifest)
        if manifest is None or manifest.key != key or manifest.pending:
            return None
        is_unchanged = all(
            hash_file(path) == manifest.outputs[name]["sha256"]
            for name, path in _list_hashed_files(files)
        )
    except (DataError, KeyError, TypeError, AttributeError):
        return None
    return manifest if is_unchanged else None


def _list_hashed_files(files: Files) -> list[tuple[str, Path]]:
    return [("out", files.paths.results), ("dropped", files.drops)]


def write_outputs(
    files: Files,
    log: ResultLog,
    locations: LineExtents,
    decisions: Decisions,
    manifest: Manifest,
    stage: Stage,
) -> None:
    """Write every file and rename it into place. manifest: from ``describe_run``; it gets what
    became of the problems. Raises OutputError.

    The log is removed last, so that a run after a kill can write the files again. It stays while
    problems are pending; the next run then tries only those.
    """
    with (
        write_atomically(files.paths.results) as out,
        write_atomically(files.drops) as drops,
        write_atomically(files.timings) as timings,
    ):
        for position, location in enumerate(locations):
            result = _apply_decision(log.read_result(location), decisions.get(position))
            manifest.add(result)
            _write_problem(result, stage.name, out, drops, timings)
    manifest.facts = stage.describe_facts()
    manifest.reasons = dict(sorted(manifest.reasons.items()))
    manifest.examples = dict(sorted(manifest.examples.items()))
    manifest.flags = dict(sorted(manifest.flags.items()))
    manifest.outputs = {
        name: {"name": path.name, "sha256": hash_file(path)}
        for name, path in _list_hashed_files(files)
    }
    with write_atomically(files.manifest) as file:
        file.write(manifest.encode())
    if not manifest.pending:
        files.paths.journal.unlink()


def _apply_decision(result: StageResult, decision: Drop | Mapping[str, Any] | None) -> StageResult:
    if result.drop is not None or result.row is None or decision is None:
        return result
    if isinstance(decision, Drop):
        return replace(result, drop=decision)
    return replace(result, row={**result.row, **decision})


def _write_problem(
    result: StageResult, stage: str, out: IO[bytes], drops: IO[bytes], timings: IO[bytes]
) -> None:
    if result.drop is not None:
        record = {"problem_id": result.problem_id, "stage": stage, **drop_to_dict(result.drop)}
        if result.row is not None:
            record["problem"] = result.row
        drops.write(json.dumps(record).encode() + b"\n")
    elif result.row is not None:
        out.write(serialize_row(result.row))
    if result.timing:
        record = {"problem_id": result.problem_id, **result.timing}
        timings.write(json.dumps(record).encode() + b"\n")
