"""One HTML page with plots: no script, no font, no picture from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from .figures import Figures, order

_SHOWN = 25  # bars of a plot
_BAR, _LABEL, _WIDTH = 18, 250, 760  # pixels
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
       color: #1c1c1c; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse } td, th { padding: .15rem .8rem .15rem 0; text-align: left }
svg text { font: 13px system-ui, sans-serif; fill: #1c1c1c } rect { fill: #3566a8 }
@media (prefers-color-scheme: dark) {
  body { color: #e6e6e6; background: #161616 } svg text { fill: #e6e6e6 } rect { fill: #7aa7e0 } }
"""


def page(figures: Figures, title: str) -> str:
    """The whole page."""
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{figures.problems} problems, {figures.trainable} of them trainable.</p>",
    ]
    if figures.stages:
        parts += ["<h2>stages</h2>", _stages(figures.stages)]
    for name, counts in figures.groups.items():
        parts += [f"<h2>{escape(name)}</h2>", _bars(order(name, counts))]
    if figures.scorer is not None:
        parts += ["<h2>difficulty scorer against measured pass rates</h2>", _scorer(figures.scorer)]
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n{body}\n</html>\n"
    )


def _bars(values: Sequence[tuple[str, int]]) -> str:
    shown = list(values[:_SHOWN])
    rest = sum(count for _, count in values[_SHOWN:])
    if rest:
        shown.append((f"{len(values) - _SHOWN} more", rest))
    most = max((count for _, count in shown), default=0) or 1
    room = _WIDTH - _LABEL - 70
    lines = []
    for number, (name, count) in enumerate(shown):
        y = number * (_BAR + 4)
        width = round(room * count / most, 1)
        label = name if len(name) <= 34 else name[:33] + "…"
        lines.append(
            f'<text x="{_LABEL - 8}" y="{y + 14}" text-anchor="end">{escape(label)}'
            f"<title>{escape(name)}</title></text>"
            f'<rect x="{_LABEL}" y="{y}" width="{width}" height="{_BAR}"/>'
            f'<text x="{_LABEL + width + 6}" y="{y + 14}">{count}</text>'
        )
    height = len(shown) * (_BAR + 4)
    drawn = "\n".join(lines)
    return f'<svg viewBox="0 0 {_WIDTH} {height}" width="100%" role="img">\n{drawn}\n</svg>'


def _stages(stages: Sequence[dict[str, Any]]) -> str:
    rows = [
        f"<tr><td>{escape(told['stage'])}</td>"
        + "".join(f"<td>{told['counts'][key]}</td>" for key in ("read", "kept", "dropped"))
        + "</tr>"
        for told in stages
    ]
    head = "<tr><th>stage</th><th>read</th><th>kept</th><th>dropped</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _scorer(told: dict[str, Any]) -> str:
    rows = [
        f"<tr><td>{name}</td>"
        + "".join(
            f"<td>{told[name][key]:.2f} ({told[name][key + '_95'][0]:.2f} to "
            f"{told[name][key + '_95'][1]:.2f})</td>"
            for key in ("spearman", "auc")
        )
        + "</tr>"
        for name in ("weighted", "fitted", "length")
    ]
    low, high = told["fitted_minus_length"]["spearman_95"]
    verdict = "better" if told["better_than_length"] else "no better"
    return (
        "<table><tr><th>scorer</th><th>Spearman (95 %)</th><th>AUC (95 %)</th></tr>"
        f"{''.join(rows)}</table><p>{told['problems']} problems, {told['families']} families. "
        f"Fitted is {verdict} than length alone (difference of Spearman {low:.2f} to {high:.2f})."
        "</p>"
    )
