"""Makes HTML from values that may be hostile: it escapes everything that is not Markup."""

from __future__ import annotations

import html
import re

# Characters that are invisible or reorder text: controls, format characters, half surrogates.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff]"
)
_VOID = frozenset({"meta", "input", "br", "hr"})


class Markup(str):
    """Text that is HTML and needs no escaping."""

    __slots__ = ()


def escape_invisible(text: str) -> str:
    r"""Replace characters that are invisible or reorder text by escapes such as \u200b."""
    return _INVISIBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def escape_html(value: object) -> Markup:
    """Escape a value as HTML text; return Markup unchanged."""
    if isinstance(value, Markup):
        return value
    return Markup(html.escape(escape_invisible(str(value))))


def join_markup(*parts: object) -> Markup:
    """Escape and concatenate values."""
    return Markup("".join(escape_html(part) for part in parts))


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """Make one element.

    An attribute ``class_`` becomes class, ``aria_label`` aria-label. None and False leave it out,
    True gives it no value.
    """
    attribute_text = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{escape_html(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    content = "" if name in _VOID else f"{join_markup(*children)}</{name}>"
    return Markup(f"<{name}{attribute_text}>{content}")
