"""Checkpoints that are whole or not there: written beside, made durable, renamed into place.

    OUT/checkpoints/step_000020/   state.json  optimizer/ (shards)  hf/ (weights, config, tokenizer)

A step's number is how many steps are done. Nothing else is needed to go on: data order, noise and
schedules are functions of seed and step.
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
from microcoder_train.log import read_lines
from microcoder_train.parallel import barrier, rank

STATE = "state.json"
_UNFINISHED = ".unfinished-"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A whole checkpoint on disk. step: steps done. state: what state.json holds."""

    folder: Path
    step: int
    state: dict[str, Any]

    @property
    def model(self) -> Path:
        """The Hugging Face folder."""
        return self.folder / "hf"


def save(root: Path, step: int, state: dict[str, Any], write: Callable[[Path], None]) -> None:
    """Make a checkpoint; ``write`` puts the large files into the folder it is given. Called by
    every process of a run.

    Killed or out of disk at any moment, it leaves the earlier checkpoints as they were. Raises
    TrainError when it cannot be written.
    """
    final = root / f"step_{step:06d}"
    beside = root / f"{_UNFINISHED}{final.name}"
    try:
        if rank() == 0:
            shutil.rmtree(beside, ignore_errors=True)
            beside.mkdir(parents=True)
        barrier()
        write(beside)
        if rank() == 0:
            (beside / STATE).write_text(json.dumps({**state, "step": step}, indent=1))
            _make_durable(beside)
            shutil.rmtree(final, ignore_errors=True)  # of an earlier run that was cut back
            beside.rename(final)
            _sync(root)
        barrier()
    except Exception as error:  # safetensors and torch have types of their own for a full disk
        if rank() == 0:
            shutil.rmtree(beside, ignore_errors=True)
        raise TrainError(
            f"{final} cannot be written: {error}; earlier checkpoints are as they were"
        ) from error


def checkpoints(root: Path) -> list[Checkpoint]:
    """The whole checkpoints under a run's folder, oldest first."""
    found = []
    for folder in sorted(root.glob("step_*")):
        with suppress(ResumeError):  # not one of ours: ours have their state before their name
            found.append(read(folder))
    return found


def newest(root: Path) -> Checkpoint | None:
    """The last whole checkpoint, None where there is none."""
    return max(checkpoints(root), key=lambda held: held.step, default=None)


def read(folder: Path) -> Checkpoint:
    """The checkpoint in a folder that was named. Raises ResumeError."""
    try:
        state = json.loads((folder / STATE).read_text())
    except (OSError, ValueError) as error:
        raise ResumeError(f"{folder} is not a checkpoint: no readable {STATE}") from error
    return Checkpoint(folder, state["step"], state)


def keep(root: Path, last: int, best: int | None) -> None:
    """Remove all but the last few and the best; and what a killed run left unfinished."""
    held = checkpoints(root)
    for old in held[:-last]:
        if old.step != best:
            shutil.rmtree(old.folder)
    for left in root.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(left)


def drop_later(root: Path, step: int) -> None:
    """Remove checkpoints of steps that are about to be taken anew."""
    for held in checkpoints(root):
        if held.step > step:
            shutil.rmtree(held.folder)


def check_settings(held: Checkpoint, settings: dict[str, Any]) -> None:
    """Refuse to go on with other settings. Raises ResumeError naming what differs."""
    then = held.state["settings"]
    changed = [
        f"{key} was {then.get(key)!r}, is {settings.get(key)!r}"
        for key in sorted({*then, *settings})
        if then.get(key) != settings.get(key)
    ]
    if changed:
        raise ResumeError(
            f"{held.folder} was made with other settings: {'; '.join(changed)}; go on with those, "
            "or start anew with --resume never or another --out"
        )


def check_data(held: Checkpoint, fingerprints: dict[str, str]) -> None:
    """Refuse to go on with other data. Raises ResumeError naming what differs."""
    for name, value in fingerprints.items():
        if held.state["fingerprints"].get(name) != value:
            raise ResumeError(
                f"{held.folder} was made with another {name} (its problems, tests or prompts "
                "differ); go on with that file, or start anew with --resume never or another --out"
            )


def cut_lines(file: Path, steps: int) -> None:
    """Drop the lines of a JSONL file that belong to steps not in the checkpoint, atomically."""
    if not file.exists():
        return
    kept = [json.dumps(line) for line in read_lines(file) if line["step"] <= steps]
    beside = file.with_name(f"{file.name}.cut")
    beside.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    _sync(beside)
    beside.rename(file)


def _make_durable(folder: Path) -> None:
    for path, _, files in os.walk(folder):
        for name in files:
            _sync(Path(path, name))
        _sync(Path(path))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
