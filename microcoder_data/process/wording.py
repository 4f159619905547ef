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
    r"\b[\w-]+\.(?:in|inp)\b[^.]{0,60}\b[\w-]+\.(?:out|sol)\b"
)
_RULES_OF_PROGRAMS = (("interaction_told", _INTERACTIVE), ("file_io", _FILE_NAMES))
# Only titles followed by words: titles of samples are followed by data.
_SECTION_TITLE = re.compile(
    r"^(?:#{1,2} )?(input|output)(?: format| specification)?:?\n+"
    r"(?=[^\n]*(?:\b[a-z]{2,}\b[^\w\n]*){3})",
    re.IGNORECASE | re.MULTILINE,
)
# Titles whose section says something in every problem.
_SECTION = re.compile(r"(?:## )?(?:input|output)(?: (?:format|specification))?:?", re.IGNORECASE)
_TITLE = re.compile(
    r"#{1,2} .*|(?:constraints|(?:(?:input|output|example|sample|format|data)s? ?)+#?\d*):?", re.I
)


def list_findings(text: str, images: int, kind: str) -> Iterator[Finding]:
    """Yield the findings of a statement. text: cleaned, without our instruction."""
    prose = ANY_FENCE.sub(" ", text)
    lowercase = prose.lower()
    if images:
        yield Finding("has_image", f"{images} in the statement")
    for name, pattern in _RULES_OF_PROGRAMS if kind == "stdin" else ():
        if match := pattern.search(lowercase):
            yield Finding(name, f'it says "{" ".join(match[0].split())}"')
    sections = Counter(
        match[1].lower() for match in _SECTION_TITLE.finditer(ANY_FENCE.sub("```", text))
    )
    if (count := min(sections["input"], sections["output"])) > 1:
        yield Finding("several_problems", f"{count} sections on input, and on output")
    if (reason := find_truncation(text)) is not None:
        yield Finding("truncated_statement", reason)


def find_truncation(text: str) -> str | None:
    """Return the evidence that the statement stops in the middle, or None: a fence is not closed,
    or a title has nothing under it. How the last sentence ends is no evidence."""
    if len(re.findall(r"^[ \t]*```", text, re.MULTILINE)) % 2:
        return "a fence of code is not closed"
    title = _find_empty_section(text)
    return None if title is None else f'nothing follows "{title}"'


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
