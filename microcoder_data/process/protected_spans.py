"""Pieces of a text that later steps must not touch: formulas, code."""

from __future__ import annotations

import re

from . import maths

# In this order: the longer marks first.
_FORMULAS = (
    re.compile(r"\$\$\$(.+?)\$\$\$", re.DOTALL),
    re.compile(r"\$\$(.+?)\$\$", re.DOTALL),
    re.compile(r"\\\[(.+?)\\\]", re.DOTALL),
    re.compile(r"\\\((.+?)\\\)", re.DOTALL),
    # As pandoc has it: prices ("$5 or $10") are no formula.
    re.compile(r"(?<![\\$])\$(?![\s$])((?:\\.|[^$\\]){1,400}?)(?<!\s)\$(?!\d)"),
)
_MARK = re.compile("\ue000(\\d+)\ue001")


class Protected:
    """Puts marks where pieces were, and the pieces back at the end."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    def hide(self, piece: str) -> str:
        """A mark that stands for the piece."""
        self._pieces.append(piece)
        return f"\ue000{len(self._pieces) - 1}\ue001"

    def formulas(self, text: str) -> str:
        """Hide every formula, as plain text where that can say it, else as ``$formula$``."""
        for pattern in _FORMULAS:
            text = pattern.sub(self._formula, text)
        return text

    def _formula(self, found: re.Match[str]) -> str:
        formula = found[1]
        if _MARK.search(formula):
            return found[0]
        plain = maths.plain(formula)
        return self.hide(f"${' '.join(formula.split())}$" if plain is None else plain)

    def back(self, text: str) -> str:
        """The text with all pieces in it again."""
        for _ in range(4):  # pieces within pieces
            if not _MARK.search(text):
                break
            text = _MARK.sub(lambda found: self._pieces[int(found[1])], text)
        return text


def without_marks(text: str) -> str:
    """A text of others may hold the characters that we use as marks."""
    return text.replace("\ue000", "").replace("\ue001", "")
