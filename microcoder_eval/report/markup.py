"""HTML out of values that may be hostile: whatever is not made here is escaped."""

from __future__ import annotations

import html
import re

# What would not be seen, or would turn text around: controls, format characters, half surrogates.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff]"
)
_VOID = frozenset({"meta", "input", "br", "hr"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def visible(text: str) -> str:
    """The text with characters that cannot be seen, or that reorder others, written out."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def escaped(value: object) -> Markup:
    """A value as HTML text; Markup as it is."""
    if isinstance(value, Markup):
        return value
    return Markup(html.escape(visible(str(value))))


def joined(*parts: object) -> Markup:
    """Several, one after the other."""
    return Markup("".join(escaped(part) for part in parts))


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """One element. ``class_`` is class, ``aria_label`` aria-label; None: not given, True: bare."""
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escaped(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    end = "" if name in _VOID else f"{joined(*children)}</{name}>"
    return Markup(f"<{name}{given}>{end}")
