"""One clean form for every statement: Markdown with code in fences and formulas as text.

raw text -> form recognised -> converted -> blanks settled -> Clean
"""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from microcoder_eval.data.syntax import parsed

from . import html, latex, markdown, maths
from .protected import Protected, without_marks


class Form(StrEnum):
    """What a statement was written in."""

    HTML = "html"
    LATEX = "latex"
    MARKDOWN = "markdown"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Clean:
    """A statement in our form. images: how many it shows. faults: broken markup, in words."""

    text: str
    form: Form
    images: int
    faults: tuple[str, ...]


_HTML = re.compile(
    r"<(?:p|div|pre|ul|ol|li|table|h[1-6]|section|article|body|html|tr|td|blockquote|dl)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_LATEX = re.compile(
    r"\\(?:begin|end)\{|\\(?:textbf|textit|texttt|emph|(?:sub)*section|paragraph|problemname|"
    r"InputFile|OutputFile|includegraphics|illustration|item|exmp)\b"
)
_FENCED = re.compile(r"^(?:```|~~~).*?^(?:```|~~~)", re.DOTALL | re.MULTILINE)
_MATHS = re.compile(r"(\${1,3})(?:(?!\1).)+?\1|\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL)
_LEFT = re.compile(r"\\([A-Za-z]{2,})")
_INVISIBLE = {0x200B: None, 0x200C: None, 0x200D: None, 0xFEFF: None, 0xAD: None, 0x2060: None,
              **dict.fromkeys([*range(0x200E, 0x2010), *range(0x202A, 0x202F),
                               *range(0x2066, 0x206A)]),
              0xA0: " ", 0x202F: " ", 0x2009: " ", 0x2002: " ", 0x2003: " ", 0x0B: " ",
              0x0C: "\n", 0x2028: "\n", 0x2029: "\n\n"}  # fmt: skip
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|le|ge|nbsp|#\d+|#x[0-9a-f]+);", re.IGNORECASE)
_WRITTEN_OUT = 3  # line ends of a text without any other
_Convert = Callable[[str, Protected], tuple[str, int]]
_CONVERTERS: dict[Form, tuple[_Convert, Callable[[str], list[str]]]] = {
    Form.HTML: (html.to_markdown, html.faults),
    Form.LATEX: (latex.to_markdown, latex.faults),
    Form.MARKDOWN: (markdown.to_markdown, markdown.faults),
}


def clean(raw: str) -> Clean:
    """The statement in our form."""
    text = unicodedata.normalize("NFC", raw.replace("\r\n", "\n").replace("\r", "\n"))
    text = without_marks(text).translate(_INVISIBLE)
    form = form_of(text)
    if form is Form.CODE:
        return Clean(_code(text), form, 0, ())
    convert, faults_of = _CONVERTERS[form]
    hidden = Protected()
    faults = [*_spoilt(text), *faults_of(text)]
    body, images = convert(text, hidden)
    if form is not Form.MARKDOWN:  # its pages and papers hold marks of Markdown, too
        body, _ = markdown.to_markdown(body, hidden)
    faults += _left_over(body)
    return Clean(hidden.back(_settled(body)), form, images, tuple(faults))


def _spoilt(text: str) -> list[str]:
    """What writing and escaping once too often leaves of a whole text."""
    if text.count("\\n") >= _WRITTEN_OUT and "\n" not in text.strip():
        return ["line ends are written out as \\n"]
    if text.lstrip().startswith(("{", "[")):
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            return []
        if isinstance(record, dict | list):
            return ["it is a record in JSON, not a text"]
    return []


def form_of(text: str) -> Form:
    """What the text is written in, by what only that form uses."""
    if ("def " in text or "class " in text) and _is_code(text):
        return Form.CODE
    bare = _FENCED.sub("", text)
    if _HTML.search(bare):
        return Form.HTML
    return Form.LATEX if _LATEX.search(_MATHS.sub("", bare)) else Form.MARKDOWN


def _is_code(text: str) -> bool:
    tree = parsed(text)
    return tree is not None and any(
        isinstance(node, ast.FunctionDef | ast.ClassDef) for node in tree.body
    )


def _code(text: str) -> str:
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    return "```python\n" + "\n".join(lines).rstrip() + "\n```"


def _settled(text: str) -> str:
    """No blanks at ends of lines or doubled within, no more than one empty line."""
    lines = [re.sub(r"(?<=\S)[ \t]{2,}", " ", line.rstrip()) for line in text.split("\n")]
    lines = [line if re.match(r"\s*(?:- |\d+\. )", line) else line.lstrip() for line in lines]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _left_over(text: str) -> list[str]:
    """Commands of TeX that stand outside of formulas and code."""
    left = sorted({name for name in _LEFT.findall(text) if name in maths.COMMANDS})
    told = [f"a formula is not closed or cannot be read: \\{name}" for name in left[:3]]
    if found := _ENTITY.search(text):
        told.append(f"it was escaped too often: {found[0]}")
    if re.search(r"\\(?:begin|end)\{\w+\*?\}|\\item\b", text):
        told.append("an environment of LaTeX is cut in two")
    return told
