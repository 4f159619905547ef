"""The files of a stage, written at the end: whole, in input order, and told of in a manifest.

OUT                  the problems kept
OUT.dropped.jsonl    the others, each with its reason
OUT.timings.jsonl    what was measured, which no two runs agree on
OUT.manifest.json    hashes, counts, reasons, settings, versions

("OUT" in these names is OUT without its suffix.) Only the timings hold what differs between runs.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import IO, Any

from microcoder_eval.journal import _to_disk
from microcoder_eval.journal_index import Places
from microcoder_eval.outputs import Paths, compressed, unwritable
from microcoder_eval.version import __version__

from .inputs import Source, file_sha256
from .pages import Pages, drop_record
from .rows import Row, encoded
from .stage import Drop, Settled, Stage

_SHAPING = ("beautifulsoup4", "datasketch", "numpy", "pyarrow")  # whose versions may change bytes


@dataclass(frozen=True, slots=True)
class Files:
    """Where a stage writes."""

    paths: Paths
    dropped: Path
    timings: Path
    manifest: Path

    @classmethod
    def of(cls, out: str, manifest: str | None = None) -> Files:
        """Names from the path of ``-o``. Raises OutputError for one that names no file."""
        paths = Paths.of(out)
        stem = paths.journal.name.removesuffix(".part")

        def beside(ending: str) -> Path:
            return paths.journal.with_name(stem + ending)

        where = Path(manifest) if manifest is not None else beside(".manifest.json")
        return cls(paths, beside(".dropped.jsonl"), beside(".timings.jsonl"), where)

    def refuse_misuse(self, inputs: Sequence[str]) -> None:
        """Raise OutputError where writing would hit an input or what is no file."""
        self.paths.refuse_misuse(inputs)
        Paths(self.dropped, self.timings, self.manifest).refuse_misuse(inputs)


@dataclass(slots=True)
class Manifest:
    """What a stage did, as it is written and shown."""

    content: dict[str, Any]
    reasons: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(
        cls, stage: Stage, sources: Sequence[Source], seed: int, key: Mapping[str, str]
    ) -> Manifest:
        """One that knows what will be done."""
        return cls(
            {
                "stage": stage.name,
                "key": dict(key),
                "seed": seed,
                "recipe": dict(stage.settings()),
                "versions": {"microcoder": __version__, **_versions()},
                "inputs": [{"name": s.label, "sha256": s.sha256} for s in sources],
            }
        )

    def count(self, row: Row | None, drop: Drop | None) -> None:
        """Note what became of one problem."""
        self.counts["read"] += 1
        if drop is not None:
            self.counts["dropped"] += 1
            self.reasons[drop.reason] += 1
        elif row is not None:
            self.counts["kept"] += 1
            self.counts["trainable"] += row.get("trainable") is True
            self.flags.update(row.get("findings") or ())

    def told(self) -> dict[str, Any]:
        """As it is written."""
        names = ("read", "kept", "dropped", "trainable")
        return {
            **self.content,
            "counts": {name: self.counts[name] for name in names},
            "reasons": dict(sorted(self.reasons.items())),
            "flags": dict(sorted(self.flags.items())),
        }


def _versions() -> dict[str, str]:
    found = {}
    for name in _SHAPING:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def finished_before(files: Files, key: Mapping[str, str]) -> dict[str, Any] | None:
    """The manifest of a run of the same thing whose files are all still there, else None."""
    try:
        found = json.loads(files.manifest.read_bytes())
        outputs = found["outputs"]
        same = found["key"] == dict(key) and all(
            file_sha256(path) == outputs[name]["sha256"] for name, path in _hashed(files)
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if same else None


def _hashed(files: Files) -> list[tuple[str, Path]]:
    return [("out", files.paths.results), ("dropped", files.dropped)]


def write_all(
    files: Files, pages: Pages, places: Places, settled: Settled, manifest: Manifest, stage: Stage
) -> dict[str, Any]:
    """Write every file and rename it into place; the manifest. Raises OutputError.

    Killed at any moment, the pages are there until all else is: the next run does this again.
    """
    target = Path(os.path.realpath(files.paths.results))  # a link named by -o stays a link
    aims = [target, files.dropped, files.timings]
    unfinished = [path.with_name(path.name + ".tmp") for path in aims]
    try:
        opened = [compressed(path, aim.name) for path, aim in zip(unfinished, aims, strict=True)]
        try:
            for position, place in enumerate(places):
                _write_one(pages.page(place), settled.get(position), opened, manifest)
        finally:
            for file in opened:
                file.close()
        for path, aim in zip(unfinished, aims, strict=True):
            _to_disk(path)
            os.replace(path, aim)
        manifest.content["facts"] = dict(stage.facts())
        told = manifest.told()
        told["outputs"] = {
            name: {"name": path.name, "sha256": file_sha256(path)} for name, path in _hashed(files)
        }
        _replace_json(files.manifest, told)
    except OSError as error:
        raise unwritable(files.paths.results, error) from error
    finally:
        for path in unfinished:
            path.unlink(missing_ok=True)
    files.paths.journal.unlink()
    return told


def _write_one(
    page: Mapping[str, Any],
    decision: Drop | Mapping[str, Any] | None,
    opened: Sequence[IO[bytes]],
    manifest: Manifest,
) -> None:
    out, dropped, timings = opened
    row: Row | None = page.get("row")
    drop = Drop(**page["drop"]) if page.get("drop") else None
    if drop is None and isinstance(decision, Drop):
        drop = decision
    elif drop is None and isinstance(decision, Mapping) and row is not None:
        row = {**row, **decision}
    manifest.count(row, drop)
    if drop is not None:
        record: Row = {"problem_id": page["problem_id"], "stage": manifest.content["stage"]}
        record |= drop_record(drop)
        if row is not None:
            record["problem"] = row
        dropped.write(json.dumps(record).encode() + b"\n")
    elif row is not None:
        out.write(encoded(row))
    if page.get("timing"):
        timings.write(
            json.dumps({"problem_id": page["problem_id"], **page["timing"]}).encode() + b"\n"
        )


def _replace_json(path: Path, value: Mapping[str, Any]) -> None:
    unfinished = path.with_name(path.name + ".tmp")
    unfinished.write_text(json.dumps(value, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    _to_disk(unfinished)
    os.replace(unfinished, path)
