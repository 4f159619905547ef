"""Tells tags of HTML from what looks like them: comparisons and types."""

from __future__ import annotations

import re
from collections.abc import Collection

_TAG = re.compile(r"<(/?)([a-z][\w:-]*)((?:=\s*(?:\"[^\"]*\"|'[^']*')|[^<>])*)(>?)", re.IGNORECASE)
_END = re.compile(r"</([a-z][\w:-]*)", re.IGNORECASE)
_ATTRIBUTES = re.compile(r"\s*/?|\s+[\w:.-]+\s*=\s*[^\s=].*", re.DOTALL)
_OPERATOR = re.compile(r"[\w)\]]<[a-z](?:>[\w(\[-]|<)", re.IGNORECASE)
_NAMES = frozenset(  # of tags that pages forget to close, or never do
    ["area", "base", "body", "br", "center", "code", "col", "dd", "div", "dt", "em", "embed",
     "font", "h1", "h2", "h3", "h4", "head", "hr", "html", "img", "input", "li", "link", "meta",
     "ol", "p", "param", "pre", "small", "source", "span", "strong", "sub", "sup", "table", "tbody",
     "td", "th", "thead", "tr", "tt", "ul", "wbr"]
)  # fmt: skip
# Before a word these begin a style, even if it never ends: no comparison is written "x <b>Note".
_STYLES = frozenset(["a", "b", "big", "i", "s", "u"])
_BEFORE_WORD = re.compile(r"(?<![\w)\]])<[A-Za-z]+>(?=[A-Z]|[a-z]{3})")  # not "the <i>th"

_BREAK_IN_SCRIPT = re.compile(
    r"((?:<br\s*/?>\s*)+)((?:</?\w[^<>]*>|&nbsp;|\s)*?</su[pb]>)", re.IGNORECASE
)
_TOUCHING = re.compile(r"</sup><sup>|</sub><sub>", re.IGNORECASE)


def mend_scripts(text: str) -> str:
    """Return the text with the line ends at the end of a superscript after it, and with one
    superscript in place of two that touch: editors of pages write both, and the next line would
    continue the power."""
    return _TOUCHING.sub("", _BREAK_IN_SCRIPT.sub(r"\2\1", text))


def escape_comparisons(text: str) -> str:
    """Return the text with "<" as an entity where it begins no tag of HTML: ``a<b>c``,
    ``i<n && n>3``, ``vector<int>``."""
    ends = {name.lower() for name in _END.findall(text)}
    return _TAG.sub(lambda match: match[0] if _is_tag(match, ends) else f"&lt;{match[0][1:]}", text)


def _is_tag(match: re.Match[str], ends: Collection[str]) -> bool:
    """Whether a tag begins here, if only a broken one. ends: the names that a tag of the text
    closes."""
    slash, name, attributes, closing = match.groups()
    name, text = name.lower(), match.string
    if slash or (name in _NAMES and name != "p"):
        return True
    is_whole = _ATTRIBUTES.fullmatch(attributes) if closing else not attributes.strip()
    if is_whole and name in _STYLES and _BEFORE_WORD.match(text, match.start()):
        return True
    if not is_whole or not (name == "p" or name in ends):
        return False
    next_tag = re.compile(rf"<(/?){re.escape(name)}\b", re.IGNORECASE).search(text, match.end())
    is_closed = name == "p" or (next_tag is not None and next_tag[1] == "/")
    return (is_closed and bool(closing)) or not _OPERATOR.match(text, max(0, match.start() - 1))
