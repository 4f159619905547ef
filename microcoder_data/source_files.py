"""Finds and reads INPUT: a file of rows, a folder of such files or packages, or a named dataset.

All inputs become a list of sources in a fixed order, each with a hash of its content.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from microcoder_eval.errors import DataError
from microcoder_eval.formats import open_problems
from microcoder_eval.formats.packages import MARKERS
from microcoder_eval.formats.packages.tree import describe_strays, scan_tree
from microcoder_eval.formats.problems import DEFAULT_MAX_LINE_MB
from microcoder_eval.formats.source import check_readable, convert_read_errors, open_source
from microcoder_eval.log import get_logger
from microcoder_eval.records import Problem
from microcoder_eval.results.files import READ_BYTES

from .stage import RawRecord

_log = get_logger("data")
JSON_SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".json", ".json.gz", ".json.zst")
ROW_SUFFIXES = (*JSON_SUFFIXES, ".csv", ".csv.gz", ".csv.zst", ".parquet")
# Files that stages write beside OUT; the next stage does not read them.
_STAGE_OUTPUT_SUFFIXES = (".dropped.jsonl", ".timings.jsonl", ".errors.jsonl", ".manifest.json")


@dataclass(frozen=True, slots=True)
class Source:
    """One file of rows or one package. label: its path relative to INPUT. sha256: of its bytes."""

    path: Path
    label: str
    sha256: str
    is_package: bool = False


def find_sources(inputs: Sequence[str]) -> list[Source]:
    """All sources in order. Raises DataError for an input that is missing, empty or unknown."""
    if not inputs:
        raise DataError("no INPUT given: name a file, a folder or a dataset")
    sources = [source for name in inputs for source in _find_input_sources(name)]
    counts = Counter(source.label for source in sources if source.is_package)
    return [_name_by_contest(source) if counts[source.label] > 1 else source for source in sources]


def _name_by_contest(source: Source) -> Source:
    """Return the source; if several inputs have its label, the name of the folder above is put in
    front."""
    depth = source.label.count("/") + 1
    contest = source.path.resolve().parents[depth - 1].name
    return replace(source, label=f"{contest}/{source.label}")


def _find_input_sources(name: str) -> list[Source]:
    if not name:
        raise DataError("an empty INPUT names no file, folder or dataset")
    path = Path(name)
    if path.is_dir():
        return _scan_folder(path)
    if not path.exists() and is_dataset_name(name):
        from .hub import fetch_dataset

        return _scan_folder(fetch_dataset(name))
    check_readable(path)
    if not path.is_file():
        raise DataError("is not a regular file; a run that may be resumed reads it twice", name)
    return [Source(path, path.name, hash_file(path))]


def is_dataset_name(name: str) -> bool:
    """Whether the text is hf:owner/name, or an owner/name that does not look like a path or file
    name."""
    if name.startswith("hf:"):
        return True
    return name.count("/") == 1 and not name.startswith(("/", ".")) and "." not in name


def _scan_folder(folder: Path) -> list[Source]:
    """Return the packages in a folder, sorted by name; in a folder without packages, its files of
    rows."""
    with convert_read_errors(str(folder)):
        tree = scan_tree(folder)
    sources = [
        Source(path, label, _hash_folder(path), is_package=True) for label, path in tree.packages
    ]
    if tree.strays:
        _log.warning("%s: %s", folder, describe_strays(tree.strays))
    sources = sources or [
        Source(path, path.relative_to(folder).as_posix(), hash_file(path))
        for path in tree.files
        if path.name.endswith(ROW_SUFFIXES) and not path.name.endswith(_STAGE_OUTPUT_SUFFIXES)
    ]
    if not sources:
        raise DataError(
            f"nothing to read in this folder; looked for packages ({', '.join(MARKERS)}) "
            f"and for files ending in {', '.join(ROW_SUFFIXES)}",
            str(folder),
        )
    return sorted(sources, key=lambda source: source.label)


def hash_file(path: Path) -> str:
    """Hash of a file's bytes on disk, compressed or not. Raises DataError."""
    with convert_read_errors(str(path)), open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _hash_folder(folder: Path) -> str:
    hasher = hashlib.sha256()
    root = folder.resolve()
    for path in sorted(folder.rglob("*")):
        name = f"{path.relative_to(folder).as_posix()}\0".encode("utf-8", "surrogatepass")
        if path.is_symlink() and not os.path.realpath(path).startswith(f"{root}/"):
            hasher.update(name + os.fsencode(os.readlink(path)))  # never read files outside
        elif path.is_file():
            hasher.update(name)
            with convert_read_errors(str(path)), open(path, "rb") as file:
                while block := file.read(READ_BYTES):
                    hasher.update(hashlib.sha256(block).digest())
    return hasher.hexdigest()


def count_records(sources: Sequence[Source], max_line_mb: float) -> int:
    """How many records ``read_records`` reads. Raises DataError as it does."""
    return sum(1 for _ in read_records(sources, max_line_mb))


def read_records(sources: Sequence[Source], max_line_mb: float) -> Iterator[RawRecord]:
    """Yield the records of all sources, in order. Raises DataError for a file that is corrupt."""
    for number, source in enumerate(sources):
        if source.is_package:
            yield RawRecord(number, 0, folder=str(source.path), name=source.label)
            continue
        with open_source(source.path) as stream:
            for row in stream.read_rows(int(max_line_mb * 2**20)):
                yield RawRecord(number, row.item or row.line, row.raw, row.fault)


def read_problems(path: str) -> tuple[list[Problem], list[str]]:
    """Return the complete problems of any INPUT in order, and the fault of each line that cannot
    be used.

    Raises DataError where there is nothing to read.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(path)
        if not file.exists():
            file = Path(folder, "rows.jsonl")
            # One line for each row, so that messages have the row's number.
            with file.open("wb") as lines:
                for record in read_records(find_sources([path]), DEFAULT_MAX_LINE_MB):
                    lines.write((record.raw or b"null").strip() + b"\n")
        with open_problems(file) as problems:
            faults = [str(line).replace(str(file), path) for line in problems.bad]
            return [problems.get(name) for name in problems.ids], faults
