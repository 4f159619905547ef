"""Renders the page: one file that loads nothing, and runs only its own script."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from microcoder_eval.html import page
from microcoder_eval.html.markup import Markup, join_markup, tag
from microcoder_eval.html.page import encode_json, make_data_element, read_asset, render_header
from microcoder_eval.records import Verdict
from microcoder_eval.results.summary import Tally

from .builder import ReportBuilder
from .excerpts import shorten
from .script_data import MAX_DETAIL_BYTES, DetailBlocks, make_problems_element, make_table_element
from .sections import MEANINGS, render_facts, render_summary

MARK = "<!-- microcoder-eval report -->"
FIRST_LINE = f"<!doctype html>{MARK}\n"


def render_page(
    builder: ReportBuilder,
    tally: Tally,
    facts: dict[str, Any],
    max_bytes: int = MAX_DETAIL_BYTES,
    *,
    title: str | None = None,
) -> Iterator[str]:
    """Return the page in parts.

    title: the page's title.
    facts: shown under it.
    max_bytes: bound on programs and outputs.
    """
    scripts = ("highlight.js", "problems.js", "report.js")
    return page.render_page(
        shorten(title or "MicroCoder: evaluation report"),
        _render_body(builder, tally, facts, max_bytes, shorten(title or "Evaluation report")),
        style=read_asset(__package__, "report.css"),
        script="".join(read_asset(__package__, name) for name in scripts),
        mark=MARK,
    )


def _render_body(
    builder: ReportBuilder, tally: Tally, facts: dict[str, Any], max_bytes: int, title: str
) -> Iterator[str]:
    yield tag("a", "Skip to the solutions", href="#solutions", class_="skip")
    yield render_header(title, render_facts(facts))
    yield join_markup(
        Markup("<main>\n"),
        render_summary(builder, tally),
        Markup(read_asset(__package__, "tables.html")),
        Markup("</main>\n"),
        Markup(read_asset(__package__, "dialog.html")),
    )
    detail_blocks = DetailBlocks(builder, max_bytes)
    yield from detail_blocks.make_elements()
    yield make_table_element(builder, detail_blocks)
    yield make_problems_element(builder)
    meanings = {str(verdict): MEANINGS[verdict] for verdict in Verdict}
    yield make_data_element("meanings", encode_json(meanings))
