"""What the words of a statement show: that it is none, cut off, or asks what no test can see."""

from __future__ import annotations

import re
from collections.abc import Iterator

from microcoder_eval.data.reasons import Found

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_PLACEHOLDER = re.compile(
    r"\blorem ipsum\b|\b(?:todo|tbd|fixme)\b|\bpage (?:was )?not found\b|\b(?:error )?404\b|"
    r"\baccess denied\b|\bforbidden\b|\b(?:log|sign) ?in to (?:view|see|continue|read)\b|"
    r"\bplease (?:log|sign) ?in\b|\bmust be (?:registered|logged in)\b|"
    r"\bforgot (?:your )?password\b|\bcaptcha\b|\benable javascript\b|"
    r"\bverify (?:that )?you are human\b|"
    r"\bsubscribe to (?:unlock|view|read)\b|\bpremium (?:users|members|subscribers)\b|"
    r"\b(?:statement|description) (?:is )?(?:not available|unavailable|missing|coming soon|"
    r"to be added)"
    r"|\bno (?:description|statement)\b|\bcoming soon\b|\binsert (?:statement|text) here\b|"
    r"\b(?:service unavailable|internal server error|bad gateway|too many requests)\b|"
    r"\byou (?:have been|are) (?:blocked|rate limited)\b",
    re.IGNORECASE,
)
_NO_TEXT = re.compile(
    r"\W*(?:none|nan|null|nil|undefined|n/a|unknown|empty)?\W*|"
    r"\W*(?:[\w ]{1,40}: ?)?(?:see )?https?://\S+(?: [\w ]{1,40})?\W*",
    re.IGNORECASE,
)
# What a program that fills in pages should have filled in: {{ title }}, {% if %}, ${MAX_N}.
_UNFILLED = re.compile(r"\{\{ ?[\w.]+ ?\}\}|\{% ?\w[^%\n]*%\}|\$\{\w+\}|<%=? ?\w[^%\n]*%>")
_PLACEHOLDER_WORDS = 60  # a longer statement may speak of such things
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
_FILE = re.compile(
    r"\b(?:input|output) file:?\s+`?[\w-]+\.(?:in|out|txt|dat|inp|sol)\b|"
    r"\b(?:from|to|into|in) (?:the |a )?files? (?:named |called )?[`\"']?[\w-]+\.(?:in|out|txt|"
    r"dat|inp|sol)\b|"
    r"\b[\w-]+\.(?:in|inp)\b[^.]{0,60}\b[\w-]+\.(?:out|sol)\b",
    re.IGNORECASE,
)
_PROBLEM_TITLE = re.compile(
    r"^(?:#{1,2} )?(?:Problem|Task|Question|Exercise) (?:[A-Z]|\d{1,2})\b[.:)]?", re.MULTILINE
)
_READS = re.compile(r"\binput\(\)|sys\.stdin|\bcin\s*>>|\bscanf\s*\(|new Scanner\(|readline\(\)")
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
# "1 ≤ n ≤ 105", "109 + 7": what is left of powers of ten when raised digits are laid down.
_FLAT_POWER = re.compile(
    r"(?:≤|<=|<) ?-?(?:\d ?[·×*] ?)?10(?:[4-9]|1[0-8])\b(?! ?\^)|\b109 ?\+ ?7\b"
)
_SOLUTION_TITLE = re.compile(
    r"^#{1,2} (?:(?:Sample |Reference |Model |Official )?Solutions?|Editorial|Answer key|Code|"
    r"Approach(?: \d)?)\b.*$",
    re.MULTILINE | re.IGNORECASE,
)
_DANGLING = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "to",
        "and",
        "or",
        "in",
        "is",
        "are",
        "that",
        "with",
        "for",
        "each",
        "if",
        "by",
        "be",
        "on",
        "at",
        "from",
        "which",
        "where",
        "as",
        "it",
        "its",
        "this",
        "these",
        "those",
        "such",
        "than",
        "then",
        "when",
        "while",
        "not",
        "no",
        "any",
        "all",
        "between",
        "into",
        "their",
        "your",
        "you",
        "we",
        "will",
        "can",
        "should",
        "must",
        "may",
        "has",
        "have",
        "was",
        "were",
        "so",
        "but",
    ]
)
_ENDS = tuple(".?!:;)]}\"'`”’…。？！）*$|>")


def look(text: str, images: int, kind: str) -> Iterator[Found]:
    """Everything the words show. text: in clean form, without our instruction."""
    prose = _FENCE.sub(" ", text)
    count = len(prose.split())
    if _NO_TEXT.fullmatch(text):
        yield Found("placeholder", f'it says "{" ".join(text.split())[:60]}"')
    elif (found := _PLACEHOLDER.search(prose)) and count < _PLACEHOLDER_WORDS:
        yield Found("placeholder", f'it says "{" ".join(found[0].split())[:60]}"')
    elif found := _UNFILLED.search(prose):
        yield Found("placeholder", f'nothing was put in for "{found[0][:60]}"')
    if images and _IMAGE_NEEDED.search(prose):
        yield Found("needs_image", f'it shows {images} and says "{_said(_IMAGE_NEEDED, prose)}"')
    elif _IMAGE_NEEDED.search(prose):
        yield Found(
            "needs_image", f'no picture is there, and it says "{_said(_IMAGE_NEEDED, prose)}"'
        )
    elif images:
        yield Found("has_image", f"{images} in the statement")
    if _ATTACHMENT.search(prose):
        yield Found("needs_attachment", f'it says "{_said(_ATTACHMENT, prose)}"')
    if kind == "stdin" and _INTERACTIVE.search(prose):
        yield Found("interactive", f'it says "{_said(_INTERACTIVE, prose)}"')
    if kind == "stdin" and _FILE.search(prose):
        yield Found("file_io", f'it says "{_said(_FILE, prose)}"')
    if kind == "stdin" and _FUNCTION_ASKED.search(prose) and not _READS_OR_PRINTS.search(prose):
        told = f'it says "{_said(_FUNCTION_ASKED, prose)}", and tests give lines to a program'
        yield Found("form_contradicts_tests", told)
    elif kind == "call" and _PROGRAM_ASKED.search(prose):
        told = f'it says "{_said(_PROGRAM_ASKED, prose)}", and tests call a function'
        yield Found("form_contradicts_tests", told)
    if _FLAT_POWER.search(prose):
        yield Found("lost_superscript", f'it says "{_said(_FLAT_POWER, prose)}"')
    titles = {title.strip().lower() for title in _PROBLEM_TITLE.findall(prose)}
    if len(titles) > 1:
        yield Found("several_problems", f"titles of {len(titles)} problems")
    yield from _solution(text, prose, kind)
    if (why := cut_off(text)) is not None:
        yield Found("truncated_statement", why)


def _said(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return " ".join(found[0].split()) if found else ""


def _solution(text: str, prose: str, kind: str) -> Iterator[Found]:
    title = _SOLUTION_TITLE.search(text)
    if title and _FENCE.search(text, title.end()):
        yield Found("solution_in_statement", f'code under "{title[0].lstrip("# ")}"')
    elif kind == "stdin" and (fence := next(filter(_READS.search, _FENCE.findall(text)), None)):
        yield Found("solution_in_statement", f"code that reads: {' '.join(fence.split())[:60]}")
    elif kind == "stdin" and _READS.search(prose) and _CODE_LINE.search(prose):
        yield Found("solution_in_statement", f"code outside of fences: {_said(_CODE_LINE, prose)}")


def cut_off(text: str) -> str | None:
    """Why the statement seems to stop in the middle, or None."""
    if text.count("```") % 2:
        return "a fence of code is not closed"
    if text.count('"""') % 2 and not text.startswith("```"):
        return "a docstring is not closed"
    last = text.rsplit("\n\n", 1)[-1].strip()
    if not last or "```" in last:
        return None
    if last.startswith("#"):
        return f'nothing follows "{last.lstrip("# ")}"' if "\n" not in last else None
    if "\n" in last and not last.startswith(("- ", "1. ", "|")):
        last = last.rsplit("\n", 1)[-1].strip()
    word = re.sub(r"\W+$", "", last).rpartition(" ")[2].lower()
    if last.endswith((",", "-", "(", "[", "{", "=", "+", "/", "≤", "<")):
        return f'it ends in "{last[-20:]}"'
    if last.endswith(_ENDS):
        return _open_bracket(last)
    if word in _DANGLING and word != "it":
        return f'it ends in "{last[-20:]}"'
    return _without_end(text, last)


def _open_bracket(last: str) -> str | None:
    if last.count("(") > last.count(")") + last.count(":(") and not re.search(
        r"[(\[]\s*\S+\s*[)\]]", last
    ):
        return f'a bracket is not closed in "{last[-30:]}"'
    return None


def _without_end(text: str, last: str) -> str | None:
    """A last sentence without an end, where the others have one."""
    if last.startswith(("- ", "* ", "|")) or re.match(r"\d+\. ", last) or len(last.split()) < 4:
        return None
    rest = text[: text.rfind(last)]
    sentences = len(re.findall(r"[a-z0-9)`\"'][.?!](?:\s|$)", rest + last))
    return f'no end of sentence at "{last[-30:]}"' if sentences else None
