"""Converts statements in HTML to Markdown: markdownify, with the notation of clean statements."""

from __future__ import annotations

import re
from typing import Any

from microcoder_eval.errors import DataError

from .html_tags import escape_comparisons, mend_scripts
from .protected_spans import ProtectedSpans

# It matches from the start of a rule only: attempts within rules took a third of a page's time.
_HIDING_RULE = re.compile(r"(?<![^{}])([^{}]+)\{[^{}]*(?:display:\s*none|visibility:\s*hidden)")


def to_markdown(text: str, spans: ProtectedSpans) -> tuple[str, int]:
    """Return the text as Markdown, and the number of pictures.

    Raises DataError when the parser is not installed.
    """
    try:
        from bs4 import BeautifulSoup, Tag

        from .html_rules import Converter, Element
    except ImportError as error:
        raise DataError("HTML needs markdownify: pip install '.[data]' in the checkout") from error
    converter = Converter(spans)
    page = escape_comparisons(mend_scripts(text))
    soup = BeautifulSoup(page, "html.parser", element_classes={Tag: Element})
    _remove_hidden(soup)
    _restore_formulas(soup)
    markdown = converter.convert_soup(soup)
    return spans.hide_formulas(markdown), converter.images


def _remove_hidden(soup: Any) -> None:
    """Remove what the page's own style hides, such as buttons; never paragraphs or samples."""
    for name in {
        name
        for style in soup.find_all("style")
        for selectors in _HIDING_RULE.findall(style.get_text())
        for name in re.findall(r"\.([\w-]+)\s*(?:,|\Z)", selectors.strip())
    }:
        for element in soup.find_all(class_=name):
            if element.find(["p", "pre", "table"]) is None:
                element.decompose()


def _restore_formulas(soup: Any) -> None:
    """Put the source of each formula that KaTeX drew in place of the drawing, which is in the page
    twice: for readers and for screen readers."""
    for drawing in soup.select(".katex, math"):
        if (source := drawing.find("annotation")) is not None:
            drawing.replace_with(f"\\({source.get_text()}\\)")
