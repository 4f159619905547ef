"""Finds statements whose words show that they are incomplete, truncated or cannot be tested."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from microcoder_eval.audit.findings import Finding

from .truncation import find_cut_sentence, find_truncation

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_NO_TEXT = re.compile(
    r"\W*(?:none|nan|null|nil|undefined|n/a|unknown|empty)?\W*|"
    r"\W*(?:[\w ]{1,40}: ?)?(?:see )?https?://\S+(?: [\w ]{1,40})?\W*",
    re.IGNORECASE,
)
# Placeholders of templates: {{ title }}, {% if %}, ${MAX_N}.
_UNFILLED = re.compile(r"\{\{ ?[\w.]+ ?\}\}|\{% ?\w[^%\n]*%\}|\$\{\w+\}|<%=? ?\w[^%\n]*%>")
_WORKED_EXAMPLE = re.compile(
    r"^\W*(?:(?:sample|example)s?\b|explanation\b|notes?\b(?! that))", re.IGNORECASE | re.MULTILINE
)
# A description this long replaces the picture.
_DESCRIBED_IMAGE = re.compile(r"\[image: (?:\S+ ){3,}\S+\]")
_IMAGE_NEEDED = re.compile(
    r"\b(?:see|shown|depicted|illustrated|drawn|pictured|given|described|marked) (?:in|on|by) "
    r"(?:the |this |following )*(?:\w+ )?(?:figure|image|picture|diagram|drawing|illustration)s?\b|"
    r"\bthe (?:figure|image|picture|diagram|drawing|map)s? (?:below|above|shows|on the (?:left|"
    r"right))|"
    r"\b(?:following|next) (?:figure|image|picture|diagram|drawing|illustration)\b|"
    r"\bin the (?:figure|image|picture|diagram)\b",
    re.IGNORECASE,
)
_ATTACHMENT = re.compile(
    r"\b(?:see|read|in|download|open|consult) (?:the )?(?:attached|attachment|enclosed)\b|"
    r"\b(?:see|read|download|open|in) (?:the|this) (?:pdf|docx?|archive|zip|spreadsheet)\b|"
    r"\bclick (?:here|on the link)\b|\b(?:described|defined|explained|found|available) (?:at|in|"
    r"on|under) "
    r"(?:this )?(?:link|https?://\S+)|\b(?:statement|problem|description)s? (?:is|"
    r"are) (?:available )?"
    r"(?:in|at|on) (?:the )?(?:pdf|link|https?://)",
    re.IGNORECASE,
)
_INTERACTIVE = re.compile(
    r"\b(?:this is an|is an?) interactive (?:problem|task)\b|"
    r"\b(?:flush|flushing) (?:the |your )?(?:output|stdout|standard output|stream|buffer)|"
    r"\bthe interactor\b|\binteract with the (?:judge|jury|grader|system|interactor)\b|"
    r"\bfflush\(stdout\)|^#* ?interaction(?: protocol)?:?$|"
    r"\b(?:ask|query) the (?:judge|jury|grader|interactor)\b|"
    r"\bthe (?:judge|jury|grader)(?:'s|s')? (?:repl(?:y|ies)|responds?|responses?|answers you)\b",
    re.IGNORECASE | re.MULTILINE,
)
_FILE_NAMES = re.compile(
    r"\b(?:input|output) file:?\s+`?[\w-]+\.(?:in|out|txt|dat|inp|sol)\b|"
    r"\b(?:from|to|into|in) (?:the |a )?files? (?:named |called )?[`\"']?[\w-]+\.(?:in|out|txt|"
    r"dat|inp|sol)\b|"
    r"\b[\w-]+\.(?:in|inp)\b[^.]{0,60}\b[\w-]+\.(?:out|sol)\b",
    re.IGNORECASE,
)
_PROBLEM_TITLE = re.compile(
    r"^(?:#{1,2} )?(?:Problem|Task|Question|Exercise) (?:[A-Z]|\d{1,2})\b[.:)]?", re.MULTILINE
)
# Only titles followed by words: titles of samples are followed by data.
_SECTION_TITLE = re.compile(
    r"^(?:## )?(input|output)(?: format| specification)?:?\n+(?=[^\n]*(?:\b[a-z]{2,}\W+){3})",
    re.IGNORECASE | re.MULTILINE,
)
_READING_CODE = re.compile(
    r"\binput\(\)|sys\.stdin|\bcin\s*>>|\bscanf\s*\(|new Scanner\(|readline\(\)"
)
_CODE_LINE = re.compile(
    r"^ *(?:print\(.*\)|def \w+\(.*\):|import \w+|for \w+ in .*:|int main\(.*)$", re.MULTILINE
)
_FUNCTION_ASKED = re.compile(
    r"\b(?:complete|implement|write) (?:the |a |this )?(?:function|method|class)\b", re.IGNORECASE
)
_PROGRAM_ASKED = re.compile(
    r"\b(?:from|to|on|via) (?:the )?(?:standard (?:input|output)|stdin|stdout|console)\b",
    re.IGNORECASE,
)
_READS_OR_PRINTS = re.compile(
    r"\b(?:input|stdin|stdout|print|output)s?\b|\bread (?!that\b|as\b)", re.IGNORECASE
)


def list_findings(text: str, images: int, kind: str) -> Iterator[Finding]:
    """Yield the findings of a statement. text: cleaned, without our instruction."""
    prose = _FENCE.sub(" ", text)
    if (placeholder := _find_placeholder(text, prose)) is not None:
        yield Finding("placeholder", placeholder)
    yield from _check_images(prose, images)
    if match := _ATTACHMENT.search(prose):
        yield Finding("needs_attachment", _quote_match(match))
    if kind == "stdin" and (match := _INTERACTIVE.search(prose)):
        yield Finding("interaction_told", _quote_match(match))
    if kind == "stdin" and (match := _FILE_NAMES.search(prose)):
        yield Finding("file_io", _quote_match(match))
    yield from _check_requested_form(prose, kind)
    titles = {title.strip().lower() for title in _PROBLEM_TITLE.findall(prose)}
    sections = Counter(
        match[1].lower() for match in _SECTION_TITLE.finditer(_FENCE.sub("```", text))
    )
    has_sections = min(sections["input"], sections["output"]) > 1
    if len(titles) > 1 and has_sections:
        yield Finding("several_problems", f"titles of {len(titles)} problems, with their sections")
    elif len(titles) > 1:
        yield Finding("several_suspected", f"titles of {len(titles)} problems")
    elif has_sections:
        yield Finding("several_suspected", f"{sections['input']} sections on the input")
    yield from _find_solution(text, prose, kind)
    if (reason := find_truncation(text)) is not None:
        yield Finding("truncated_statement", reason)
    elif (reason := find_cut_sentence(text)) is not None:
        yield Finding("cut_word", reason)


def _check_images(prose: str, images: int) -> Iterator[Finding]:
    """Yield a finding if a picture explains the task; pictures of worked examples only illustrate
    it."""
    example = _WORKED_EXAMPLE.search(prose)
    task = prose[: example.start()] if example and prose[: example.start()].strip() else prose
    is_described = 0 < images <= len(_DESCRIBED_IMAGE.findall(prose))
    if (match := _IMAGE_NEEDED.search(task)) and not is_described:
        count = f"it shows {images}" if images else "there is no picture"
        yield Finding("needs_image", f"{count}, and {_quote_match(match)}")
    elif images or _IMAGE_NEEDED.search(prose):
        yield Finding("has_image", f"{images} in the statement")


def _quote_match(match: re.Match[str], length: int | None = None) -> str:
    return f'it says "{" ".join(match[0].split())[:length]}"'


def _find_placeholder(text: str, prose: str) -> str | None:
    """Return the reason why the text is a placeholder, or None."""
    if match := _NO_TEXT.fullmatch(text):
        return _quote_match(match, 60)
    match = _UNFILLED.search(prose)
    return f'nothing was put in for "{match[0][:60]}"' if match else None


def _check_requested_form(prose: str, kind: str) -> Iterator[Finding]:
    """Yield a request for a function where tests run a program, or the reverse."""
    if kind == "stdin" and not _READS_OR_PRINTS.search(prose):
        if match := _FUNCTION_ASKED.search(prose):
            detail = f"{_quote_match(match)}, and tests give lines to a program"
            yield Finding("form_contradicts_tests", detail)
    elif kind == "call" and (match := _PROGRAM_ASKED.search(prose)):
        detail = f"{_quote_match(match)}, and tests call a function"
        yield Finding("form_contradicts_tests", detail)


def _find_solution(text: str, prose: str, kind: str) -> Iterator[Finding]:
    if kind != "stdin":
        return
    if fence := next(filter(_READING_CODE.search, _FENCE.findall(text)), None):
        yield Finding("code_in_statement", f"code that reads: {' '.join(fence.split())[:60]}")
    elif _READING_CODE.search(prose) and (match := _CODE_LINE.search(prose)):
        yield Finding("code_in_statement", f"outside of fences: {' '.join(match[0].split())}")
