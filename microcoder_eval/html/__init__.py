"""Parts of HTML pages that load nothing: escaped markup, and the head with its content policy."""

from __future__ import annotations

from .markup import Markup, escape_html, escape_invisible, join_markup, tag
from .page import make_content_policy, render_head

__all__ = [
    "Markup",
    "escape_html",
    "escape_invisible",
    "join_markup",
    "make_content_policy",
    "render_head",
    "tag",
]
