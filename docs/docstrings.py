"""Lays out docstrings for the reference: "name: meaning" becomes an entry of a list.

An extension of griffe, which reads the code for mkdocstrings. Names are those of parameters and
of attributes; what ``help`` adds at run time, the options of a judge, is added here, too.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

OPTIONS = "settings.JudgeOptions"
_MORE_KEYWORDS = "More keywords"
_END_OF_LIST = re.compile(r"(?<=[.)]) (?=(?:Raises|Returns) )")


class ListEntries(griffe.Extension):
    """Rewrites the docstrings of a package after it has been read."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Rewrite all docstrings of a package."""
        if pkg.name != "microcoder_eval":
            return
        options = pkg[OPTIONS]
        _, _, paragraphs = _read_text(options).partition("\n\n")
        _rewrite(pkg, format_paragraphs(paragraphs, _list_names(options)))


def _rewrite(item: griffe.Object | griffe.Alias, options_text: str) -> None:
    if item.is_alias:
        return
    if item.docstring is not None and not item.is_module:
        text = format_paragraphs(_read_text(item), _list_names(item))
        if item.is_function and _MORE_KEYWORDS in text:
            text += f"\n\n{options_text}"
        item.docstring.value = text
    for member in item.members.values():
        _rewrite(member, options_text)


def _read_text(item: griffe.Object | griffe.Alias) -> str:
    return item.docstring.value if item.docstring is not None else ""


def _list_names(item: griffe.Object | griffe.Alias) -> set[str]:
    """The names that a docstring may explain."""
    names = set(item.members)
    if item.is_function:
        names |= {parameter.name.lstrip("*") for parameter in item.parameters}
    return names


def format_paragraphs(text: str, names: set[str]) -> str:
    """Return a docstring as Markdown; names: those that begin an entry of a list."""
    return "\n\n".join(_format_paragraph(part, names) for part in text.split("\n\n"))


def _format_paragraph(text: str, names: set[str]) -> str:
    name = "|".join(sorted(names, key=len, reverse=True)) or "(?!)"
    entry = re.compile(rf"(?:^|(?<=[.)] ))((?:{name})(?:, (?:{name}))*): ")
    first, *parts = entry.split(" ".join(text.split()))
    if not parts:
        return text
    *pairs, (last_name, last_text) = zip(parts[::2], parts[1::2], strict=True)
    last_meaning, *others = _END_OF_LIST.split(last_text, maxsplit=1)
    entries = [
        f"* {', '.join(f'`{n}`' for n in label.split(', '))}: {meaning.strip()}"
        for label, meaning in (*pairs, (last_name, last_meaning))
    ]
    return "\n\n".join(filter(None, (first.strip(), "\n".join(entries), *others)))
