"""Renders the page: one file that loads nothing, and runs only its own script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from microcoder_eval.html import page
from microcoder_eval.html.markup import Markup, join_markup, tag
from microcoder_eval.html.page import encode_json, make_data_element, read_asset, render_header
from microcoder_eval.records import Verdict
from microcoder_eval.results.summary import Tally

from .blocks import MAX_DETAIL_BYTES, DetailBlocks, make_problems_element, make_table_element
from .builder import ReportBuilder, shorten
from .sections import MEANINGS, render_facts, render_summary

MARK = "<!-- microcoder-eval report -->"
FIRST_LINE = f"<!doctype html>{MARK}\n"
COLUMNS = (  # (key to sort by, heading, class) of each column of the table
    ("problem", "Problem", None),
    ("solution", "Solution", None),
    ("verdict", "Verdict", None),
    ("passed", "Tests passed", "number"),
    ("seconds", "CPU time", "number"),
    ("memory", "Memory", "number"),
    ("failing", "First failing test", "number"),
    ("matched", "Matched by", None),
    ("flags", "Flags", None),
)
PROBLEM_COLUMNS = (
    ("name", "Problem", None),
    ("rate", "Solutions accepted", "number"),
    ("worst", "Tests that fail most", None),
    ("difficulty", "Difficulty", None),
    ("platform", "Platform", None),
)


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
        _render_problems(),
        _render_solutions(),
        Markup("\n</main>\n"),
        _render_dialog(),
    )
    detail_blocks = DetailBlocks(builder, max_bytes)
    yield from detail_blocks.make_elements()
    yield make_table_element(builder, detail_blocks)
    yield make_problems_element(builder)
    meanings = {str(verdict): MEANINGS[verdict] for verdict in Verdict}
    yield make_data_element("meanings", encode_json(meanings))


def _render_problems() -> Markup:
    grid = _render_sortable_table("Problems", "problem-grid", "problem-rows", PROBLEM_COLUMNS)
    return tag(
        "section",
        tag("h2", "Problems", id="h-problems"),
        tag("p", id="problem-count", class_="note"),
        tag("div", grid, class_="scrolled", tabindex="0", role="region", aria_label="Problems"),
        tag(
            "p",
            tag("button", "Show all", type="button", id="all-problems"),
            tag("button", "Download CSV", type="button", id="problem-csv"),
            class_="pager",
        ),
        id="problem-section",
        aria_labelledby="h-problems",
        class_="card",
    )


def _render_sortable_table(
    caption: str, name: str, body: str, columns: Sequence[tuple[str, str, str | None]]
) -> Markup:
    """Render a table whose rows the script adds. columns: (key, heading, class) of each."""
    headings = [
        tag(
            "th",
            tag("button", heading, type="button", data_key=key),
            scope="col",
            aria_sort="none",
            class_=css_class,
        )
        for key, heading, css_class in columns
    ]
    return tag(
        "table",
        tag("caption", caption, class_="unseen"),
        tag("thead", tag("tr", *headings)),
        tag("tbody", id=body),
        id=name,
        class_="grid",
    )


def _render_solutions() -> Markup:
    search = tag(
        "label",
        "Search ",
        tag(
            "input", type="search", id="search", autocomplete="off", spellcheck="false",
            placeholder="problem, solution, verdict, flag, method",
        ),
    )  # fmt: skip
    selects = [
        tag("label", f"{label} ", tag("select", tag("option", "all", value=""), id=label.lower()))
        for label in ("Verdict", "Difficulty", "Platform")
    ]
    grid = _render_sortable_table("Solutions", "grid", "rows", COLUMNS)
    pager = tag(
        "nav",
        tag("button", "First", type="button", id="first"),
        tag("button", "Previous", type="button", id="previous"),
        tag("span", id="place"),
        tag("button", "Next", type="button", id="next"),
        tag("button", "Last", type="button", id="last"),
        tag("button", "Download CSV", type="button", id="csv", title="all rows that are selected"),
        aria_label="Pages of the table",
        class_="pager",
    )
    return tag(
        "section",
        tag("h2", "Solutions", id="h-solutions"),
        tag("noscript", "The table and the programs need JavaScript; the figures above do not."),
        tag("div", search, *selects, role="search", class_="filters"),
        tag("p", id="found", role="status"),
        tag("div", grid, class_="scrolled", tabindex="0", role="region", aria_label="Table"),
        pager,
        id="solutions",
        tabindex="-1",
        aria_labelledby="h-solutions",
        class_="card",
    )


def _render_dialog() -> Markup:
    return tag(
        "dialog",
        tag(
            "div",
            tag("h2", id="h-detail", tabindex="-1"),
            tag(
                "p",
                tag("button", "Previous", type="button", id="before"),
                tag("button", "Next", type="button", id="after"),
                tag("button", "Close", type="button", id="close"),
                class_="steps",
            ),
            class_="top",
        ),
        tag("div", id="body"),
        id="detail",
        aria_labelledby="h-detail",
    )
