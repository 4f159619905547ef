"""``microcoder-data stats``: figures of a corpus as tables, as JSON or as an HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from microcoder_data.history import read_examples
from microcoder_data.stats.figures import DROPS_TITLE, Figures, read_figures, sort_values
from microcoder_data.stats.page import render_page
from microcoder_eval.console.streams import make_console, print_facts
from microcoder_eval.results.files import write_atomically

from .manifest_tables import make_count_table

_MAX_ROWS = 15  # rows of a table


def run(args: Any) -> int:
    """Read the files, write the page, print the figures; returns 0."""
    figures = read_figures(args.inputs)
    if args.html is not None:
        title = f"corpus: {', '.join(Path(name).name for name in args.inputs)}"
        examples = {
            name: items for path in args.inputs for name, items in read_examples(path).items()
        }
        with write_atomically(Path(args.html)) as file:
            file.write(render_page(figures, title, examples).encode())
    print_facts(figures.as_json(), args.json, lambda: _print_figures(figures, args.html))
    return 0


def _print_figures(figures: Figures, page: str | None) -> None:
    out = make_console()
    out.print(f"{figures.problems} problems, {figures.trainable} of them trainable")
    for title, counts in figures.groups.items():
        out.print(f"\n{title}", style="bold")
        values = sort_values(title, counts)
        remainder_count = sum(count for _, count in values[_MAX_ROWS:])
        remainder = [("others", remainder_count)] if len(values) > _MAX_ROWS else []
        examples = figures.examples if title == DROPS_TITLE else {}
        out.print(make_count_table([*values[:_MAX_ROWS], *remainder], examples))
    if page is not None:
        out.print(f"\npage with plots: {page}")
