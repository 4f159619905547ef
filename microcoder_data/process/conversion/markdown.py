"""Converts statements in any Markdown, or plain text, to the Markdown of clean statements."""

from __future__ import annotations

import html
import re

from . import maths
from .html_tags import escape_comparisons, mend_scripts
from .notation import make_fence, make_image, make_script
from .protected_spans import ProtectedSpans

ANY_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)  # also one that never ends
FENCE = re.compile(  # "```a``` is" begins with code within a line
    r"^( {0,3})(`{3,}|~{3,})[ \t]*([\w+#:-]*)[^\n`]*\n(.*?)^ {0,3}\2[`~]*[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_INLINE = re.compile(r"(?<!`)(`{1,3})(?!`)([^\n]+?)(?<!`)\1(?!`)")
_IMAGE = re.compile(r"!\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_IMAGE_TAG = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
_LINK = re.compile(
    r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])+)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)"
)
_SUP = re.compile(  # the innermost
    r"<(sup|sub)>((?:(?!<su[pb]>).)*?)</\1>", re.IGNORECASE | re.DOTALL
)
_SUP_DEPTH = 3
_CODE_TAG = re.compile(r"<(code|tt|kbd)>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_BREAK_OR_ROW = re.compile(r"^[ \t]*\|[^\n]*|</?br\s*/?>", re.IGNORECASE | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|span|font|center|var|p|div|a|small|big|ins|s|nobr|ruby|rb|rt|rp|details|summary)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_SETEXT = re.compile(  # a line below a hidden fence is a rule
    r"^(?!\s*$)(?![-*|>#]|\ue000\d+\ue001[ \t]*$)([^\n]{1,80})\n(=+|-{3,})[ \t]*$", re.MULTILINE
)
_HEADING = re.compile(r"^ {0,3}(#{1,6})(?!\d)[ \t]*([^\n#][^\n]*?)[ \t]*#*[ \t]*$", re.MULTILINE)
_BOLD_LINE = re.compile(r"^[ \t]*(?:\*\*|__)([^*_\n]{1,60}?):?(?:\*\*|__):?[ \t]*$", re.MULTILINE)
# A part of a word ("the **i**th"), or more within a paragraph. __bold__ needs a blank: __name__ is
# an identifier.
_BOLD = re.compile(
    r"(?<![\w*])(?:\*\*([^\s*]+)\*\*(?=\w)"
    r"|\*\*(?=\S)((?:[^\n]|\n(?![ \t]*(?:\n|[-*#|>+]))){1,600}?)(?<=\S)\*\*(?![\w*])"
    r"|__(?=\S)([^\n_]* [^\n_]*)(?<=\S)__(?![\w*]))"
)
_ITALIC = re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*\\])\*(?![\w*])")
_BULLET = re.compile(r"^([ \t]*)[*+•][ \t]+(?=\S)", re.MULTILINE)
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!<>|$~^])")
_ESCAPE_IN_ROW = re.compile(_ESCAPE.pattern.replace("|", ""))  # of a table, whose cells "|" divides


def to_markdown(text: str, spans: ProtectedSpans) -> tuple[str, int]:
    """Return the text in the notation of clean statements, and the number of pictures."""
    text = FENCE.sub(lambda match: hide_fence(match, spans), text)
    text = _INLINE.sub(lambda match: _hide_code(match[2], spans), text)
    text = _CODE_TAG.sub(lambda match: _hide_code(_unescape(match[2]), spans), text)
    text = maths.convert_bare_commands(spans.hide_formulas(text))
    text = _COMMENT.sub("", text)
    text, image_count = _IMAGE.subn(lambda match: make_image(match[1]), text)
    text, tag_count = _IMAGE_TAG.subn("[image]", text)
    text = _LINK.sub(r"\1", text)
    text = _BREAK_OR_ROW.sub(_break_line, _convert_scripts(mend_scripts(text)))
    text = _unescape(_TAG.sub("", escape_comparisons(text)))
    text = _SETEXT.sub(lambda match: f"{'#' if match[2][0] == '=' else '##'} {match[1]}", text)
    text = _BOLD_LINE.sub(r"\n## \1\n", text)
    text = _HEADING.sub(_format_heading, text)
    text = _BULLET.sub(r"\1- ", text)
    text = _ITALIC.sub(r"\1", _BOLD.sub(_get_inner, text))
    lines = (
        (_ESCAPE_IN_ROW if line.startswith("|") else _ESCAPE).sub(r"\1", line)
        for line in text.split("\n")
    )
    return "\n".join(lines), image_count + tag_count


def _convert_scripts(text: str) -> str:
    for _ in range(_SUP_DEPTH):
        text = _SUP.sub(_format_script, text)
    return text


def _hide_code(code: str, spans: ProtectedSpans) -> str:
    """Return the mark of code within a line. No language has the tags of scripts: they are ours."""
    return spans.hide(f"`{_convert_scripts(code).strip()}`")


def hide_fence(match: re.Match[str], spans: ProtectedSpans, in_page: bool = False) -> str:
    """Return the mark of a fence of any Markdown.

    in_page: whether it is in HTML. Its entities are then decoded, unless it has a bare "<".
    """
    code = html.unescape(match[4]) if in_page and "<" not in match[4] else match[4]
    return spans.hide(make_fence(code, match[3]))


def _unescape(text: str) -> str:
    # Twice: some pages are escaped twice and show "&lt;" to their readers.
    text = html.unescape(text)
    return html.unescape(text) if "&" in text else text


def _format_script(match: re.Match[str]) -> str:
    return make_script("^" if match[1].lower() == "sup" else "_", match[2])


def _break_line(match: re.Match[str]) -> str:
    """Return a line end in place of its tag; a row of a table, whose cells cannot hold one, as it
    is."""
    return match[0] if "|" in match[0] else "\n"


def _get_inner(match: re.Match[str]) -> str:
    """Return what is bold."""
    return match[match.lastindex or 0]


def _format_heading(match: re.Match[str]) -> str:
    mark = "#" if len(match[1]) == 1 else "##"
    title = _BOLD.sub(_get_inner, match[2].strip())
    title = title.rstrip(":").strip("*_").strip().rstrip(":")
    return f"\n{mark} {title}\n"
