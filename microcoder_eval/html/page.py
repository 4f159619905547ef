"""The head of a page that runs its own script only and loads nothing."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from .markup import Markup, tag


def render_head(title: str, style: str, script: str = "") -> Markup:
    """Render the head with the style; the page must hold ``script`` as it is, or none."""
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag(
            "meta",
            http_equiv="Content-Security-Policy",
            content=make_content_policy(style, script),
        ),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", Markup(style)),
    )


def make_content_policy(style: str, script: str = "") -> str:
    """Return the policy that allows a page its own style and script, by hash, and no more."""
    return "; ".join(
        (
            "default-src 'none'",
            *((f"script-src '{_hash(script)}'",) if script else ()),
            f"style-src '{_hash(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
