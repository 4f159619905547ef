"""A page taken apart by the standard library's parser: what a browser would make of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any


@dataclass
class Parsed(HTMLParser):
    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    scripts: list[tuple[dict[str, str | None], str]] = field(default_factory=list)
    styles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open = [tag]
        if tag == "script":
            self.scripts.append((dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        self._open = []

    def handle_data(self, data: str) -> None:
        if self._open == ["script"]:
            attributes, before = self.scripts[-1]
            self.scripts[-1] = attributes, before + data
        elif self._open == ["style"]:
            self.styles.append(data)
        else:
            self.texts.append(data)

    def names(self) -> set[str]:
        return {name for name, _ in self.tags}

    def attribute_names(self) -> set[str]:
        return {name for _, attributes in self.tags for name in attributes}

    def data(self, name: str) -> Any:
        (text,) = [text for attributes, text in self.scripts if attributes.get("id") == name]
        return json.loads(text)

    def details(self) -> list[dict[str, Any]]:
        """All details, with their texts put in again."""
        filled_details = []
        for attributes, text in self.scripts:
            name = attributes.get("id") or ""
            if name[:1] == "d" and name[1:].isdigit():
                block = json.loads(text)
                filled_details += [_fill(detail, block["texts"]) for detail in block["details"]]
        return filled_details


def _fill(detail: dict[str, Any], texts: list[str]) -> dict[str, Any]:
    if detail["code"] is not None:
        detail["code"] = texts[detail["code"]]
    for side in ("input", "expected", "got", "stderr"):
        piece = detail.get("fail", {}).get(side)
        if piece is not None:
            piece["text"] = texts[piece["text"]]
    return detail


def parse_page(text: str) -> Parsed:
    page = Parsed()
    page.feed(text)
    page.close()
    return page
