"""Protects formulas and code from the later steps of a conversion."""

from __future__ import annotations

import html
import re

from . import maths

# The longer delimiters first.
_FORMULAS = (
    re.compile(
        r"\\begin\{(?:equation|displaymath|math|align|gather|eqnarray)\*?\}(.+?)"
        r"\\end\{(?:equation|displaymath|math|align|gather|eqnarray)\*?\}",
        re.DOTALL,
    ),
    # Codeforces: $$$inline$$$ and $$$$$$display$$$$$$.
    re.compile(r"(?P<marks>\${6}|\${3})(?!\$)(?P<formula>.+?)(?P=marks)", re.DOTALL),
    re.compile(r"\\\[(.+?)\\\]", re.DOTALL),
    re.compile(r"\\\((.+?)\\\)", re.DOTALL),
    # $$display$$ or $inline$, whichever begins first: in "$a$$b$" two formulas touch. As in
    # pandoc, prices ("$5 or $10") are no formula.
    re.compile(
        r"(?<!\\)(?:\$\$((?:(?!\n\s*\n).)+?)\$\$|"
        r"\$(?![\s$])((?:\\.|[^$\\]){1,400}?)(?<!\s)\$(?!\d))",
        re.DOTALL,
    ),
    # Blanks within the marks: a formula only where it has a command, or a relation, as prices have
    # none.
    re.compile(
        r"(?<![\\$])\$((?: [^$\n]{0,200}?=|[^$\n]{0,200}?(?:\\[A-Za-z]{2,}|[<>≤≥]))[^$\n]{0,400}?)"
        r"\$(?!\d)"
    ),
)
_MARK = re.compile("\ue000(\\d+)\ue001")


class ProtectedSpans:
    """Replaces spans by marks, and marks by their spans."""

    def __init__(self) -> None:
        self._spans: list[str] = []

    def hide(self, span: str) -> str:
        """Store a span; returns its mark."""
        self._spans.append(span)
        return f"\ue000{len(self._spans) - 1}\ue001"

    def hide_formulas(self, text: str) -> str:
        """Hide every formula. It is restored as plain text if possible, else as ``$formula$``."""
        for pattern in _FORMULAS if "$" in text or "\\" in text else ():
            text = pattern.sub(self._hide_formula, text)
        return text

    def _hide_formula(self, match: re.Match[str]) -> str:
        formula = match[match.lastindex or 1]
        if _MARK.search(formula):  # \[\begin{equation}...\end{equation}\]
            return formula.strip() if _MARK.fullmatch(formula.strip()) else match[0]
        formula = html.unescape(html.unescape(formula))  # mirrors write a &lt; b in Markdown, too
        text = maths.to_plain_text(formula)
        return self.hide(f"${' '.join(formula.split())}$" if text is None else text)

    def restore(self, text: str) -> str:
        """Return the text with the spans in place of their marks."""
        for _ in range(4):  # spans within spans
            if not _MARK.search(text):
                break
            text = _MARK.sub(lambda match: self._spans[int(match[1])], text)
        return text


def remove_marks(text: str) -> str:
    """Return the text without the characters that marks consist of."""
    return text.replace("\ue000", "").replace("\ue001", "")
