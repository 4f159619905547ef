"""HTML pages that load nothing: escaped markup, charts, the shell that all pages share with its
content policy, and a page of curves."""

from __future__ import annotations

from .charts import Histogram, draw_bar, draw_bars, draw_histogram, table_parts
from .curves import Chart, Curve, Sample, Series, average_curves, render_curves, smooth_curve
from .markup import Markup, escape_html, escape_invisible, join_markup, tag
from .page import (
    encode_json,
    make_card,
    make_content_policy,
    make_data_element,
    make_note_of_more,
    make_table,
    read_asset,
    render_header,
    render_page,
)

__all__ = [
    "Chart",
    "Curve",
    "Histogram",
    "Markup",
    "Sample",
    "Series",
    "average_curves",
    "draw_bar",
    "draw_bars",
    "draw_histogram",
    "encode_json",
    "escape_html",
    "escape_invisible",
    "join_markup",
    "make_card",
    "make_content_policy",
    "make_data_element",
    "make_note_of_more",
    "make_table",
    "read_asset",
    "render_curves",
    "render_header",
    "render_page",
    "smooth_curve",
    "table_parts",
    "tag",
]
