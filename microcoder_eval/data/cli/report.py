"""What stages did, as a table for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_eval.cli.streams import console
from microcoder_eval.data.reasons import REASONS


def show(manifests: Sequence[Mapping[str, Any]]) -> None:
    """Print counts, then each stage's reasons and flags, on standard output."""
    from rich.table import Table

    out = console()
    table = Table(box=None, pad_edge=False)
    for title in ("stage", "read", "kept", "dropped", "trainable"):
        table.add_column(title, justify="left" if title == "stage" else "right")
    for told in manifests:
        counts = told["counts"]
        numbers = [str(counts[key]) for key in ("read", "kept", "dropped", "trainable")]
        table.add_row(told["stage"], *numbers)
    out.print(table)
    for told in manifests:
        for what, names in (("dropped", told["reasons"]), ("flagged", told["flags"])):
            _names(f"\n{told['stage']}: {what}", names)
        for name, value in told.get("facts", {}).items():
            out.print(f"{told['stage']}: {name}: {value}")
        out.print(f"{told['stage']}: {told['outputs']['out']['name']}")


def _names(title: str, names: Mapping[str, int]) -> None:
    from rich.table import Table

    if not names:
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(justify="right")
    table.add_column()
    table.add_column()
    for name, count in sorted(names.items(), key=lambda one: (-one[1], one[0])):
        meaning = REASONS[name].text if name in REASONS else ""
        table.add_row(str(count), name, meaning)
    out = console()
    out.print(title, style="bold")
    out.print(table)
