"""Renders one self-contained HTML page with plots: no script, nothing loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from microcoder_eval import html
from microcoder_eval.html import Markup, tag

from .figures import Figures, sort_values


def render_page(figures: Figures, title: str) -> str:
    """Return the HTML of the page."""
    body = (tag("header", tag("h1", title)), tag("main", *_render_sections(figures)))
    return "".join(html.render_page(title, body))


def _render_sections(figures: Figures) -> Iterator[Markup]:
    yield tag("p", f"{figures.problems} problems, {figures.trainable} of them trainable.")
    if figures.stages:
        yield _make_section("stages", _render_stages(figures.stages))
    for name, counts in figures.groups.items():
        yield _make_section(name, html.draw_bars(name, sort_values(name, counts)))
    if figures.scorer is not None:
        title = "difficulty scorer against measured pass rates"
        yield _make_section(title, *_render_scorer(figures.scorer))


def _make_section(title: str, *parts: Markup) -> Markup:
    return tag("section", tag("h2", title), *parts, class_="card")


def _render_stages(stages: Sequence[dict[str, Any]]) -> Markup:
    rows = [
        (stage["stage"], *(stage["counts"][key] for key in ("read", "kept", "dropped")))
        for stage in stages
    ]
    return tag("table", *html.table_parts(("stage", "read", "kept", "dropped"), rows))


def _render_scorer(report: dict[str, Any]) -> tuple[Markup, Markup]:
    rows = [
        (name, *(_format_interval(report[name], key) for key in ("spearman", "auc")))
        for name in ("weighted", "fitted", "length")
    ]
    low, high = report["fitted_minus_length"]["spearman_95"]
    relation = "better" if report["better_than_length"] else "no better"
    note = (
        f"{report['problems']} problems, {report['families']} families. "
        f"Fitted is {relation} than length alone (difference of Spearman {low:.2f} to {high:.2f})."
    )
    head = ("scorer", "Spearman (95 %)", "AUC (95 %)")
    return tag("table", *html.table_parts(head, rows)), tag("p", note)


def _format_interval(figures: dict[str, Any], key: str) -> str:
    low, high = figures[f"{key}_95"]
    return f"{figures[key]:.2f} ({low:.2f} to {high:.2f})"
