"""Prints the counts, reasons and flags of stages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from microcoder_data.reasons import REASONS
from microcoder_eval.console.streams import make_console


def print_manifests(manifests: Sequence[Mapping[str, Any]]) -> None:
    """Print counts, then the reasons and flags of each stage, on standard output."""
    out = make_console()
    table = Table(box=None, pad_edge=False)
    for title in ("stage", "read", "kept", "dropped", "trainable"):
        table.add_column(title, justify="left" if title == "stage" else "right")
    for manifest in manifests:
        counts = manifest["counts"]
        numbers = [str(counts[key]) for key in ("read", "kept", "dropped", "trainable")]
        table.add_row(manifest["stage"], *numbers)
    out.print(table)
    for manifest in manifests:
        stage = manifest["stage"]
        for heading, key in (("dropped", "reasons"), ("flagged", "flags")):
            if manifest[key]:
                out.print(f"\n{stage}: {heading}", style="bold")
                counts = manifest[key].items()
                rows = sorted(counts, key=lambda item: (-item[1], item[0]))
                out.print(make_count_table(rows, manifest["examples"] if key == "reasons" else {}))
        for name, value in manifest.get("facts", {}).items():
            if isinstance(value, Mapping):
                value = ", ".join(f"{item} {key}" for key, item in value.items()) or "none"
            out.print(f"{stage}: {name}: {value}")
        out.print(f"{stage}: {manifest['outputs']['out']['name']}")


def make_count_table(counts: Iterable[tuple[str, int]], examples: Mapping[str, str]) -> Table:
    """Return a table of names, each with its count and, for findings, its meaning. examples: for
    each name, the text about the first problem in the dropped file."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(justify="right")
    table.add_column(overflow="fold")  # names are never cut off
    table.add_column(overflow="fold")
    for name, count in counts:
        meaning = REASONS[name].text if name in REASONS else ""
        table.add_row(str(count), Text(name), meaning)
        if name in examples:
            table.add_row("", "", Text(str(examples[name]), style="dim"))
    return table
