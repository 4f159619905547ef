"""Renders one self-contained HTML page with bars, and a section for each reason and flag with
examples, source beside output: no script, nothing loaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from microcoder_data.history import Step
from microcoder_data.reasons import REASONS
from microcoder_data.rows import get_text
from microcoder_eval.html import page
from microcoder_eval.html.markup import Markup, tag
from microcoder_eval.html.page import draw_bar, make_card, make_table

from .figures import Figures, sort_values

_MAX_CHARACTERS = 20_000  # of a statement
_MAX_VALUES = 25  # of a table
_STYLE = """
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
.pair pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 40rem; overflow-y: auto }
"""


def render_page(
    figures: Figures, title: str, examples: Mapping[str, Sequence[Step]] | None = None
) -> str:
    """Return the HTML of the page. examples: by reason or flag."""
    sections = [
        *_render_sections(figures),
        *(_render_examples(name, items) for name, items in (examples or {}).items()),
    ]
    body = (tag("header", tag("h1", title)), tag("main", *sections))
    return "".join(page.render_page(title, body, style=_STYLE))


def _render_sections(figures: Figures) -> Iterator[Markup]:
    yield tag("p", f"{figures.problems} problems, {figures.trainable} of them trainable.")
    if figures.stages:
        yield make_card("stages", _render_stages(figures.stages))
    groups = figures.groups.items()
    cards = (make_card(n, _render_counts(n, sort_values(n, counts))) for n, counts in groups)
    yield tag("div", *cards, class_="columns")


def _render_counts(title: str, values: Sequence[tuple[str, int]]) -> Markup:
    """Render the counts of the first values, and that of all others."""
    counts = list(values[:_MAX_VALUES])
    if remainder := sum(count for _, count in values[_MAX_VALUES:]):
        counts.append((f"{len(values) - _MAX_VALUES} more", remainder))
    largest = max((count for _, count in counts), default=0) or 1
    rows = [(name, count, draw_bar((count / largest, "good"))) for name, count in counts]
    return make_table((title, "problems", ""), rows)


def _render_examples(name: str, examples: Sequence[Step]) -> Markup:
    """Render a section with its examples, each of which opens to source and output."""
    meaning = REASONS[name].text if name in REASONS else ""
    return make_card(name, tag("p", meaning), *map(_render_example, examples))


def _render_example(example: Step) -> Markup:
    columns = [
        tag("div", tag("h3", title), tag("pre", get_text(row or {}, "statement")[:_MAX_CHARACTERS]))
        for title, row in (("source", example.before), ("output", example.after))
    ]
    name = example.after["problem_id"] or "no id"
    detail = "kept" if example.drop is None else example.drop["detail"]
    summary = tag("summary", f"{name}: {detail}")
    return tag("details", summary, tag("div", *columns, class_="pair"))


def _render_stages(stages: Sequence[dict[str, Any]]) -> Markup:
    rows = [
        (stage["stage"], *(stage["counts"][key] for key in ("read", "kept", "dropped")))
        for stage in stages
    ]
    return make_table(("stage", "read", "kept", "dropped"), rows)
