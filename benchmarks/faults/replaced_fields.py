"""Faults that are another value of one field, or its want: those of replaced_fields.toml."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import kinds
from .kinds import FAULTS, Fault, Others, Plant, Row

TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
STATEMENTS = {
    "before": "{drawn}{statement}",
    "after": "{statement}{drawn}",
    "instead": "{drawn}",
}  # fmt: skip


def make_plant(entry: Mapping[str, Any]) -> Plant:
    """What makes a fault of the table."""

    def plant(row: Row, rng: random.Random, other_rows: Others) -> Row:
        if "remove" in entry:
            return {key: value for key, value in row.items() if key != entry["remove"]}
        if "set" in entry:
            ((key, values),) = entry["set"].items()
            return {**row, key: draw(values, rng)}
        (place,) = entry.keys() & STATEMENTS
        text = draw(entry[place], rng)
        return {
            **row,
            "statement": STATEMENTS[place].format(drawn=text, statement=row["statement"]),
        }

    return plant


def draw(values: list[Any], rng: random.Random) -> Any:
    """One of the values; nothing is drawn where there is one."""
    return rng.choice(values) if len(values) > 1 else values[0]


for name, entry in TABLE.items():
    conditions = [getattr(kinds, entry["of"])] if "of" in entry else []
    FAULTS[name] = Fault(make_plant(entry), frozenset(entry["reasons"]), conditions)
