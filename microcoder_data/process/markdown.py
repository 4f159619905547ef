"""Statements in Markdown, or plain text, as the Markdown that all statements end up in."""

from __future__ import annotations

import html as entities
import re

from .protected import Protected

_FENCE = re.compile(r"^( {0,3})(`{3,}|~{3,})[ \t]*([\w+#-]*)[^\n]*\n(.*?)^ {0,3}\2[`~]*[ \t]*$",
                    re.DOTALL | re.MULTILINE)  # fmt: skip
_OPEN_FENCE = re.compile(r"^ {0,3}(?:`{3,}|~{3,})", re.MULTILINE)
_INLINE = re.compile(r"(?<!`)(`{1,2})(?!`)([^\n]+?)(?<!`)\1(?!`)")
_IMAGE = re.compile(r"!\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_IMAGE_TAG = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)")
_SUP = re.compile(r"<(sup|sub)>\s*(.*?)\s*</\1>", re.IGNORECASE | re.DOTALL)
_CODE_TAG = re.compile(r"<(code|tt|kbd)>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|span|font|center|var|p|div|a|small|big|ins|s|nobr|details|summary)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_SETEXT = re.compile(r"^(?!\s*$)(?![-*|>#])([^\n]{1,80})\n(=+|-{3,})[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]*([^\n#][^\n]*?)[ \t]*#*[ \t]*$", re.MULTILINE)
_BOLD_LINE = re.compile(r"^[ \t]*(?:\*\*|__)([^*_\n]{1,60}?):?(?:\*\*|__):?[ \t]*$", re.MULTILINE)
# Not __name__, which is a name.
_BOLD = re.compile(
    r"(?<![\w*])(?:\*\*(?=\S)([^\n]+?)(?<=\S)\*\*|__(?=\S)([^\n_]* [^\n_]*)(?<=\S)__)(?![\w*])"
)
_ITALIC = re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*\\])\*(?![\w*])")
_BULLET = re.compile(r"^([ \t]*)[*+•][ \t]+(?=\S)", re.MULTILINE)
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!<>|$~^])")
_SIMPLE = re.compile(r"\w+|[+\-]?\d+")


def to_markdown(text: str, hidden: Protected) -> tuple[str, int]:
    """The text in our form, and how many pictures it shows."""
    text = _FENCE.sub(lambda found: hidden.hide(_fence(found[3], found[4])), text)
    text = _INLINE.sub(lambda found: hidden.hide(f"`{found[2].strip()}`"), text)
    text = _CODE_TAG.sub(lambda found: hidden.hide(f"`{_unescaped(found[2]).strip()}`"), text)
    text = hidden.formulas(text)
    text = _COMMENT.sub("", text)
    text, pictures = _IMAGE.subn(_image, text)
    text, tags = _IMAGE_TAG.subn("[image]", text)
    text = _LINK.sub(r"\1", text)
    text = _BREAK.sub("\n", _SUP.sub(_raised, text))
    text = _unescaped(_TAG.sub("", text))
    text = _SETEXT.sub(lambda found: f"{'#' if found[2][0] == '=' else '##'} {found[1]}", text)
    text = _BOLD_LINE.sub(r"\n## \1\n", text)
    text = _HEADING.sub(_heading, text)
    text = _BULLET.sub(r"\1- ", text)
    text = _ITALIC.sub(r"\1", _BOLD.sub(lambda found: found[1] or found[2], text))
    return _ESCAPE.sub(r"\1", text), pictures + tags


def _fence(language: str, body: str) -> str:
    code = body.replace("\r\n", "\n").strip("\n")
    return f"```{language}\n{code}\n```"


def _unescaped(text: str) -> str:
    # Twice: pages that were escaped once too often show "&amp;lt;" to their readers.
    once = entities.unescape(text)
    return entities.unescape(once) if "&" in once else once


def _image(found: re.Match[str]) -> str:
    told = " ".join(found[1].split())
    return f"[image: {told}]" if told else "[image]"


def _raised(found: re.Match[str]) -> str:
    mark = "^" if found[1].lower() == "sup" else "_"
    inner = " ".join(found[2].split())
    return mark + (inner if _SIMPLE.fullmatch(inner) else f"({inner})") if inner else ""


def _heading(found: re.Match[str]) -> str:
    mark = "#" if len(found[1]) == 1 else "##"
    title = found[2].strip().strip("*_").strip().rstrip(":")
    return f"\n{mark} {title}\n"


def faults(text: str) -> list[str]:
    """What is broken in the markup, in words."""
    rest = _FENCE.sub("", text)
    return ["a code fence is not closed"] if _OPEN_FENCE.search(rest) else []
