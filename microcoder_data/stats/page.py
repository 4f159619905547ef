"""Renders one self-contained HTML page with plots: no script, nothing loaded."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any
from unicodedata import east_asian_width

from .figures import Figures, sort_values

_MAX_BARS = 25  # bars of a plot
_BAR_HEIGHT, _PLOT_WIDTH, _COUNT_WIDTH = 18, 440, 70  # pixels
_CHARACTER_WIDTH = 7.5  # pixels of a letter of 13 px on average; of the widest alphabets more
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
       color: #1c1c1c; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse } td, th { padding: .15rem .8rem .15rem 0; text-align: left }
svg text { font: 13px system-ui, sans-serif; fill: #1c1c1c } rect { fill: #3566a8 }
@media (prefers-color-scheme: dark) {
  body { color: #e6e6e6; background: #161616 } svg text { fill: #e6e6e6 } rect { fill: #7aa7e0 } }
"""


def render_page(figures: Figures, title: str) -> str:
    """Return the HTML of the page."""
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{figures.problems} problems, {figures.trainable} of them trainable.</p>",
    ]
    if figures.stages:
        parts += ["<h2>stages</h2>", _render_stages(figures.stages)]
    for name, counts in figures.groups.items():
        parts += [f"<h2>{escape(name)}</h2>", _render_bars(sort_values(name, counts))]
    if figures.scorer is not None:
        parts += [
            "<h2>difficulty scorer against measured pass rates</h2>",
            _render_scorer(figures.scorer),
        ]
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n{body}\n</html>\n"
    )


def _render_bars(values: Sequence[tuple[str, int]]) -> str:
    bars = list(values[:_MAX_BARS])
    remainder = sum(count for _, count in values[_MAX_BARS:])
    if remainder:
        bars.append((f"{len(values) - _MAX_BARS} more", remainder))
    largest = max((count for _, count in bars), default=0) or 1
    label_width = 16 + max((_measure_label(name) for name, _ in bars), default=0)
    lines = []
    for number, (name, count) in enumerate(bars):
        y = number * (_BAR_HEIGHT + 4)
        width = round(_PLOT_WIDTH * count / largest, 1)
        lines.append(
            f'<text x="{label_width - 8}" y="{y + 14}" text-anchor="end">{escape(name)}</text>'
            f'<rect x="{label_width}" y="{y}" width="{width}" height="{_BAR_HEIGHT}"/>'
            f'<text x="{label_width + width + 6}" y="{y + 14}">{count}</text>'
        )
    total_width = label_width + _PLOT_WIDTH + _COUNT_WIDTH
    height = len(bars) * (_BAR_HEIGHT + 4)
    elements = "\n".join(lines)
    return (
        f'<svg viewBox="0 0 {total_width} {height}" width="100%" '
        f'style="max-width: {total_width}px" role="img">\n{elements}\n</svg>'
    )


def _measure_label(name: str) -> int:
    """Pixels of a label; wide letters (of East Asia) take twice the room."""
    widths = (2 if east_asian_width(letter) in "WF" else 1 for letter in name)
    return int(_CHARACTER_WIDTH * sum(widths))


def _render_stages(stages: Sequence[dict[str, Any]]) -> str:
    rows = [
        f"<tr><td>{escape(stage['stage'])}</td>"
        + "".join(f"<td>{stage['counts'][key]}</td>" for key in ("read", "kept", "dropped"))
        + "</tr>"
        for stage in stages
    ]
    head = "<tr><th>stage</th><th>read</th><th>kept</th><th>dropped</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _render_scorer(report: dict[str, Any]) -> str:
    rows = [
        f"<tr><td>{name}</td>"
        + "".join(
            f"<td>{report[name][key]:.2f} ({report[name][key + '_95'][0]:.2f} to "
            f"{report[name][key + '_95'][1]:.2f})</td>"
            for key in ("spearman", "auc")
        )
        + "</tr>"
        for name in ("weighted", "fitted", "length")
    ]
    low, high = report["fitted_minus_length"]["spearman_95"]
    relation = "better" if report["better_than_length"] else "no better"
    return (
        "<table><tr><th>scorer</th><th>Spearman (95 %)</th><th>AUC (95 %)</th></tr>"
        f"{''.join(rows)}</table><p>{report['problems']} problems, {report['families']} families. "
        f"Fitted is {relation} than length alone (difference of Spearman {low:.2f} to {high:.2f})."
        "</p>"
    )
