"""``microcoder-data stats``: what a corpus looks like, for people, for programs, as a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from microcoder_eval.cli.streams import answering, console
from microcoder_eval.data.reasons import REASONS
from microcoder_eval.data.stats.figures import Figures, figures_of, order
from microcoder_eval.data.stats.page import page
from microcoder_eval.outputs import unwritable

_SHOWN = 15  # rows of a table


def run(args: Any) -> int:
    """Read, write the page, show; 0."""
    figures = figures_of(args.inputs, args.pass_rates, args.seed)
    if args.html is not None:
        title = f"corpus: {', '.join(Path(name).name for name in args.inputs)}"
        try:
            Path(args.html).write_text(page(figures, title), encoding="utf-8")
        except OSError as error:
            raise unwritable(Path(args.html), error) from error
    with answering():
        if args.json:
            print(json.dumps(figures.as_json()))
        else:
            _show(figures)
            if args.html is not None:
                console().print(f"\npage with plots: {args.html}")
    return 0


def _show(figures: Figures) -> None:
    out = console()
    out.print(f"{figures.problems} problems, {figures.trainable} of them trainable")
    for title, counts in figures.groups.items():
        out.print(f"\n{title}", style="bold")
        out.print(_table(title, order(title, counts)))
    if figures.scorer is None:
        out.print("\ndifficulty scorer: not judged, too few problems have a measured pass rate")
    else:
        _show_scorer(figures.scorer)


def _table(title: str, values: list[tuple[str, int]]) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(justify="right")
    table.add_column()
    table.add_column()
    for name, count in values[:_SHOWN]:
        told = REASONS[name].text if name in REASONS else ""
        table.add_row(str(count), Text(name), told)
    if len(values) > _SHOWN:
        table.add_row(str(sum(count for _, count in values[_SHOWN:])), "others", "")
    return table


def _show_scorer(told: dict[str, Any]) -> None:
    from rich.table import Table

    out = console()
    out.print(
        f"\ndifficulty scorer against {told['problems']} measured pass rates "
        f"({told['families']} families, 5 folds; intervals of 95 %)",
        style="bold",
    )
    table = Table(box=None, pad_edge=False)
    for title in ("scorer", "Spearman", "AUC"):
        table.add_column(title)
    for name in ("weighted", "fitted", "length"):
        cells = [
            f"{told[name][key]:+.2f} ({told[name][key + '_95'][0]:+.2f} to "
            f"{told[name][key + '_95'][1]:+.2f})"
            for key in ("spearman", "auc")
        ]
        table.add_row(name, *cells)
    out.print(table)
    low, high = told["fitted_minus_length"]["spearman_95"]
    verdict = "better" if told["better_than_length"] else "no better"
    out.print(
        f"fitted is {verdict} than length alone: Spearman differs by {low:+.2f} to {high:+.2f}"
    )
