"""Finds statements that stop in the middle, by evidence and never by missing punctuation.

Evidence: something opened is not closed, or a title has nothing under it.
"""

from __future__ import annotations

import re

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
# Titles whose section says something in every problem.
_SECTION = re.compile(r"(?:## )?(?:input|output)(?: (?:format|specification))?:?", re.IGNORECASE)
_TITLE = re.compile(
    r"#{1,2} .*|(?:constraints|(?:(?:input|output|example|sample|format|data)s? ?)+#?\d*):?", re.I
)
# Brackets as characters: in quotation marks, and in emoticons.
_CHARACTERS = re.compile(r"\"[^\"\n]*\"|«[^»\n]*»|'[^'\n]'|`[^`\n]*`|:-?[()]")


def find_truncation(text: str) -> str | None:
    """Return the evidence that the statement stops in the middle, or None."""
    if len(re.findall(r"^[ \t]*```", text, re.MULTILINE)) % 2:
        return "a fence of code is not closed"
    if text.count('"""') % 2 and not text.startswith("```"):
        return "a docstring is not closed"
    if (title := _find_empty_section(text)) is not None:
        return f'nothing follows "{title}"'
    last_line = _get_last_line(text)
    if last_line.endswith(("[", "{", "=", "≤", "<", "≥")) and " " in last_line:
        return f'it ends in "{last_line[-20:]}"'
    brackets = re.sub(r"[^\[\](){}]", "", _CHARACTERS.sub("", last_line))
    if 2 * len(re.findall(r"[\[({]", brackets)) > len(brackets):  # (0, 1] is paired
        return f'a bracket is not closed in "{last_line[-30:]}"'
    return None


def _get_last_line(text: str) -> str:
    """Return the last line; empty where it is code or of a table."""
    last_line = text.rstrip().rpartition("\n")[2].strip()
    return "" if "```" in last_line or last_line.startswith("|") else last_line


def _find_empty_section(text: str) -> str | None:
    """Return the title of a section on input or output that is empty, or any title at the end."""
    parts = [part.strip() for part in _FENCE.sub("\ue000", text).split("\n\n") if part.strip()]
    for part, following_part in zip(parts, [*parts[1:], "# "], strict=False):
        is_title = part.startswith("#") and "\n" not in part
        if following_part == "# ":
            return part.lstrip("# ") if is_title and len(parts) > 1 else None
        if _SECTION.fullmatch(part) and _TITLE.fullmatch(following_part):
            return part.lstrip("# ")
    return None
