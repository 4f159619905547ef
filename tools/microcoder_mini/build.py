"""Make the bundled problem set's files: a pure function of its source tables and the seed."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from microcoder_data.fingerprints import normalize_program

from .functions import make_function_problem
from .programs import make_program_problem, read_programs
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


def choose_split(family: str) -> str:
    """ "train" or "heldout": by the family's name alone, so that a new family moves no other."""
    place = int.from_bytes(hashlib.sha256(f"{SEED}:{family}".encode()).digest()[:8])
    return "heldout" if place % HELD_OUT_IN == 0 else "train"


def make_problems(tier: str) -> list[dict[str, Any]]:
    """Make all problems of a tier, in the order of the tables. Raises WeakTaskError."""
    tables = [read_table(name) for name in TIERS[tier]]
    if tier == "C":
        programs = [program for table in tables for program in read_programs(table)]
        return [
            make_program_problem(program, choose_split(program.family), SEED)
            for program in programs
        ]
    tasks = [task for table in tables for task in read_tasks(table)]
    return [make_function_problem(task, tier, choose_split(task.family), SEED) for task in tasks]


def check_split(rows: Iterable[dict[str, Any]]) -> None:
    """Raise WeakTaskError for a held-out problem whose program is that of a training problem but
    for names and constants: it would show what was remembered, not what was learnt."""
    owners: dict[str, dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: row["split"], reverse=True):  # training rows first
        for program in _list_right_programs(row):
            owner = owners.setdefault(program, row)
            if owner["split"] != row["split"]:
                raise WeakTaskError(
                    f"{row['problem_id']} is held out and equals {owner['problem_id']}"
                )


def _list_right_programs(row: dict[str, Any]) -> list[str]:
    """Return the right programs without names and constants."""
    codes = [item["code"] for item in row["solutions"] if item["verdict"] == "AC"]
    trees = [_ConstantEraser().visit(ast.parse(code)) for code in codes]
    return [normalize_program(ast.unparse(tree)) or "" for tree in trees]


class _ConstantEraser(ast.NodeTransformer):
    """Puts the name of its type in the place of each constant."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(type(node.value).__name__)


def make_files() -> dict[str, bytes]:
    """File name -> content of everything that is generated in datasets/microcoder-mini/.

    Raises WeakTaskError.
    """
    contents = {}
    for tier in TIERS:
        rows = make_problems(tier)
        check_split(rows)
        for split in SPLITS:
            split_rows = (row for row in rows if row["split"] == split)
            contents[f"tier_{tier.lower()}_{split}.jsonl"] = _encode_rows(split_rows)
    return contents


def write_files(folder: Path) -> None:
    """Write the files into ``folder``, which is made if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in make_files().items():
        (folder / name).write_bytes(content)


def _encode_rows(rows: Iterable[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
