"""Finds statements that hold no task or several, stop in the middle, or cannot be tested."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from microcoder_eval.audit.findings import Finding

from .truncation import find_truncation

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
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
_PROBLEM_TITLE = re.compile(
    r"^(?:#{1,2} )?(?:Problem|Task|Question|Exercise) (?:[A-Z]|\d{1,2})\b[.:)]?", re.MULTILINE
)
# Only titles followed by words: titles of samples are followed by data.
_SECTION_TITLE = re.compile(
    r"^(?:## )?(problem statement|input|output)(?: format| specification)?:?\n+"
    r"(?=[^\n]*(?:\b[a-z]{2,}\W+){3})",
    re.IGNORECASE | re.MULTILINE,
)


def list_findings(text: str, images: int, kind: str) -> Iterator[Finding]:
    """Yield the findings of a statement. text: cleaned, without our instruction."""
    prose = _FENCE.sub(" ", text)
    if images:
        yield Finding("has_image", f"{images} in the statement")
    if kind == "stdin" and (match := _INTERACTIVE.search(prose.lower())):
        yield Finding("interaction_told", _quote_match(match))
    if kind == "stdin" and (match := _FILE_NAMES.search(prose.lower())):
        yield Finding("file_io", _quote_match(match))
    titles = {title.strip().lower() for title in _PROBLEM_TITLE.findall(prose)}
    sections = Counter(
        match[1].lower() for match in _SECTION_TITLE.finditer(_FENCE.sub("```", text))
    )
    count = max(len(titles), sections["problem statement"])
    if min(count, sections["input"], sections["output"]) > 1:
        yield Finding("several_problems", f"titles of {count} problems, with their sections")
    if (reason := find_truncation(text)) is not None:
        yield Finding("truncated_statement", reason)


def _quote_match(match: re.Match[str]) -> str:
    return f'it says "{" ".join(match[0].split())}"'
