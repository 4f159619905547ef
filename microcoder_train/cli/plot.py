"""The command ``plot``: the paper's figures from metrics.jsonl of one or more runs."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from microcoder_eval.html import curves as curve_page
from microcoder_eval.html.markup import Markup, tag
from microcoder_train.errors import TrainError
from microcoder_train.run.console import CURVES
from microcoder_train.run.log import METRICS, read_metrics, select_curve

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
    """Write report.html to ``out``, by default the first run's folder; returns a message that names
    it.

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
    page = curve_page.render_curves(
        "MicroCoder runs",
        f"Curves are running means over {SMOOTHING_STEPS} steps (accuracy is not smoothed); a band "
        "spans the seeds. A click on a curve shows the samples of that step.",
        [_make_chart(name, curves) for name, curves in plots.items()],
        dict(zip(_name_runs(runs), map(_read_samples, runs), strict=True)),
        [*map(_show_settings, runs)],
    )
    (out / "report.html").write_text(page, encoding="utf-8")
    noun = "run" if len(runs) == 1 else "runs"
    return f"{out / 'report.html'}: {len(runs)} {noun}, {len(plots)} figures"


def _name_runs(runs: Sequence[Path]) -> list[str]:
    """Return the names of the runs' folders; their paths where two have the same name."""
    names = [run.resolve().name for run in runs]
    return names if len(set(names)) == len(names) else [*map(str, runs)]


def _read_curves(
    histories: Sequence[Sequence[dict[str, Any]]], name: str
) -> list[curve_page.Curve]:
    curves = [select_curve(lines, name) for lines in histories]
    if name.startswith("eval/"):
        return curves
    return [curve_page.smooth_curve(curve, SMOOTHING_STEPS) for curve in curves]


def _make_chart(name: str, curves_by_run: dict[str, list[curve_page.Curve]]) -> curve_page.Chart:
    curves = {run: [c for c in curves if c] for run, curves in curves_by_run.items()}
    averages = [curve_page.average_curves(run, c) for run, c in curves.items() if c]
    return curve_page.Chart(name, FIGURES[name], averages)


def _read_samples(run: Path) -> dict[int, list[curve_page.Sample]]:
    """Return the samples that the run wrote out, by step."""
    files = sorted((run / "samples").glob("step_*.jsonl"))
    steps = {}
    for file in files:
        step = int(file.stem.removeprefix("step_"))
        steps[step] = [*map(_read_sample, file.read_bytes().splitlines())]
    return steps


def _read_sample(line: bytes) -> curve_page.Sample:
    row = json.loads(line)
    facts = {
        "advantage": f"{row['advantage']:.3g}",
        "tokens": str(row["tokens"]),
        **({"masked": "yes"} if row["masked"] else {}),
        **({"flags": ", ".join(row["flags"])} if row["flags"] else {}),
    }
    return curve_page.Sample(row["problem_id"], row["prompt"], row["answer"], row["verdict"], facts)


def _show_settings(run: Path) -> Markup:
    file = run / "config.toml"
    text = file.read_text(encoding="utf-8") if file.is_file() else "There is no config.toml."
    return tag("details", tag("summary", f"{run}: settings"), tag("pre", text))
