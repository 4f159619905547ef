"""The command ``plot``: the paper's figures from metrics.jsonl of one or more runs."""

from __future__ import annotations

import html
import io
import math
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from microcoder_train.errors import TrainError
from microcoder_train.run.console import CURVES
from microcoder_train.run.log import METRICS, read_metrics, select_curve

Curve = dict[int, float]
# The four figures of the paper, then metrics that explain them.
FIGURES = {
    **CURVES,
    "mask/applied_frac": "share of responses masked",
    "group/mixed_frac": "groups with a learning signal",
    "actor/entropy_with_advantage": "entropy (rows with advantage)",
    "actor/grad_norm": "gradient norm",
}
SMOOTHING_STEPS = 10  # of the running mean, as in the paper; evaluations are not smoothed
_SEED = re.compile(r"[-_.]?seed[-_=]?\d+$|[-_.]s\d+$")


def plot(runs: Sequence[Path], out: Path) -> str:
    """Write curves.png and report.html to ``out``; returns a message that names them.

    Folders whose names differ only in a final "seed1" or "_s1" are seeds of one run: a figure shows
    their mean and range. Raises TrainError if a folder is no run.
    """
    histories_by_run: dict[str, list[list[dict[str, Any]]]] = defaultdict(list)
    for run in runs:
        if not (run / METRICS).is_file():
            raise TrainError(f"{run} is not a run: it has no {METRICS}")
        histories_by_run[_SEED.sub("", run.resolve().name)].append(read_metrics(run))
    plots = {
        name: {run: _read_curves(histories, name) for run, histories in histories_by_run.items()}
        for name in FIGURES
    }
    plots = {name: curves for name, curves in plots.items() if any(map(any, curves.values()))}
    figure = _draw(plots)
    out.mkdir(parents=True, exist_ok=True)
    figure.savefig(out / "curves.png", dpi=130)
    svg = io.StringIO()
    figure.savefig(svg, format="svg")
    document = _render_page(svg.getvalue(), histories_by_run, runs)
    (out / "report.html").write_text(document, encoding="utf-8")
    return f"{out / 'curves.png'} and {out / 'report.html'}: {len(runs)} runs, {len(plots)} figures"


def _read_curves(histories: Sequence[Sequence[dict[str, Any]]], name: str) -> list[Curve]:
    curves = [select_curve(lines, name) for lines in histories]
    return curves if name.startswith("eval/") else [_smooth(curve) for curve in curves]


def _smooth(curve: Curve) -> Curve:
    steps = sorted(curve)
    windows = {step: steps[max(0, i + 1 - SMOOTHING_STEPS) : i + 1] for i, step in enumerate(steps)}
    return {s: sum(curve[w] for w in window) / len(window) for s, window in windows.items()}


def _draw(plots: dict[str, dict[str, list[Curve]]]) -> Figure:
    rows = math.ceil(len(plots) / 2)
    figure = Figure(figsize=(11, 3.2 * rows))
    axes = figure.subplots(rows, 2, squeeze=False)
    for axis, (name, curves_by_run) in zip(axes.flat, plots.items(), strict=False):
        for i, (run_name, curves) in enumerate(curves_by_run.items()):
            _plot_band(axis, run_name, [curve for curve in curves if curve], f"C{i}")
        axis.set_title(FIGURES[name])
        axis.set_xlabel("step")
        axis.grid(alpha=0.3)
    for axis in axes.flat[len(plots) :]:
        axis.axis("off")
    axes.flat[0].legend()
    figure.tight_layout()
    return figure


def _plot_band(axis: Any, run_name: str, curves: Sequence[Curve], colour: str) -> None:
    """Draw the mean of the seeds' curves and the range from their minimum to their maximum."""
    if not curves:
        return
    steps = sorted(set.intersection(*map(set, curves)))
    columns = [[curve[step] for curve in curves] for step in steps]
    label = run_name if len(curves) == 1 else f"{run_name} ({len(curves)} seeds)"
    axis.plot(steps, [sum(values) / len(values) for values in columns], color=colour, label=label)
    if len(curves) > 1:
        low, high = [min(values) for values in columns], [max(values) for values in columns]
        axis.fill_between(steps, low, high, color=colour, alpha=0.2)


def _render_page(
    svg: str, histories_by_run: dict[str, list[list[dict[str, Any]]]], runs: Sequence[Path]
) -> str:
    table = _render_row("th", ("run", *FIGURES.values()))
    for run_name, histories in histories_by_run.items():
        for i, lines in enumerate(histories):
            cells = [_format_ends(lines, name) for name in FIGURES]
            table += _render_row("td", (f"{run_name} {i + 1}", *cells))
    settings = "".join(
        f"<details><summary>{html.escape(str(run))}: settings</summary>"
        f"<pre>{html.escape(file.read_text(encoding='utf-8'))}</pre></details>"
        for run in runs
        if (file := run / "config.toml").is_file()
    )
    return (
        '<!doctype html><meta charset="utf-8"><title>MicroCoder runs</title>'
        "<style>body{font:15px system-ui;margin:2em auto;max-width:1100px}"
        "svg{width:100%;height:auto}"
        "table{border-collapse:collapse}td,th{padding:.3em .8em;border-bottom:1px solid #ddd}"
        "</style><h1>MicroCoder runs</h1><p>Curves are running means over "
        f"{SMOOTHING_STEPS} steps (accuracy is not smoothed); a band spans the seeds.</p>"
        f"{svg[svg.index('<svg') :]}<h2>First and last values</h2>"
        f"<table>{table}</table>{settings}"
    )


def _render_row(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _format_ends(lines: Sequence[dict[str, Any]], name: str) -> str:
    values = list(select_curve(lines, name).values())
    return f"{values[0]:.3g} → {values[-1]:.3g}" if values else "–"
