"""The paper's figures from metrics.jsonl: runs overlaid, seeds of a run as a mean with a band."""

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

from microcoder_train.console import CURVES
from microcoder_train.errors import TrainError
from microcoder_train.log import METRICS, read_metrics

Curve = dict[int, float]
# The four of the paper, then what explains them.
FIGURES = {
    **CURVES,
    "mask/applied_frac": "share of responses masked",
    "group/mixed_frac": "groups with a learning signal",
    "actor/entropy": "entropy",
    "actor/grad_norm": "gradient norm",
}
SMOOTHED = 10  # steps of a running mean, as in the paper's curves; evaluations are not smoothed
_SEED = re.compile(r"[-_.]?seed[-_=]?\d+$|[-_.]s\d+$")


def plot(runs: Sequence[Path], out: Path) -> str:
    """Write curves.png and report.html to ``out``; returns what was written, in words.

    Folders that differ only in a last "seed1" or "_s1" are seeds of one run. Raises TrainError.
    """
    families: dict[str, list[list[dict[str, Any]]]] = defaultdict(list)
    for run in runs:
        if not (run / METRICS).is_file():
            raise TrainError(f"{run} is not a run: it has no {METRICS}")
        families[_SEED.sub("", run.resolve().name)].append(read_metrics(run))
    drawn = {
        name: {family: _curves(seeds, name) for family, seeds in families.items()}
        for name in FIGURES
    }
    drawn = {name: curves for name, curves in drawn.items() if any(map(any, curves.values()))}
    figure = _draw(drawn)
    out.mkdir(parents=True, exist_ok=True)
    figure.savefig(out / "curves.png", dpi=130)
    vector = io.StringIO()
    figure.savefig(vector, format="svg")
    page = _page(vector.getvalue(), families, runs)
    (out / "report.html").write_text(page, encoding="utf-8")
    return f"{out / 'curves.png'} and {out / 'report.html'}: {len(runs)} runs, {len(drawn)} figures"


def _curves(seeds: Sequence[Sequence[dict[str, Any]]], name: str) -> list[Curve]:
    curves = [
        {line["step"]: line[name] for line in lines if not math.isnan(line.get(name, math.nan))}
        for lines in seeds
    ]
    return curves if name.startswith("eval/") else [_smooth(curve) for curve in curves]


def _smooth(curve: Curve) -> Curve:
    steps = sorted(curve)
    windows = {step: steps[max(0, i + 1 - SMOOTHED) : i + 1] for i, step in enumerate(steps)}
    return {s: sum(curve[w] for w in window) / len(window) for s, window in windows.items()}


def _draw(drawn: dict[str, dict[str, list[Curve]]]) -> Figure:
    rows = math.ceil(len(drawn) / 2)
    figure = Figure(figsize=(11, 3.2 * rows))
    axes = figure.subplots(rows, 2, squeeze=False)
    for axis, (name, families) in zip(axes.flat, drawn.items(), strict=False):
        for i, (family, seeds) in enumerate(families.items()):
            _band(axis, family, [seed for seed in seeds if seed], f"C{i}")
        axis.set_title(FIGURES[name])
        axis.set_xlabel("step")
        axis.grid(alpha=0.3)
    for axis in axes.flat[len(drawn) :]:
        axis.axis("off")
    axes.flat[0].legend()
    figure.tight_layout()
    return figure


def _band(axis: Any, family: str, seeds: Sequence[Curve], colour: str) -> None:
    """The seeds' mean, and the range between the lowest and the highest of them."""
    if not seeds:
        return
    steps = sorted(set.intersection(*map(set, seeds)))
    columns = [[seed[step] for seed in seeds] for step in steps]
    label = family if len(seeds) == 1 else f"{family} ({len(seeds)} seeds)"
    axis.plot(steps, [sum(values) / len(values) for values in columns], color=colour, label=label)
    if len(seeds) > 1:
        low, high = [min(values) for values in columns], [max(values) for values in columns]
        axis.fill_between(steps, low, high, color=colour, alpha=0.2)


def _page(
    vector: str, families: dict[str, list[list[dict[str, Any]]]], runs: Sequence[Path]
) -> str:
    table = _row("th", ("run", *FIGURES.values()))
    for family, seeds in families.items():
        for i, lines in enumerate(seeds):
            cells = [_first_and_last(lines, name) for name in FIGURES]
            table += _row("td", (f"{family} {i + 1}", *cells))
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
        f"{SMOOTHED} steps (accuracy is not smoothed); a band spans the seeds.</p>"
        f"{vector[vector.index('<svg') :]}<h2>First and last values</h2>"
        f"<table>{table}</table>{settings}"
    )


def _row(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _first_and_last(lines: Sequence[dict[str, Any]], name: str) -> str:
    values = [line[name] for line in lines if not math.isnan(line.get(name, math.nan))]
    return f"{values[0]:.3g} → {values[-1]:.3g}" if values else "–"
