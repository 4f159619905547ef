"""Make the bundled problem set's files: a pure function of its source tables and the seed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .functions import function_problem
from .levelled import level_program
from .programs import program_problem, read_programs
from .search import WeakTaskError
from .tables import read_tasks

SEED = 1
HELD_OUT_IN = 5  # one family of five is held out
SPLITS = ("train", "heldout")
SOURCE = Path(__file__).resolve().parents[2] / "datasets" / "microcoder-mini" / "source"
TIERS = {
    "A": ("a_texts", "a_words", "a_numbers", "a_lists", "a_choices", "a_tables", "a_held"),
    "B": ("b_lists", "b_texts"),
    "C": ("c_sequences", "c_numbers", "c_texts", "c_plans"),
}


def read_table(name: str) -> str:
    """Read a table of the source folder, whose README explains the notation."""
    return (SOURCE / f"{name}.txt").read_text(encoding="utf-8")


def split_of(family: str) -> str:
    """ "train" or "heldout": by the family's name alone, so that a new family moves no other."""
    place = int.from_bytes(hashlib.sha256(f"{SEED}:{family}".encode()).digest()[:8])
    return "heldout" if place % HELD_OUT_IN == 0 else "train"


def problems(tier: str) -> list[dict[str, Any]]:
    """Make all problems of a tier, in the order of the tables. Raises WeakTaskError."""
    tables = [read_table(name) for name in TIERS[tier]]
    if tier == "C":
        programs = [program for table in tables for program in read_programs(table)]
        return [program_problem(program, split_of(program.family), SEED) for program in programs]
    tasks = [task for table in tables for task in read_tasks(table)]
    return [function_problem(task, tier, split_of(task.family), SEED) for task in tasks]


def check_split(rows: Iterable[dict[str, Any]]) -> None:
    """Raises WeakTaskError for a held-out problem whose program is that of a training problem but
    for names and constants."""
    owners: dict[str, dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: row["split"], reverse=True):  # training rows first
        for program in _list_right_programs(row):
            owner = owners.setdefault(program, row)
            if owner["split"] != row["split"]:
                raise WeakTaskError(
                    f"{row['problem_id']} is held out and equals {owner['problem_id']}"
                )


def _list_right_programs(row: dict[str, Any]) -> list[str]:
    return [level_program(s["code"]) for s in row["solutions"] if s["verdict"] == "AC"]


def files() -> dict[str, bytes]:
    """File name -> content of everything that is generated in datasets/microcoder-mini/.

    Raises WeakTaskError.
    """
    contents = {}
    for tier in TIERS:
        rows = problems(tier)
        check_split(rows)
        for split in SPLITS:
            split_rows = (row for row in rows if row["split"] == split)
            contents[f"tier_{tier.lower()}_{split}.jsonl"] = _lines(split_rows)
    return contents


def write(folder: Path) -> None:
    """Write the files into ``folder``, which is made if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files().items():
        (folder / name).write_bytes(content)


def _lines(rows: Iterable[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
