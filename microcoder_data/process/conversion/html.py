"""Converts statements in HTML to Markdown: markdownify, with the notation of clean statements."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from microcoder_eval.errors import DataError

from .protected_spans import ProtectedSpans

# Tags that change the meaning of their text: a missing end tag is a fault.
_MUST_CLOSE = frozenset(["pre", "code", "table", "ul", "ol", "sup", "sub"])


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
    markdown = converter.convert_soup(BeautifulSoup(text, "html.parser"))
    return spans.hide_formulas(markdown), converter.images


class _TagBalance(HTMLParser):
    """Counts start tags without an end tag, and collects end tags without a start tag."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open_counts: dict[str, int] = {}
        self.stray_tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in _MUST_CLOSE:
            self.open_counts[tag] = self.open_counts.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        if tag in _MUST_CLOSE:
            if not self.open_counts.get(tag):
                self.stray_tags.append(tag)
            else:
                self.open_counts[tag] -= 1


def find_faults(text: str) -> list[str]:
    """Descriptions of what is broken in the markup."""
    balance = _TagBalance()
    balance.feed(text)
    balance.close()
    faults = [f"<{tag}> is not closed" for tag, count in balance.open_counts.items() if count]
    faults += [f"</{tag}> closes nothing" for tag in balance.stray_tags]
    if re.search(r"</?[a-zA-Z][^<>]*$", text):
        faults.append("the text ends within a tag")
    return faults
