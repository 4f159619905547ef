"""Converts every statement to one clean form: Markdown with code in fences and formulas as text.

raw text -> detect_form -> converter of the form -> normalized blanks -> CleanStatement
"""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from microcoder_eval.audit.findings import Finding
from microcoder_eval.syntax import parse_python

from .conversion import html, latex, markdown, maths
from .conversion.bare_samples import fence_samples
from .conversion.letters import repair_letters
from .conversion.notation import MarkupError
from .conversion.powers import restore_powers
from .conversion.protected_spans import ProtectedSpans, remove_marks


class Form(StrEnum):
    """The markup that a statement is written in."""

    HTML = "html"
    LATEX = "latex"
    MARKDOWN = "markdown"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class CleanStatement:
    """A clean statement. images: how many. faults: broken markup.

    repairs: findings on damage that was repaired as far as the text allows.
    """

    text: str
    images: int
    faults: tuple[str, ...]
    repairs: tuple[Finding, ...] = ()


_HTML = re.compile(
    r"<(?:p|div|pre|ul|ol|li|table|h[1-6]|section|article|body|html|tr|td|blockquote|dl)"
    r"(?:\s+[\w-]+=[^<>]*)?\s*/?>",  # not "a<p && p>q"
    re.IGNORECASE,
)
_LATEX = re.compile(
    r"\\(?:begin|end)\{|\\(?:textbf|textit|texttt|emph|(?:sub)*section|paragraph|problemname|"
    r"InputFile|OutputFile|includegraphics|illustration|item|exmp)\b"
)
_FRONT_MATTER = re.compile(r"\A\s*---\n(?=[\w-]+:)(?:(?!---)[^\n]*\n)+---[ \t]*(?:\n|\Z)")
_FRONT_TITLE = re.compile(r"^title:[ \t]*[\"']?([^\n]+?)[\"']?[ \t]*$", re.MULTILINE)
_INLINE_CODE = re.compile(r"`[^`\n]+`")
_FORMULA = re.compile(r"(\${6}|\${1,3})(?:(?!\1).)+?\1|\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL)
_COMMAND = re.compile(r"\\([A-Za-z]{2,})")
_BLANKS = {  # invisible characters go; blanks, line ends and dots become plain ones
    **dict.fromkeys([0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x2060,
                     *range(0x2066, 0x206A), 0xFEFF]),
    **dict.fromkeys([0x0B, 0xA0, 0x2002, 0x2003, 0x2009, 0x202F], " "),
    0x0C: "\n", 0x2028: "\n", 0x2029: "\n\n", 0x22C5: "·", 0x2219: "·",
}  # fmt: skip
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")  # not the ends of lines and pages
_SPACED_MINUS = re.compile(  # ( - 10^9 ≤ a; code stays
    r"(```.*?(?:```|\Z)|`[^`\n]*`)|([(\[,≤<≥>=] ?)[-−–] (?=\d)", re.DOTALL
)
_OPEN_SCRIPT = re.compile(r"[\^_]\{[^{}]*\Z")  # the text ends in it
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|le|ge|nbsp|#\d+|#x[0-9a-f]+);", re.IGNORECASE)
_ESCAPED_NEWLINE = re.compile(r"\\n(?!(?:eq|e|ot|u|i|mid|leq|geq)\b)")  # no command
_MIN_ESCAPED_NEWLINES = 3  # in a text without real line ends
_Convert = Callable[[str, ProtectedSpans], tuple[str, int]]
_CONVERTERS: dict[Form, _Convert] = {
    Form.HTML: html.to_markdown,
    Form.LATEX: latex.to_markdown,
    Form.MARKDOWN: markdown.to_markdown,
}


def clean_statement(raw: str) -> CleanStatement:
    """Return the clean form of a statement."""
    text = unicodedata.normalize("NFC", raw.replace("\r\n", "\n").replace("\r", "\n"))
    repairs = []
    text, wrong_line = repair_letters(text)
    if wrong_line is not None:
        repairs.append(Finding("mojibake_repaired", f'from "{wrong_line[:60]}"'))
    text, count = _UNPRINTABLE.subn("", remove_marks(text).translate(_BLANKS))
    if count:
        repairs.append(Finding("control_characters_removed", f"{count} of them"))
    text = _FRONT_MATTER.sub(_keep_title, text)
    form = detect_form(text)
    if form is Form.CODE:
        return CleanStatement(_format_code(text), 0, (), tuple(repairs))
    if form is Form.MARKDOWN:
        text = fence_samples(text)
    spans = ProtectedSpans()
    faults = _find_raw_faults(text, form)
    if form is Form.HTML:  # mirrors of pages may have samples in fences
        text = markdown.FENCE.sub(
            lambda match: f"<p>{markdown.hide_fence(match, spans, True)}</p>", text
        )
    try:
        body, images = _CONVERTERS[form](text, spans)
    except MarkupError as error:
        return CleanStatement(text, 0, (str(error), *faults), tuple(repairs))
    if form is not Form.MARKDOWN:  # pages and papers often contain Markdown, too
        body, _ = markdown.to_markdown(body, spans)
    faults += _find_leftovers(body)
    body = spans.restore(_normalize_blanks(body.translate(_BLANKS)))
    body = _SPACED_MINUS.sub(lambda match: match[1] or f"{match[2]}-", body)
    body, flat_power = restore_powers(body)
    if flat_power is not None:
        repairs.append(Finding("lost_superscript", f'it says "{flat_power}"'))
    return CleanStatement(body, images, tuple(faults), tuple(repairs))


def _keep_title(match: re.Match[str]) -> str:
    """Return the title of a page's front matter as one; the rest is for the site that shows it."""
    title = _FRONT_TITLE.search(match[0])
    return f"# {title[1]}\n\n" if title else ""


def _find_raw_faults(text: str, form: Form) -> list[str]:
    """Return the faults of a whole text: cut in a tag, or escaped or serialized too often."""
    if form is Form.HTML and re.search(r"</?[a-zA-Z][^<>]*$", text):
        return ["the text ends within a tag"]
    if len(_ESCAPED_NEWLINE.findall(text)) >= _MIN_ESCAPED_NEWLINES and "\n" not in text.strip():
        return ["line ends are written out as \\n"]
    if text.lstrip().startswith(("{", "[")):
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            return []
        if isinstance(record, dict | list):
            return ["it is a record in JSON, not a text"]
    return []


def detect_form(text: str) -> Form:
    """Return the markup of a text, recognised by what only that markup uses."""
    if ("def " in text or "class " in text) and _is_code(text):
        return Form.CODE
    prose = _INLINE_CODE.sub("", markdown.FENCE.sub("", text))
    if _HTML.search(prose):
        return Form.HTML
    return Form.LATEX if _LATEX.search(_FORMULA.sub("", prose)) else Form.MARKDOWN


def _is_code(text: str) -> bool:
    tree = parse_python(text)
    return tree is not None and any(
        isinstance(node, ast.FunctionDef | ast.ClassDef) for node in tree.body
    )


def _format_code(text: str) -> str:
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    return "```python\n" + "\n".join(lines).rstrip() + "\n```"


def _normalize_blanks(text: str) -> str:
    """Return the text without trailing and double blanks, and with at most one empty line in a
    row."""
    lines = [  # blanks within quotes may matter
        line.rstrip() if '"' in line else re.sub(r"(?<=\S)[ \t]{2,}", " ", line.rstrip())
        for line in text.split("\n")
    ]
    lines = [line if re.match(r"\s*(?:- |\d+\. )", line) else line.lstrip() for line in lines]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _find_leftovers(text: str) -> list[str]:
    """Return what a conversion leaves: TeX commands and entities outside formulas and code."""
    commands = sorted({name for name in _COMMAND.findall(text) if name in maths.COMMANDS})
    faults = [f"a formula is not closed or cannot be read: \\{name}" for name in commands[:3]]
    if match := _OPEN_SCRIPT.search(text):
        faults.append(f"a formula is not closed: {match[0]}")
    if match := _ENTITY.search(text):
        faults.append(f"it was escaped too often: {match[0]}")
    if re.search(r"\\(?:begin|end)\{\w+\*?\}|\\item\b", text):
        faults.append("an environment of LaTeX is cut in two")
    return faults
