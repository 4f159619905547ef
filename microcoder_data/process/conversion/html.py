"""Converts statements in HTML to Markdown: markdownify, with the notation of clean statements."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from microcoder_eval.errors import DataError

from .protected_spans import ProtectedSpans

# Tags that change the meaning of their text: a missing end tag is a fault. An end tag too many
# changes nothing.
_MUST_CLOSE = ("pre", "code", "table", "ul", "ol", "sup", "sub")
_CODE_OF_PAGE = re.compile(r"<(script|style)\b.*?</\1>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<(/?\w+)(?:\s[^<>]*)?>")
_HIDING_RULE = re.compile(r"([^{}]+)\{[^{}]*(?:display:\s*none|visibility:\s*hidden)")


def to_markdown(text: str, spans: ProtectedSpans) -> tuple[str, int]:
    """Return the text as Markdown, and the number of pictures.

    Raises DataError when the parser is not installed.
    """
    try:
        from bs4 import BeautifulSoup

        from .html_rules import Converter
    except ImportError as error:
        raise DataError("HTML needs markdownify: pip install '.[data]' in the checkout") from error
    converter = Converter(spans)
    soup = BeautifulSoup(text, "html.parser")
    _remove_hidden(soup)
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


def find_faults(text: str) -> list[str]:
    """Descriptions of what is broken in the markup."""
    tags = Counter(tag.lower() for tag in _TAG.findall(_CODE_OF_PAGE.sub("", text)))
    faults = [f"<{tag}> is not closed" for tag in _MUST_CLOSE if tags[tag] > tags[f"/{tag}"]]
    if re.search(r"</?[a-zA-Z][^<>]*$", text):
        faults.append("the text ends within a tag")
    return faults
