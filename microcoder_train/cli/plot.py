"""The command ``plot``: the paper's figures from metrics.jsonl of one or more runs."""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from microcoder_eval.html import Chart, Markup, Sample, Series, render_curves, tag
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


def plot(runs: Sequence[Path], out: Path | None = None) -> str:
    """Write curves.png and report.html to ``out``, by default the first run's folder; returns a
    message that names them.

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
    out = out or runs[0]
    out.mkdir(parents=True, exist_ok=True)
    _draw(plots).savefig(out / "curves.png", dpi=130)
    page = render_curves(
        "MicroCoder runs",
        f"Curves are running means over {SMOOTHING_STEPS} steps (accuracy is not smoothed); a band "
        "spans the seeds. A click on a curve shows the samples of that step.",
        [_make_chart(name, curves) for name, curves in plots.items()],
        {run.name: _read_samples(run) for run in runs},
        [_make_table(histories_by_run), *map(_show_settings, runs)],
    )
    (out / "report.html").write_text(page, encoding="utf-8")
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
    series = _average(run_name, curves)
    axis.plot(series.steps, series.values, color=colour, label=series.name)
    if series.low:
        axis.fill_between(series.steps, series.low, series.high, color=colour, alpha=0.2)


def _average(run_name: str, curves: Sequence[Curve]) -> Series:
    """The mean of the seeds' curves, with their range, over the steps that all have."""
    steps = sorted(set.intersection(*map(set, curves)))
    columns = [[curve[step] for curve in curves] for step in steps]
    means = [sum(values) / len(values) for values in columns]
    if len(curves) == 1:
        return Series(run_name, steps, means)
    low, high = [min(values) for values in columns], [max(values) for values in columns]
    return Series(f"{run_name} ({len(curves)} seeds)", steps, means, low, high)


def _make_chart(name: str, curves_by_run: dict[str, list[Curve]]) -> Chart:
    curves = {run: [c for c in curves if c] for run, curves in curves_by_run.items()}
    return Chart(name, FIGURES[name], [_average(run, c) for run, c in curves.items() if c])


def _read_samples(run: Path) -> dict[int, list[Sample]]:
    """The samples that the run wrote out, by step."""
    files = sorted((run / "samples").glob("step_*.jsonl"))
    return {
        int(file.stem[5:]): [*map(_read_sample, file.read_bytes().splitlines())] for file in files
    }


def _read_sample(line: bytes) -> Sample:
    row = json.loads(line)
    facts = {
        "advantage": f"{row['advantage']:.3g}",
        "tokens": str(row["tokens"]),
        **({"masked": "yes"} if row["masked"] else {}),
        **({"flags": ", ".join(row["flags"])} if row["flags"] else {}),
    }
    return Sample(row["problem_id"], row["prompt"], row["answer"], row["verdict"], facts)


def _make_table(histories_by_run: dict[str, list[list[dict[str, Any]]]]) -> Markup:
    rows = [tag("tr", *(tag("th", name, scope="col") for name in ("run", *FIGURES.values())))]
    for run_name, histories in histories_by_run.items():
        for i, lines in enumerate(histories):
            cells = [f"{run_name} {i + 1}", *(_format_ends(lines, name) for name in FIGURES)]
            rows.append(tag("tr", *(tag("td", cell) for cell in cells)))
    heading = tag("h2", "First and last values")
    scrolled = tag("div", tag("table", *rows), class_="scrolled")
    return tag("section", heading, scrolled, class_="card")


def _show_settings(run: Path) -> Markup:
    file = run / "config.toml"
    text = file.read_text(encoding="utf-8") if file.is_file() else "There is no config.toml."
    return tag("details", tag("summary", f"{run}: settings"), tag("pre", text))


def _format_ends(lines: Sequence[dict[str, Any]], name: str) -> str:
    values = list(select_curve(lines, name).values())
    return f"{values[0]:.3g} → {values[-1]:.3g}" if values else "–"
