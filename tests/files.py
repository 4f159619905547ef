"""Files that tests read and write: tables, JSON lines, what lies beside the repository."""

from __future__ import annotations

import fcntl
import gzip
import json
import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "datasets" / "samples"
SHARED = ROOT.parent / "shared" / "data"  # not in the repository
CORPUS = SHARED / "corpus"


def read_table(test_file: str, name: str = "") -> dict[str, Any]:
    """The table beside a module of tests, where programs stand as programs. name: of the file,
    where it is not the module's."""
    path = Path(test_file)
    return tomllib.loads((path.with_name(name or path.stem + ".toml")).read_text(encoding="utf-8"))


def write_files(folder: Path, texts: Mapping[str, str]) -> Path:
    """A folder with these files, in folders of their own where their names say so."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def write_jsonl(path: Path, *lines: Any) -> Path:
    """Write values as JSON, and texts as they are, one a line."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


def make_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """The folder that ``make`` has filled, in whichever of xdist's processes came first."""
    base = factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    place.mkdir(exist_ok=True)
    with (place / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / ".done").exists():
            make(place)
            (place / ".done").touch()
    return place


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """The values of a file of JSON lines, packed or not."""
    data = path.read_bytes()
    lines = (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines()
    return [json.loads(line) for line in lines]


def shared_rows(name: str) -> list[Any]:
    """The rows of a file of shared data as parameters; the test is skipped where it is not here."""
    path = SHARED / name
    if not path.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"no {name} in {SHARED}"))]
    return [pytest.param(row, id=row["name"]) for row in read_jsonl(path)]
