"""``microcoder-data stats``: figures of a corpus as tables, as JSON or as an HTML page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from microcoder_data.history import read_examples
from microcoder_data.stats.figures import DROPS_TITLE, Figures, read_figures, sort_values
from microcoder_data.stats.page import render_page
from microcoder_eval.console.streams import make_console, tolerate_closed_stdout
from microcoder_eval.results.files import make_write_error

from .report import make_count_table

_MAX_ROWS = 15  # rows of a table


def run(args: Any) -> int:
    """Read the files, write the page, print the figures; returns 0."""
    figures = read_figures(args.inputs, args.pass_rates)
    if args.html is not None:
        title = f"corpus: {', '.join(Path(name).name for name in args.inputs)}"
        examples = {
            name: found for path in args.inputs for name, found in read_examples(path).items()
        }
        try:
            page = render_page(figures, title, examples)
            Path(args.html).write_text(page, encoding="utf-8")
        except OSError as error:
            raise make_write_error(Path(args.html), error) from error
    with tolerate_closed_stdout():
        if args.json:
            print(json.dumps(figures.as_json()))
        else:
            _print_figures(figures)
            if args.html is not None:
                make_console().print(f"\npage with plots: {args.html}")
    return 0


def _print_figures(figures: Figures) -> None:
    out = make_console()
    out.print(f"{figures.problems} problems, {figures.trainable} of them trainable")
    for title, counts in figures.groups.items():
        out.print(f"\n{title}", style="bold")
        values = sort_values(title, counts)
        remainder_count = sum(count for _, count in values[_MAX_ROWS:])
        remainder = [("others", remainder_count)] if len(values) > _MAX_ROWS else []
        examples = figures.examples if title == DROPS_TITLE else {}
        out.print(make_count_table([*values[:_MAX_ROWS], *remainder], examples))
    if figures.scorer is None:
        out.print("\ndifficulty scorer: not judged, too few problems have a measured pass rate")
    else:
        _print_scorer(figures.scorer)


def _print_scorer(report: dict[str, Any]) -> None:
    from rich.table import Table

    out = make_console()
    out.print(
        f"\ndifficulty scorer against {report['problems']} measured pass rates "
        f"({report['families']} families; intervals of 95 %)",
        style="bold",
    )
    table = Table(box=None, pad_edge=False)
    for title in ("scorer", "Spearman", "AUC"):
        table.add_column(title)
    for name in ("score", "length"):
        cells = [
            f"{report[name][key]:+.2f} ({report[name][key + '_95'][0]:+.2f} to "
            f"{report[name][key + '_95'][1]:+.2f})"
            for key in ("spearman", "auc")
        ]
        table.add_row(name, *cells)
    out.print(table)
    low, high = report["score_minus_length"]["spearman_95"]
    relation = "better" if report["better_than_length"] else "no better"
    out.print(
        f"the score is {relation} than length alone: Spearman differs by {low:+.2f} to {high:+.2f}"
    )
