"""The first stage: every problem read, named once, with licence, origin, platform and date."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microcoder_eval.data.collect.dates import iso_date
from microcoder_eval.data.collect.packages import read_package
from microcoder_eval.data.reading import read_row
from microcoder_eval.data.recipe import Collect
from microcoder_eval.data.rows import Row
from microcoder_eval.data.stage import Drop, Given, Kept, Page, Plain, Settled

_LICENCE_KEYS = ("licence", "license", "License")
_ORIGIN_KEYS = ("origin", "url", "link", "source_url")


@dataclass(slots=True)
class CollectStage(Plain):
    """Reads rows of known formats and problem packages."""

    recipe: Collect
    max_line_mb: float = 1024.0
    name: str = "collect"

    def settings(self) -> Mapping[str, Any]:
        """See Stage."""
        return {**self.recipe.model_dump(mode="json"), "max_line_mb": self.max_line_mb}

    def work(self, given: Given) -> Page:
        """Read one problem."""
        if given.folder is not None:
            package = read_package(Path(given.folder))
            row, drop = package.row, package.drop
        else:
            row, drop = read_row(given, self.recipe.format), None
        row = self._told(row)
        return Page(row, drop, features=None if drop else row["problem_id"])

    def _told(self, row: Row) -> Row:
        """With what the recipe says where the problem says nothing."""
        row = _renamed(_renamed(row, "licence", _LICENCE_KEYS), "origin", _ORIGIN_KEYS)
        for key in ("licence", "origin", "platform", "date"):
            given = getattr(self.recipe, key)
            if given is not None and not row.get(key):
                row[key] = given
        if "date" in row:
            date = iso_date(row["date"])
            if date is not None:
                row["date"] = date
        return row

    def settle(self, kept: Iterator[Kept]) -> Settled:
        """A second problem of a name is dropped: solutions and results go by names."""
        seen: set[bytes] = set()
        dropped: dict[int, Drop] = {}
        for one in kept:
            key = hashlib.blake2b(one.problem_id.encode(), digest_size=16).digest()
            if key in seen:
                detail = f'a problem before it is called "{one.problem_id}", too'
                dropped[one.position] = Drop("duplicate_id", detail)
            seen.add(key)
        return dropped


def _renamed(row: Row, name: str, keys: tuple[str, ...]) -> Row:
    """With the first of ``keys`` that holds text under ``name``."""
    found = next((row[key] for key in keys if isinstance(row.get(key), str) and row[key]), None)
    rest = {key: value for key, value in row.items() if key not in keys or key == name}
    return rest if found is None else {**rest, name: found}
