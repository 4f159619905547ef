"""Parts of HTML pages that load nothing: escaped markup, data, the head with its content policy,
and a page of curves."""

from __future__ import annotations

from .curves import Chart, Curve, Sample, Series, average_curves, render_curves, smooth_curve
from .markup import Markup, escape_html, escape_invisible, join_markup, tag
from .page import (
    encode_json,
    make_content_policy,
    make_data_element,
    read_asset,
    read_theme,
    render_head,
)

__all__ = [
    "Chart",
    "Curve",
    "Markup",
    "Sample",
    "Series",
    "average_curves",
    "encode_json",
    "escape_html",
    "escape_invisible",
    "join_markup",
    "make_content_policy",
    "make_data_element",
    "read_asset",
    "read_theme",
    "render_curves",
    "render_head",
    "smooth_curve",
    "tag",
]
