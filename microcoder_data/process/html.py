"""Converts statements in HTML to Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from microcoder_eval.errors import DataError

from .notation import format_table, make_fence, make_image, make_script
from .protected_spans import ProtectedSpans

_BLOCK_TAGS = frozenset({
    "p", "div", "section", "article", "center", "blockquote", "header", "footer", "main", "dl",
    "dt", "dd", "figure", "form", "fieldset", "body", "html", "tr", "caption"
})  # fmt: skip
_SKIPPED_TAGS = frozenset({
    "script", "style", "head", "noscript", "button", "iframe", "svg", "nav", "input", "select"
})  # fmt: skip
_HEADINGS = {"h1": "#", "h2": "##", "h3": "##", "h4": "##", "h5": "##", "h6": "##"}
_CODE_TAGS = frozenset({"code", "tt", "kbd", "samp"})
# Tags that change the meaning of their text: a missing end tag is a fault.
_MUST_CLOSE = frozenset(["pre", "code", "table", "ul", "ol", "sup", "sub"])
_TITLE_CLASSES = frozenset({"section-title", "header", "title"})


def to_markdown(text: str, spans: ProtectedSpans) -> tuple[str, int]:
    """The text as Markdown, and the number of pictures.

    Raises DataError when the parser is not installed.
    """
    try:
        from bs4 import BeautifulSoup
    except ImportError as error:
        raise DataError("HTML needs beautifulsoup4: install microcoder[data]") from error
    soup = BeautifulSoup(text, "html.parser")
    walker = _Walker(spans)
    return spans.hide_formulas(walker.convert_node(soup)), walker.images


class _Walker:
    """Converts a tree, and counts its pictures."""

    def __init__(self, spans: ProtectedSpans) -> None:
        self._spans = spans
        self.images = 0

    def convert_node(self, node: Any) -> str:
        return "".join(self._convert_children(node))

    def _convert_children(self, node: Any) -> Iterator[str]:
        for child in node.children:
            if child.name is None:
                if type(child).__name__ == "NavigableString":
                    yield re.sub(r"\s+", " ", str(child))
            else:
                yield self._convert_tag(child)

    def _convert_tag(self, node: Any) -> str:
        name = node.name.lower()
        if name == "script" and "math/tex" in (node.get("type") or ""):
            return self._spans.hide_formulas(f"\\({node.get_text()}\\)")
        if name in _SKIPPED_TAGS:
            return ""
        if name == "br":
            return "\n"
        if name == "hr":
            return "\n\n"
        if name == "img":
            return self._convert_image(node)
        if name == "pre":
            return f"\n\n{self._spans.hide(make_fence(_read_pre_text(node)))}\n\n"
        if name in _HEADINGS:
            return f"\n\n{_HEADINGS[name]} {self._convert_line(node)}\n\n"
        if name in ("ul", "ol"):
            return self._convert_list(node, is_numbered=name == "ol")
        if name == "table":
            return self._convert_table(node)
        return self._convert_inline(node, name)

    def _convert_inline(self, node: Any, name: str) -> str:
        if name in _CODE_TAGS:
            code = node.get_text().strip()
            if "\n" in code:
                return f"\n\n{self._spans.hide(make_fence(code))}\n\n"
            return self._spans.hide(f"`{code}`") if code else ""
        if name in ("sup", "sub"):
            return make_script("^" if name == "sup" else "_", self._convert_line(node))
        if name == "div" and _TITLE_CLASSES & set(node.get("class") or ()):
            return f"\n\n## {self._convert_line(node).lstrip('# ')}\n\n"
        if name in _BLOCK_TAGS:
            return f"\n\n{self.convert_node(node)}\n\n"
        return self.convert_node(node)

    def _convert_line(self, node: Any) -> str:
        return " ".join(self.convert_node(node).split())

    def _convert_image(self, node: Any) -> str:
        description = " ".join((node.get("alt") or "").split())
        if "tex" in " ".join(node.get("class") or ()) and description:  # a picture of a formula
            return self._spans.hide_formulas(f"\\({description}\\)")
        self.images += 1
        return make_image(description)

    def _convert_list(self, node: Any, *, is_numbered: bool) -> str:
        lines = []
        for number, item in enumerate(node.find_all("li", recursive=False), 1):
            mark = f"{number}. " if is_numbered else "- "
            text = re.sub(r"\n\s*\n+", "\n", self.convert_node(item).strip())
            lines.append(mark + text.replace("\n", "\n" + " " * len(mark)))
        return "\n\n" + "\n".join(lines) + "\n\n"

    def _convert_table(self, node: Any) -> str:
        if node.find("pre") is not None:  # the layout of examples, not a table of values
            cells = node.find_all(["td", "th"])
            return "".join(f"\n\n{self.convert_node(cell)}\n\n" for cell in cells)
        rows = [
            [self._convert_line(cell).replace("|", "\\|") for cell in row.find_all(["td", "th"])]
            for row in node.find_all("tr")
        ]
        return "\n\n" + "\n".join(format_table(rows)) + "\n\n"


def _read_pre_text(node: Any) -> str:
    """The lines of an example; on Codeforces they end with <br> or are a <div>."""
    for line in node.find_all("br"):
        line.replace_with("\n")
    for line in node.find_all("div"):
        line.append("\n")
    return str(node.get_text())


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
