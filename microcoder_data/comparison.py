"""Compares the problems in the outputs of two runs."""

from __future__ import annotations

from dataclasses import dataclass, field

from .history import list_stages, read_out
from .row_reader import read_objects
from .rows import Row, hash_text, serialize_row


@dataclass(slots=True)
class Difference:
    """How two files of problems differ.

    changed: the keys that differ, by problem. only: for each of the two files, the problems that
    only this file has, each with the reason why the other run dropped it.
    """

    equal: int = 0
    changed: dict[str, list[str]] = field(default_factory=dict)
    only: tuple[dict[str, str], dict[str, str]] = field(default_factory=lambda: ({}, {}))


def compare_files(first: str, second: str) -> Difference:
    """Compare the problems in the outputs of two runs. Raises DataError."""
    difference = Difference()
    rows = {str(row.get("problem_id")): _hash_values(row) for _, row in read_out(first)}
    drops = _read_reasons(first)
    for _, row in read_out(second):
        name = str(row.get("problem_id"))
        old, new = rows.pop(name, None), _hash_values(row)
        if old is None:
            difference.only[1][name] = drops.get(name, "not read")
        elif old == new:
            difference.equal += 1
        else:
            keys = sorted(old.keys() | new.keys())
            difference.changed[name] = [key for key in keys if old.get(key) != new.get(key)]
    drops = _read_reasons(second) if rows else {}
    difference.only[0].update((name, drops.get(name, "not read")) for name in rows)
    return difference


def _hash_values(row: Row) -> dict[str, str]:
    return {key: hash_text(serialize_row({key: row[key]}).decode()) for key in row}


def _read_reasons(out: str) -> dict[str, str]:
    """Return why each problem was dropped on the way to a file."""
    return {
        str(record["problem_id"]): f"{record['stage']}: {record['reason']}"
        for stage in list_stages(out)
        if stage.files.drops.exists()
        for _, record in read_objects(stage.files.drops)
    }
