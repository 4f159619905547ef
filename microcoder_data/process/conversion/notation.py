"""The Markdown that clean statements are written in: fences, scripts, pictures."""

from __future__ import annotations

import re

_SAMPLE_LANGUAGE = re.compile(r"(input|output)(\d+)")
_SIMPLE_SCRIPT = re.compile(r"[^\W_]+|[+\-−]?\d+|[*'∞†]|\w*\.\.\.")


class MarkupError(ValueError):
    """The markup of a statement cannot be read."""


def make_fence(code: str, language: str = "") -> str:
    """Return a block of code. A language such as input1, of Hydro and Luogu, is a title."""
    body = code.replace("\r\n", "\n").strip("\n")
    sample = _SAMPLE_LANGUAGE.fullmatch(language)
    if sample is not None:
        return f"Sample {sample[1].capitalize()} {sample[2]}:\n\n```\n{body}\n```"
    return f"```{language}\n{body}\n```"


def make_script(mark: str, text: str) -> str:
    """Return a superscript (mark "^") or subscript ("_"), in braces where it is not one word, and
    the blank at its end: the next word is none of it."""
    script, end = " ".join(text.split()), " " if text[-1:].isspace() else ""
    if not script:
        return end
    return mark + (script if _SIMPLE_SCRIPT.fullmatch(script) else f"{{{script}}}") + end


def make_image(description: str) -> str:
    """Return the text that stands for a picture."""
    description = " ".join(description.split())
    return f"[image: {description}]" if description else "[image]"
