"""Make the bundled problem set's files: a pure function of the tables and the seed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import a_choices, a_lists, a_numbers, a_tables, a_texts, a_words
from .making import make_problem
from .tables import Task, read_tasks

SEED = 1
HELD_OUT_IN = 5  # one family of five is held out
_TIER_A = (a_texts, a_words, a_numbers, a_lists, a_choices, a_tables)


def tier_a_tasks() -> list[Task]:
    """Every task of the tables, in their order."""
    return [task for module in _TIER_A for task in read_tasks(module.TABLE)]


def split_of(family: str) -> str:
    """ "train" or "heldout": by the family's name alone, so that a new family moves no other."""
    place = int.from_bytes(hashlib.sha256(f"{SEED}:{family}".encode()).digest()[:8])
    return "heldout" if place % HELD_OUT_IN == 0 else "train"


def tier_a() -> dict[str, list[dict[str, Any]]]:
    """The problems of tier A by split. Raises WeakTaskError for a task that makes none."""
    made: dict[str, list[dict[str, Any]]] = {"train": [], "heldout": []}
    for task in tier_a_tasks():
        split = split_of(task.family)
        made[split].append(make_problem(task, "A", split, SEED))
    return made


def files() -> dict[str, bytes]:
    """File name -> content of everything that is generated in datasets/microcoder-mini/."""
    return {f"tier_a_{split}.jsonl": _lines(problems) for split, problems in tier_a().items()}


def write(folder: Path) -> None:
    """Write the files into ``folder``, which is made if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files().items():
        (folder / name).write_bytes(content)


def _lines(rows: Iterable[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
