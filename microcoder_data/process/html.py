"""Statements in HTML, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from .protected import Protected

_BLOCKS = frozenset({
    "p", "div", "section", "article", "center", "blockquote", "header", "footer", "main", "dl",
    "dt", "dd", "figure", "form", "fieldset", "body", "html", "tr", "caption"
})  # fmt: skip
_SKIPPED = frozenset({
    "script", "style", "head", "noscript", "button", "iframe", "svg", "nav", "input", "select"
})  # fmt: skip
_HEADINGS = {"h1": "#", "h2": "##", "h3": "##", "h4": "##", "h5": "##", "h6": "##"}
_CODE = frozenset({"code", "tt", "kbd", "samp"})
# Tags whose text changes its meaning when one is not closed.
_MUST_CLOSE = frozenset(["pre", "code", "table", "ul", "ol", "sup", "sub"])
_TITLES = frozenset({"section-title", "header", "title"})
_SIMPLE = re.compile(r"\w+|[+\-]?\d+")


def to_markdown(text: str, hidden: Protected) -> tuple[str, int]:
    """The page's text as Markdown, and how many pictures it shows.

    Raises DataError when the parser is not installed.
    """
    from microcoder_eval.errors import DataError

    try:
        from bs4 import BeautifulSoup
    except ImportError as error:
        raise DataError("HTML needs beautifulsoup4: install microcoder[data]") from error
    soup = BeautifulSoup(text, "html.parser")
    walker = _Walker(hidden)
    return hidden.formulas(walker.blocks(soup)), walker.images


class _Walker:
    """Walks the tree once."""

    def __init__(self, hidden: Protected) -> None:
        self._hidden = hidden
        self.images = 0

    def blocks(self, node: Any) -> str:
        return "".join(self._each(node))

    def _each(self, node: Any) -> Iterator[str]:
        for child in node.children:
            if child.name is None:
                if type(child).__name__ == "NavigableString":
                    yield re.sub(r"\s+", " ", str(child))
            else:
                yield self._tag(child)

    def _tag(self, node: Any) -> str:
        name = node.name.lower()
        if name == "script" and "math/tex" in (node.get("type") or ""):
            return self._hidden.formulas(f"\\({node.get_text()}\\)")
        if name in _SKIPPED:
            return ""
        if name == "br":
            return "\n"
        if name == "hr":
            return "\n\n"
        if name == "img":
            return self._image(node)
        if name == "pre":
            return f"\n\n{self._hidden.hide(_fence(_pre_text(node)))}\n\n"
        if name in _HEADINGS:
            return f"\n\n{_HEADINGS[name]} {self._line(node)}\n\n"
        if name in ("ul", "ol"):
            return self._list(node, ordered=name == "ol")
        if name == "table":
            return self._table(node)
        return self._inline(node, name)

    def _inline(self, node: Any, name: str) -> str:
        if name in _CODE:
            code = node.get_text().strip()
            if "\n" in code:
                return f"\n\n{self._hidden.hide(_fence(code))}\n\n"
            return self._hidden.hide(f"`{code}`") if code else ""
        if name in ("sup", "sub"):
            inner = self._line(node)
            mark = "^" if name == "sup" else "_"
            return mark + (inner if _SIMPLE.fullmatch(inner) else f"({inner})") if inner else ""
        if name == "div" and _TITLES & set(node.get("class") or ()):
            return f"\n\n## {self._line(node).lstrip('# ')}\n\n"
        if name in _BLOCKS:
            return f"\n\n{self.blocks(node)}\n\n"
        return self.blocks(node)

    def _line(self, node: Any) -> str:
        return " ".join(self.blocks(node).split())

    def _image(self, node: Any) -> str:
        told = " ".join((node.get("alt") or "").split())
        if "tex" in " ".join(node.get("class") or ()) and told:  # a formula as a picture
            return self._hidden.formulas(f"\\({told}\\)")
        self.images += 1
        return f"[image: {told}]" if told else "[image]"

    def _list(self, node: Any, *, ordered: bool) -> str:
        lines = []
        for number, item in enumerate(node.find_all("li", recursive=False), 1):
            mark = f"{number}. " if ordered else "- "
            inner = re.sub(r"\n\s*\n+", "\n", self.blocks(item).strip())
            lines.append(mark + inner.replace("\n", "\n" + " " * len(mark)))
        return "\n\n" + "\n".join(lines) + "\n\n"

    def _table(self, node: Any) -> str:
        if node.find("pre") is not None:  # examples are laid out so: the cells are what counts
            cells = node.find_all(["td", "th"])
            return "".join(f"\n\n{self.blocks(cell)}\n\n" for cell in cells)
        rows = [
            [self._line(cell).replace("|", "\\|") for cell in row.find_all(["td", "th"])]
            for row in node.find_all("tr")
        ]
        return "\n\n" + "\n".join(table(rows)) + "\n\n"


def table(rows: list[list[str]]) -> Iterator[str]:
    """Lines of a table, the first row being its head."""
    width = max(map(len, rows), default=0)
    for number, row in enumerate(rows):
        yield f"| {' | '.join(row + [''] * (width - len(row)))} |"
        if number == 0:
            yield f"|{'---|' * width}"


def _pre_text(node: Any) -> str:
    """Examples as Codeforces has them: lines are <br> or <div>."""
    for line in node.find_all("br"):
        line.replace_with("\n")
    for line in node.find_all("div"):
        line.append("\n")
    return str(node.get_text())


def _fence(code: str) -> str:
    body = code.replace("\r\n", "\n").strip("\n")
    return f"```\n{body}\n```"


class _Balance(HTMLParser):
    """Counts tags that must be closed and are not, or are closed and were not opened."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: dict[str, int] = {}
        self.stray: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in _MUST_CLOSE:
            self.open[tag] = self.open.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        if tag in _MUST_CLOSE:
            if not self.open.get(tag):
                self.stray.append(tag)
            else:
                self.open[tag] -= 1


def faults(text: str) -> list[str]:
    """What is broken in the markup, in words."""
    balance = _Balance()
    balance.feed(text)
    balance.close()
    told = [f"<{tag}> is not closed" for tag, count in balance.open.items() if count]
    told += [f"</{tag}> closes nothing" for tag in balance.stray]
    if re.search(r"</?[a-zA-Z][^<>]*$", text):
        told.append("the text ends within a tag")
    return told
