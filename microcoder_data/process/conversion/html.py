"""Converts statements in HTML to Markdown: markdownify, with the notation of clean statements."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from typing import Any

from microcoder_eval.errors import DataError

from . import maths
from .notation import make_fence, make_image, make_script
from .protected_spans import ProtectedSpans

# Tags that change the meaning of their text: a missing end tag is a fault.
_MUST_CLOSE = frozenset(["pre", "code", "table", "ul", "ol", "sup", "sub"])
_SKIPPED_TAGS = (
    "style", "head", "noscript", "button", "iframe", "svg", "nav", "input", "select", "title",
)  # fmt: skip
_PLAIN_TAGS = ("b", "strong", "i", "em", "a", "del", "s", "q", "blockquote", "figcaption", "dd")
_TITLE_CLASSES = frozenset({"section-title", "header", "title"})


def to_markdown(text: str, spans: ProtectedSpans) -> tuple[str, int]:
    """The text as Markdown, and the number of pictures.

    Raises DataError when the parser is not installed.
    """
    try:
        from bs4 import BeautifulSoup

        converter = _make_converter_class()(spans)
    except ImportError as error:
        raise DataError("HTML needs markdownify: install microcoder[data]") from error
    markdown = converter.convert_soup(BeautifulSoup(text, "html.parser"))
    return spans.hide_formulas(markdown), converter.images


@cache
def _make_converter_class() -> Any:
    """The class of converters; made here because the library is imported late."""
    from markdownify import ATX, MarkdownConverter

    base: Any = MarkdownConverter

    class Converter(base):  # type: ignore[misc]
        """Converts a tree, and counts its pictures."""

        def __init__(self, spans: ProtectedSpans) -> None:
            super().__init__(
                heading_style=ATX, bullets="-", escape_asterisks=False,
                escape_underscores=False, escape_misc=False,
            )  # fmt: skip
            self._spans = spans
            self.images = 0

        def convert_hN(self, n: int, el: Any, text: str, parent_tags: set[str]) -> str:  # noqa: N802
            return f"\n\n{'#' * min(n, 2)} {' '.join(text.split())}\n\n" if text.strip() else ""

        def convert_div(self, el: Any, text: str, parent_tags: set[str]) -> str:
            if "pre" in parent_tags:  # Codeforces: a line of an example
                return f"{text}\n"
            if _TITLE_CLASSES & set(el.get("class") or ()):
                return self.convert_hN(2, el, text.lstrip("# \n"), parent_tags)
            return f"\n\n{text.strip()}\n\n"

        def convert_br(self, el: Any, text: str, parent_tags: set[str]) -> str:
            return "\n"

        def convert_hr(self, el: Any, text: str, parent_tags: set[str]) -> str:
            return "\n\n"

        def convert_sup(self, el: Any, text: str, parent_tags: set[str]) -> str:
            return make_script("^", " ".join(text.split()))

        def convert_sub(self, el: Any, text: str, parent_tags: set[str]) -> str:
            return make_script("_", " ".join(text.split()))

        def convert_var(self, el: Any, text: str, parent_tags: set[str]) -> str:
            formula = maths.to_plain_text(text)  # AtCoder: a formula in TeX
            return text if formula is None else self._spans.hide(formula)

        def convert_script(self, el: Any, text: str, parent_tags: set[str]) -> str:
            is_formula = "math/tex" in (el.get("type") or "")
            return self._spans.hide_formulas(f"\\({el.get_text()}\\)") if is_formula else ""

        def convert_code(self, el: Any, text: str, parent_tags: set[str]) -> str:
            if "pre" in parent_tags or not text.strip():
                return text
            if "\n" in text.strip():
                return self.convert_pre(el, text, parent_tags)
            return self._spans.hide(f"`{text.strip()}`")

        convert_tt = convert_kbd = convert_samp = convert_code

        def convert_pre(self, el: Any, text: str, parent_tags: set[str]) -> str:
            return f"\n\n{self._spans.hide(make_fence(text))}\n\n"

        def convert_img(self, el: Any, text: str, parent_tags: set[str]) -> str:
            description = " ".join((el.get("alt") or "").split())
            if "tex" in " ".join(el.get("class") or ()) and description:  # a formula
                return self._spans.hide_formulas(f"\\({description}\\)")
            self.images += 1
            return make_image(description)

        def convert_table(self, el: Any, text: str, parent_tags: set[str]) -> str:
            if el.find("pre") is None:
                return str(super().convert_table(el, text, parent_tags))
            # The layout of examples, not a table of values.
            cells = (self.process_tag(cell, set()) for cell in el.find_all("pre"))
            titles = [" ".join(cell.get_text().split()) for cell in el.find_all("th")]
            return "".join(f"\n\n{part}\n\n" for part in [*titles, *cells])

    def skip(self: Any, el: Any, text: str, parent_tags: set[str]) -> str:
        return ""

    def pass_through(self: Any, el: Any, text: str, parent_tags: set[str]) -> str:
        return text

    rules: dict[str, Callable[..., str]] = dict.fromkeys(_SKIPPED_TAGS, skip)
    rules |= dict.fromkeys(_PLAIN_TAGS, pass_through)
    for tag, rule in rules.items():
        setattr(Converter, f"convert_{tag}", rule)
    return Converter


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
