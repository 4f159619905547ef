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
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from microcoder_eval.results.files import Paths, write_atomically
from microcoder_eval.results.index import LineExtents
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
class Tally:
    """What became of the problems. examples: by reason, the first dropped problem. inputs: the
    names of the sources."""

    inputs: Sequence[str]
    reasons: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("read", "kept", "dropped", "trainable"), 0)
    )
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, result: StageResult) -> None:
        """Count one problem and its findings."""
        row, drop = result.row, result.drop
        self.counts["read"] += 1
        if drop is not None:
            self.counts["dropped"] += 1
            self.reasons[drop.reason] += 1
            name = result.problem_id
            if name is None and (line := drop.evidence.get("line")):
                name = f"{self.inputs[drop.evidence['input']]}:{line}"
            self.examples.setdefault(drop.reason, f"{name}: {drop.detail}" if name else drop.detail)
        elif row is not None:
            self.counts["kept"] += 1
            self.counts["trainable"] += row.get("trainable") is True
            self.flags.update(row.get("findings") or ())


def describe_run(
    stage: Stage, sources: Sequence[Source], seed: int, key: Mapping[str, str]
) -> dict[str, Any]:
    """Return what the manifest says of a run before it has results."""
    return {
        "stage": stage.name,
        "key": dict(key),
        "seed": seed,
        "recipe": dict(stage.describe_settings()),
        "versions": {"microcoder": __version__, **list_installed_versions(_PACKAGES)},
        "inputs": [{"name": s.label, "sha256": s.sha256} for s in sources],
    }


def read_finished_manifest(files: Files, key: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the manifest of a finished run with the same key; None where its files were changed or
    problems are pending."""
    try:
        manifest = json.loads(files.manifest.read_bytes())
        outputs = manifest["outputs"]
        is_same = (manifest["key"] == dict(key) and not list_pending(manifest)) and all(
            hash_file(path) == outputs[name]["sha256"] for name, path in _list_hashed_files(files)
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return manifest if is_same else None


def _list_hashed_files(files: Files) -> list[tuple[str, Path]]:
    return [("out", files.paths.results), ("dropped", files.drops)]


def write_outputs(
    files: Files,
    log: ResultLog,
    locations: LineExtents,
    decisions: Decisions,
    run: Mapping[str, Any],
    stage: Stage,
) -> dict[str, Any]:
    """Write every file and rename it into place; returns the manifest. run: from
    ``describe_run``. Raises OutputError.

    The log is removed last, so that a run after a kill can write the files again. It stays while
    problems are pending; the next run then tries only those.
    """
    tally = Tally([item["name"] for item in run["inputs"]])
    with (
        write_atomically(files.paths.results) as out,
        write_atomically(files.drops) as drops,
        write_atomically(files.timings) as timings,
    ):
        for position, location in enumerate(locations):
            result = _apply_decision(log.read_result(location), decisions.get(position))
            tally.add(result)
            _write_problem(result, stage.name, out, drops, timings)
    content = {
        **run,
        "facts": dict(stage.describe_facts()),
        "counts": tally.counts,
        "reasons": dict(sorted(tally.reasons.items())),
        "examples": dict(sorted(tally.examples.items())),
        "flags": dict(sorted(tally.flags.items())),
        "outputs": {
            name: {"name": path.name, "sha256": hash_file(path)}
            for name, path in _list_hashed_files(files)
        },
    }
    with write_atomically(files.manifest) as file:
        file.write(json.dumps(content, indent=2, sort_keys=True).encode() + b"\n")
    if not list_pending(content):
        files.paths.journal.unlink()
    return content


def list_pending(manifest: Mapping[str, Any]) -> dict[str, int]:
    """How many problems of a run are pending, by reason."""
    return {name: n for name, n in manifest["reasons"].items() if name in PENDING_REASONS}


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
