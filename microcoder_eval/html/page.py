"""The frame of all pages. A page runs only its own script and loads nothing."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any

from .markup import Markup, tag


def read_asset(package: str, name: str) -> str:
    """Read a file of the package's folder ``assets``; its line ends are those of the file."""
    return (files(package) / "assets" / name).read_text(encoding="utf-8")


def render_page(
    title: str,
    body: Iterable[str],
    *,
    style: str = "",
    script: str | None = None,
    mark: str = "",
) -> Iterator[str]:
    """Yield a page in parts.

    style, script: those of this page, which follow the common ones. None: the page runs no script,
    not even that of the header's choice of colours. mark: a comment on the first line.
    """
    style = read_asset(__package__, "page.css") + style
    script = "" if script is None else read_asset(__package__, "page.js") + script
    yield f"<!doctype html>{mark}\n" + '<html lang="en">\n'
    yield _render_head(title, style, script)
    yield "<body>\n"
    yield from body
    if script:
        yield tag("script", Markup(script))
    yield "</body></html>\n"


def render_header(title: str, facts: Markup | None = None) -> Markup:
    """Render the title, the line below it, and the choice of colours, which needs a script."""
    options = [tag("option", name, value=name) for name in ("system", "light", "dark")]
    colours = tag("label", "Colours ", tag("select", *options, id="theme"))
    return tag("header", tag("h1", title), facts or "", colours)


def make_card(title: str, *content: object, name: str | None = None) -> Markup:
    """Make a section with a heading. name: the heading's id is made of it, for screen readers."""
    heading_id = None if name is None else f"h-{name}"
    heading = tag("h2", title, id=heading_id)
    return tag("section", heading, *content, aria_labelledby=heading_id, class_="card")


def make_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
    """Make a table that scrolls where it is wider than the page; the first cell of each row is its
    heading."""
    if not rows:
        return tag("p", "None.", class_="note")
    top = tag("tr", *(tag("th", name, scope="col") for name in head))
    body = [
        tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:]))
        for row in rows
    ]
    return tag("div", tag("table", tag("thead", top), tag("tbody", *body)), class_="scrolled")


def draw_bar(*parts: tuple[float, str]) -> Markup:
    """Draw a bar for a cell of a table; other cells have the numbers.

    parts: from the left, the share of the whole bar and the CSS class of each.
    """
    start, shapes = 0.0, [tag("rect", x=0, y=0, width=100, height=10, class_="track")]
    for share, css_class in parts:
        width = 100 * min(1.0, max(0.0, share))
        size = {"x": f"{start:.2f}", "y": 0, "width": f"{width:.2f}", "height": 10}
        shapes.append(tag("rect", **size, class_=css_class))
        start += width
    return tag(
        "svg",
        *shapes,
        viewBox="0 0 100 10",
        preserveAspectRatio="none",
        aria_hidden="true",
        class_="bar",
    )


def make_note_of_more(count: int) -> Markup:
    """Make the line below a list that leaves out ``count`` items."""
    return tag("p", f"and {count:,} more", class_="note") if count > 0 else Markup("")


def make_data_element(name: str, text: str) -> Markup:
    """Make a script element that holds data, as ``encode_json`` wrote it."""
    return Markup(f'<script type="application/json" id="{name}">{text}</script>\n')


def encode_json(value: Any) -> str:
    """Encode a value as JSON for a script element: ASCII, without <, > and &."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _render_head(title: str, style: str, script: str) -> Markup:
    """Render the head with the style. ``script`` must be exactly the page's script, or empty if it
    has none."""
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag(
            "meta",
            http_equiv="Content-Security-Policy",
            content=_make_content_policy(style, script),
        ),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", Markup(style)),
    )


def _make_content_policy(style: str, script: str) -> str:
    """Return the content policy: it allows only the page's own style and script, by their
    hashes."""
    return "; ".join(
        (
            "default-src 'none'",
            *((f"script-src '{_hash(script)}'",) if script else ()),
            f"style-src '{_hash(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
