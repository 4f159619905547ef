"""The rules by which markdownify writes the Markdown of clean statements.

Imported late: markdownify belongs to the extra `data`.
"""

from __future__ import annotations

import re
from itertools import chain, zip_longest
from typing import Any

from bs4 import Tag
from markdownify import ATX, MarkdownConverter

from . import maths
from .notation import make_fence, make_image, make_script
from .protected_spans import ProtectedSpans

_Base: Any = MarkdownConverter
_SKIPPED_TAGS = (
    "style", "head", "noscript", "button", "iframe", "nav", "input", "select", "title",
)  # fmt: skip
_PLAIN_TAGS = ("b", "strong", "i", "em", "a", "q", "blockquote", "dd")
_PICTURE_LINE = re.compile(r"^[ \t]*(\[image(?:: [^\]\n]*)?\])[ \t]*\n?", re.MULTILINE)
_SIGN = re.compile(  # Markdown would read an item or a title: "* - a trap", "<b>#</b> - a wall"
    r"^[ \t]*[*+](?=[ \t])|\A[*+#]\Z", re.MULTILINE
)
_TITLE_CLASSES = frozenset({"section-title", "header", "title"})


class Element(Tag):  # type: ignore[misc]
    """An element that is quick to say which other it is in: markdownify asks each."""

    def find_parent(self, name: Any = None, *_: Any, **__: Any) -> Any:
        parent = self.parent
        while parent is not None and parent.name != name:
            parent = parent.parent
        return parent


class Converter(_Base):  # type: ignore[misc]
    """Converts a tree, and counts its pictures."""

    def __init__(self, spans: ProtectedSpans) -> None:
        super().__init__(
            heading_style=ATX, bullets="-", escape_asterisks=False,
            escape_underscores=False, escape_misc=False, table_infer_header=True,
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

    convert_figure = convert_figcaption = convert_div

    def convert_li(self, el: Any, text: str, parent_tags: set[str]) -> str:
        start = "" if el.parent.name in ("ul", "ol") else "\n"  # an item in a paragraph
        return start + str(super().convert_li(el, text, parent_tags))

    def convert_br(self, el: Any, text: str, parent_tags: set[str]) -> str:
        return "\n"

    def convert_hr(self, el: Any, text: str, parent_tags: set[str]) -> str:
        return "\n\n"

    def convert_sup(self, el: Any, text: str, parent_tags: set[str]) -> str:
        return make_script("^", text)

    def convert_sub(self, el: Any, text: str, parent_tags: set[str]) -> str:
        return make_script("_", text)

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
        start, end = (" " if side.isspace() else "" for side in (text[0], text[-1]))
        if text.count("$$$") > 1:  # no language has these marks: they are MathJax's
            text = self._spans.hide_formulas(text)
        return f"{start}{self._spans.hide(f'`{text.strip()}`')}{end}"

    convert_tt = convert_kbd = convert_samp = convert_code

    def process_text(self, el: Any, parent_tags: set[str] | None = None) -> str:
        # Pages have non-breaking blanks where an editor put them, in samples too.
        text = str(super().process_text(el, parent_tags)).replace("\xa0", " ")
        if el.parent.name in ("sup", "sub"):
            return text
        return _SIGN.sub(lambda match: self._spans.hide(match[0]), text)

    def convert_pre(self, el: Any, text: str, parent_tags: set[str]) -> str:
        pictures = _PICTURE_LINE.findall(text)  # no part of a sample: they follow it
        fence = self._spans.hide(make_fence(_PICTURE_LINE.sub("", text)))
        return "\n\n".join(["", fence, *pictures, ""])

    def convert_img(self, el: Any, text: str, parent_tags: set[str]) -> str:
        description = " ".join((el.get("alt") or "").split())
        if "tex" in " ".join(el.get("class") or ()) and description:  # a formula
            return self._spans.hide_formulas(f"\\({description}\\)")
        self.images += 1
        return make_image(description)

    convert_embed = convert_img

    def convert_svg(self, el: Any, text: str, parent_tags: set[str]) -> str:
        if el.get("role") != "img":
            return ""  # an icon
        self.images += 1  # MathJax draws formulas
        title = el.find("title")
        return make_image(title.get_text() if title else "")

    def convert_td(self, el: Any, text: str, parent_tags: set[str]) -> str:
        text = self._spans.restore(self._spans.hide_formulas(text))
        if "|" in text:  # as the sign of a formula or code, not the end of the cell
            text = self._spans.hide(text.strip().replace("|", r"\|"))
        return str(super().convert_td(el, text, parent_tags))

    def convert_table(self, el: Any, text: str, parent_tags: set[str]) -> str:
        if el.find("pre") is None:
            return str(super().convert_table(el, text, parent_tags))
        # The layout of examples, not a table of values.
        cells = (self.process_tag(cell, set()) for cell in el.find_all("pre"))
        titles = [" ".join(cell.get_text().split())
                  for cell in el.find_all(["th", "td"]) if cell.find("pre") is None]  # fmt: skip
        parts = chain.from_iterable(zip_longest(titles, cells, fillvalue=""))
        return "".join(f"\n\n{part}\n\n" for part in parts)


for _tags, _rule in (
    (_SKIPPED_TAGS, lambda self, el, text, parent_tags: ""),
    (_PLAIN_TAGS, lambda self, el, text, parent_tags: text),
):
    for _tag in _tags:
        setattr(Converter, f"convert_{_tag}", _rule)
