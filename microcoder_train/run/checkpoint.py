"""Atomic checkpoints: written to a temporary folder, synced to disk, then renamed.

    OUT/checkpoints/step_000020/   state.json  optimizer/ (shards)  hf/ (weights, config, tokenizer)

The number in the name is the number of completed steps. Data order, noise and schedules are
functions of seed and step, so a run needs nothing else to resume.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microcoder_train.errors import ResumeError, TrainError
from microcoder_train.parallel import barrier, rank

from .log import read_lines

STATE = "state.json"
_UNFINISHED = ".unfinished-"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A complete checkpoint. step: completed steps. state: the content of state.json."""

    folder: Path
    step: int
    state: dict[str, Any]


def save(root: Path, step: int, state: dict[str, Any], write: Callable[[Path], None]) -> None:
    """Write a checkpoint; every rank must call it. write: writes the large files into a folder.

    A crash or a full disk at any moment leaves earlier checkpoints unchanged. Raises TrainError if
    the checkpoint cannot be written.
    """
    final = root / f"step_{step:06d}"
    temporary = root / f"{_UNFINISHED}{final.name}"
    try:
        if rank() == 0:
            shutil.rmtree(temporary, ignore_errors=True)
            temporary.mkdir(parents=True)
        barrier()
        write(temporary)
        if rank() == 0:
            state = {**state, "step": step, "sizes": _measure_files(temporary)}
            (temporary / STATE).write_text(json.dumps(state, indent=1))
            _fsync_tree(temporary)
            shutil.rmtree(final, ignore_errors=True)  # of a run that resumed further back
            temporary.rename(final)
            _fsync(root)
        barrier()
    except Exception as error:  # of a full disk, safetensors and torch raise own types
        if rank() == 0:
            shutil.rmtree(temporary, ignore_errors=True)
        raise TrainError(
            f"{final} cannot be written: {error}; earlier checkpoints are as they were"
        ) from error


def list_checkpoints(root: Path) -> list[Checkpoint]:
    """All complete checkpoints in a folder, oldest first."""
    results = []
    for folder in sorted(root.glob("step_*")):
        with suppress(ResumeError):  # a foreign folder: ours get this name with their state inside
            results.append(read(folder))
    return results


def find_newest(root: Path) -> tuple[Checkpoint | None, list[str]]:
    """Return the last checkpoint that has all its files, and why later ones cannot be used."""
    reasons: list[str] = []
    for folder in sorted(root.glob("step_*"), reverse=True):
        try:
            return read(folder), reasons
        except ResumeError as error:
            if (folder / "hf").is_dir():  # else a foreign folder
                reasons.append(str(error))
    return None, reasons


def read(folder: Path) -> Checkpoint:
    """Read the checkpoint in a folder. Raises ResumeError, also where a file is missing or cut."""
    try:
        state = json.loads((folder / STATE).read_text())
    except (OSError, ValueError) as error:
        raise ResumeError(f"{folder} is not a checkpoint: no readable {STATE}") from error
    for name, size in state.get("sizes", {}).items():
        file = folder / name
        if not file.is_file() or file.stat().st_size != size:
            raise ResumeError(f"{folder} is damaged: {name} is missing, or has not {size} bytes")
    return Checkpoint(folder, state["step"], state)


def prune(root: Path, last: int, best: int | None) -> None:
    """Remove all checkpoints but the ``last`` newest and the best, and temporary folders."""
    for checkpoint in list_checkpoints(root)[:-last]:
        if checkpoint.step != best:
            shutil.rmtree(checkpoint.folder)
    for folder in root.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(folder)


def remove_checkpoints_after(root: Path, step: int) -> None:
    """Remove the checkpoints after a step, which the run will repeat."""
    for checkpoint in list_checkpoints(root):
        if checkpoint.step > step:
            shutil.rmtree(checkpoint.folder)


def check_settings(checkpoint: Checkpoint, settings: dict[str, Any]) -> None:
    """Refuse to resume with other settings. Raises ResumeError that names the differences."""
    old_settings = checkpoint.state["settings"]
    changes = [
        f"{key} was {old_settings.get(key)!r}, is {settings.get(key)!r}"
        for key in sorted({*old_settings, *settings})
        if old_settings.get(key) != settings.get(key)
    ]
    if changes:
        raise ResumeError(
            f"{checkpoint.folder} was made with other settings: {'; '.join(changes)}; go on with "
            "those, or start over with --resume never or another --out"
        )


def check_data(checkpoint: Checkpoint, fingerprints: dict[str, str]) -> None:
    """Refuse to resume with other data. Raises ResumeError that names the data set."""
    for name, value in fingerprints.items():
        if checkpoint.state["fingerprints"].get(name) != value:
            raise ResumeError(
                f"{checkpoint.folder} was made with another {name} (its problems, tests or prompts "
                "differ); go on with that file, or start over with --resume never or another --out"
            )


def remove_lines_after(file: Path, step: int) -> None:
    """Remove the lines of a JSONL file after a step, atomically."""
    if not file.exists():
        return
    lines = [json.dumps(line) for line in read_lines(file) if line["step"] <= step]
    temporary = file.with_name(f"{file.name}.cut")
    temporary.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    _fsync(temporary)
    temporary.rename(file)


def _measure_files(folder: Path) -> dict[str, int]:
    files = [file for file in folder.rglob("*") if file.is_file()]
    return {file.relative_to(folder).as_posix(): file.stat().st_size for file in files}


def _fsync_tree(folder: Path) -> None:
    for path, _, files in os.walk(folder):
        for name in files:
            _fsync(Path(path, name))
        _fsync(Path(path))


def _fsync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
