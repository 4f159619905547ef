"""Prints the counts, reasons and flags of stages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from microcoder_data.manifest import Manifest
from microcoder_data.reasons import REASONS
from microcoder_eval.console.streams import make_console


def print_manifests(manifests: Sequence[Manifest]) -> None:
    """Print counts, then why each stage dropped problems and its facts, on standard output. Flags
    stay with a problem, so those of the last stage are all that the kept problems have."""
    out = make_console()
    table = Table(box=None, pad_edge=False)
    titles = ("read", "kept", "dropped")
    table.add_column("stage")
    for title in titles:
        table.add_column(title, justify="right")
    for manifest in manifests:
        table.add_row(manifest.stage, *(str(manifest.counts[title]) for title in titles))
    out.print(table)
    for manifest in manifests:
        stage = manifest.stage
        _print_counts(out, f"{stage}: dropped", manifest.reasons, manifest.examples)
        if manifest is manifests[-1]:
            _print_counts(out, "flags of the problems kept", manifest.flags, {})
        for name, value in manifest.facts.items():
            if text := _format_fact(value):
                out.print(f"{stage}: {name}: {text}")
        out.print(f"{stage}: {manifest.outputs['out']['name']}")


def _print_counts(
    out: Console, heading: str, counts: Mapping[str, int], examples: Mapping[str, str]
) -> None:
    if counts:
        out.print(f"\n{heading}", style="bold")
        rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        out.print(make_count_table(rows, examples))


def _format_fact(value: Any) -> str:
    if not isinstance(value, Mapping):
        return str(value)
    return ", ".join(
        f"{item} {key}" if isinstance(item, int) else f"{key} {_format_fact(item)}"
        for key, item in value.items()
    )


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
