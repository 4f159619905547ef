"""What INPUT may be: a file of rows, a folder of them or of problem packages, a dataset by name.

All inputs become a list of sources in a fixed order, each with a hash of what it holds.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from microcoder_eval.errors import DataError
from microcoder_eval.formats.source import check_readable, open_source, reading
from microcoder_eval.outputs import READ_BYTES

from .stage import Given

ROWS = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".json", ".json.gz", ".json.zst")
PARQUET = ".parquet"
# What a package is recognised by: Kattis and ICPC, Polygon, DMOJ.
PACKAGE_FILES = ("problem.yaml", "problem.xml", "init.yml")
# Files that stages write beside OUT, which are no input of the next stage.
_OURS = (".dropped.jsonl", ".timings.jsonl", ".errors.jsonl", ".manifest.json", ".matches.jsonl")


class Holds(StrEnum):
    """What a source is."""

    ROWS = "rows"
    PARQUET = "parquet"
    PACKAGE = "package"


@dataclass(frozen=True, slots=True)
class Source:
    """One file of rows or one package. label: its name, relative to INPUT; sha256: its bytes."""

    holds: Holds
    path: Path
    label: str
    sha256: str


def sources_of(inputs: Sequence[str]) -> list[Source]:
    """All sources in order. Raises DataError for what is missing, empty or not understood."""
    if not inputs:
        raise DataError("no INPUT given: name a file, a folder or a dataset")
    return [source for name in inputs for source in _sources(name)]


def _sources(name: str) -> list[Source]:
    if not name:
        raise DataError("an empty INPUT names no file, folder or dataset")
    path = Path(name)
    if path.is_dir():
        return _in_folder(path)
    if not path.exists() and _is_dataset_name(name):
        from .collect.hub import fetched

        return _in_folder(fetched(name))
    check_readable(path)
    if not path.is_file():
        raise DataError("is no regular file; a run that may be resumed reads it twice", name)
    return [_file(path, path.name)]


def _is_dataset_name(name: str) -> bool:
    """hf:owner/name, or owner/name that nothing here is called and that looks like no file."""
    if name.startswith("hf:"):
        return True
    return name.count("/") == 1 and not name.startswith(("/", ".")) and "." not in name


def _file(path: Path, label: str) -> Source:
    holds = Holds.PARQUET if path.name.endswith(PARQUET) else Holds.ROWS
    return Source(holds, path, label, file_sha256(path))


def _in_folder(folder: Path) -> list[Source]:
    """Packages, which hide what is inside them, and files of rows; sorted by name."""
    found: list[Source] = []
    for place, below, files in os.walk(folder):
        here = Path(place)
        below[:] = sorted(name for name in below if not name.startswith("."))
        label = here.relative_to(folder).as_posix()
        if any(name in files for name in PACKAGE_FILES):
            below.clear()
            label = here.resolve().name if label == "." else label
            found.append(Source(Holds.PACKAGE, here, label, _folder_sha256(here)))
            continue
        for name in sorted(files):
            if name.endswith((*ROWS, PARQUET)) and not name.endswith(_OURS):
                found.append(_file(here / name, (here / name).relative_to(folder).as_posix()))
    if not found:
        raise DataError(
            f"nothing to read in this folder; looked for packages ({', '.join(PACKAGE_FILES)}) "
            f"and for files ending in {', '.join(ROWS)}, {PARQUET}",
            str(folder),
        )
    return sorted(found, key=lambda source: source.label)


def file_sha256(path: Path) -> str:
    """Hash of a file's bytes as they lie on disk. Raises DataError."""
    with reading(str(path)), open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _folder_sha256(folder: Path) -> str:
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            whole.update(
                f"{path.relative_to(folder).as_posix()}\0".encode("utf-8", "surrogatepass")
            )
            with reading(str(path)), open(path, "rb") as file:
                while piece := file.read(READ_BYTES):
                    whole.update(hashlib.sha256(piece).digest())
    return whole.hexdigest()


def given(sources: Sequence[Source], max_line_mb: float) -> Iterator[Given]:
    """The problems of all sources, in order, not read yet. Raises DataError for a broken file."""
    for number, source in enumerate(sources):
        if source.holds is Holds.PACKAGE:
            yield Given(number, 0, folder=str(source.path))
        elif source.holds is Holds.PARQUET:
            from .collect.parquet import rows

            for line, (raw, fault) in enumerate(rows(source.path), 1):
                yield Given(number, line, raw, fault)
        else:
            with open_source(source.path) as opened:
                for row in opened.rows(int(max_line_mb * 2**20)):
                    yield Given(number, row.item or row.line, row.raw, row.fault)
