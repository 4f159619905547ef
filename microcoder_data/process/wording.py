"""Finds statements that hold no task or several, stop in the middle, or cannot be tested."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from microcoder_eval.audit.findings import Finding

from .conversion.markdown import ANY_FENCE

# Of texts in lower case: ignoring case takes four times as long.
_INTERACTIVE = re.compile(
    r"\b(?:this is an|is an?) interactive (?:problem|task)\b|"
    r"\b(?:flush|flushing) (?:the |your )?(?:output|stdout|standard output|stream|buffer)|"
    r"\bthe interactor\b|\binteract with the (?:judge|jury|grader|system|interactor)\b|"
    r"\bfflush\(stdout\)|^#* ?interaction(?: protocol)?:?$|"
    r"\b(?:ask|query) the (?:judge|jury|grader|interactor)\b|"
    r"\bthe (?:judge|jury|grader)(?:'s|s')? (?:repl(?:y|ies)|responds?|responses?|answers you)\b",
    re.MULTILINE,
)
_FILE_NAMES = re.compile(
    r"\b(?:input|output) file:?\s+`?[\w-]+\.(?:in|out|txt|dat|inp|sol)\b|"
    r"\b(?:from|to|into|in) (?:the |a )?files? (?:named |called )?[`\"']?[\w-]+\.(?:in|out|txt|"
    r"dat|inp|sol)\b|"
    r"\b[\w-]+\.(?:in|inp)\b[^.]{0,60}\b[\w-]+\.(?:out|sol)\b",
)
# Words, of which each match has one: most statements have none, and patterns are slow to say so.
_RULES_OF_PROGRAMS = (
    ("interaction_told", ("interact", "flush", "judge", "jury", "grader"), _INTERACTIVE),
    ("file_io", ("file", ".in"), _FILE_NAMES),
)
_PROBLEM_TITLE = re.compile(
    r"^(?:#{1,2} )?(?:Problem|Task|Question|Exercise) (?:[A-Z]|\d{1,2})\b[.:)]?", re.MULTILINE
)
# Only titles followed by words: titles of samples are followed by data.
_SECTION_TITLE = re.compile(
    r"^(?:## )?(problem statement|input|output)(?: format| specification)?:?\n+"
    r"(?=[^\n]*(?:\b[a-z]{2,}\W+){3})",
    re.IGNORECASE | re.MULTILINE,
)
# Titles whose section says something in every problem.
_SECTION = re.compile(r"(?:## )?(?:input|output)(?: (?:format|specification))?:?", re.IGNORECASE)
_TITLE = re.compile(
    r"#{1,2} .*|(?:constraints|(?:(?:input|output|example|sample|format|data)s? ?)+#?\d*):?", re.I
)
# Brackets as characters: in quotation marks, and in emoticons.
_CHARACTERS = re.compile(r"\"[^\"\n]*\"|«[^»\n]*»|'[^'\n]'|`[^`\n]*`|:-?[()]")


def list_findings(text: str, images: int, kind: str) -> Iterator[Finding]:
    """Yield the findings of a statement. text: cleaned, without our instruction."""
    prose = ANY_FENCE.sub(" ", text)
    lowercase = prose.lower()
    if images:
        yield Finding("has_image", f"{images} in the statement")
    for name, words, pattern in _RULES_OF_PROGRAMS if kind == "stdin" else ():
        if any(word in lowercase for word in words) and (match := pattern.search(lowercase)):
            yield Finding(name, f'it says "{" ".join(match[0].split())}"')
    titles = {title.strip().lower() for title in _PROBLEM_TITLE.findall(prose)}
    sections = Counter(
        match[1].lower() for match in _SECTION_TITLE.finditer(ANY_FENCE.sub("```", text))
    )
    count = max(len(titles), sections["problem statement"])
    if min(count, sections["input"], sections["output"]) > 1:
        yield Finding("several_problems", f"titles of {count} problems, with their sections")
    if (reason := find_truncation(text)) is not None:
        yield Finding("truncated_statement", reason)


def find_truncation(text: str) -> str | None:
    """Return the evidence that the statement stops in the middle, or None: something opened is not
    closed, or a title has nothing under it. Missing punctuation is no evidence."""
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
    parts = [part.strip() for part in ANY_FENCE.sub("\ue000", text).split("\n\n") if part.strip()]
    for part, following_part in zip(parts, [*parts[1:], "# "], strict=False):
        is_title = part.startswith("#") and "\n" not in part
        if following_part == "# ":
            return part.lstrip("# ") if is_title and len(parts) > 1 else None
        if _SECTION.fullmatch(part) and _TITLE.fullmatch(following_part):
            return part.lstrip("# ")
    return None
