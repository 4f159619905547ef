"""What a stage has done so far: a page for each problem, appended as it is finished.

The judge's journal with other lines in it: locked, whole after kill -9, two integers of memory
for each problem. The first line says of which input and settings the pages are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from microcoder_eval.journal import LINE_START, Journal, _lines_of
from microcoder_eval.journal_index import Places
from microcoder_eval.outputs import OutputError

from .rows import Row, encoded
from .stage import Drop, Page

RETRIED = "judge_failed"  # a page that says this is no page: the next run tries again


class Pages(Journal):
    """The open pages of one run of a stage. Made by Journal.open."""

    def begin(self, key: Mapping[str, str]) -> Places:
        """Where the pages of an earlier run lie, by position; its key must be ours.

        Raises OutputError for pages of other input, settings or versions.
        """
        places = Places()
        if not self.holds_results:
            self._write(_line(None, {"key": dict(key)}))
            return places
        for offset, line in _lines_of(self._descriptor):
            page = self._decoded(line)
            if offset == 0:
                self._refuse_other(page.get("key"), key)
            elif (page.get("drop") or {}).get("reason") != RETRIED:
                places.put(page["position"], (offset, len(line)))
        return places

    def _decoded(self, line: bytes) -> dict[str, Any]:
        try:
            page = json.loads(line)
        except ValueError:
            page = None
        if not isinstance(page, dict) or not ("key" in page or "position" in page):
            raise OutputError(
                f"{self.paths.journal} holds something else than pages of microcoder-data; "
                "choose another name for -o"
            )
        return page

    def _refuse_other(self, found: Any, key: Mapping[str, str]) -> None:
        for name, value in key.items():
            if not isinstance(found, dict) or found.get(name) != value:
                raise OutputError(
                    f"--resume refused: {self.paths.journal} was made with another {name}; "
                    f"use the {name} of that run, or --force to start anew"
                )

    def append_page(self, line: bytes) -> tuple[int, int]:
        """Write one page (``page_line``); its place. Raises OutputError, nothing torn."""
        return self._write(line)

    def page(self, place: tuple[int, int]) -> dict[str, Any]:
        """The page at a place: position, row, drop, features, timing; see Page."""
        page: dict[str, Any] = json.loads(self.read(*place))
        return page


def page_line(position: int, page: Page) -> bytes:
    """A page as a line of the journal."""
    name = page.row.get("problem_id") if page.row is not None else None
    drop = page.drop and drop_record(page.drop)
    fields = {
        "position": position,
        "drop": drop,
        "features": page.features,
        "timing": dict(page.timing) if page.timing else None,
    }
    return _line(name, fields, page.row)


def drop_record(drop: Drop) -> dict[str, Any]:
    """A drop as it is written."""
    evidence = {"evidence": dict(drop.evidence)} if drop.evidence else {}
    return {"reason": drop.reason, "detail": drop.detail, **evidence}


def _line(name: Any, fields: Mapping[str, Any], row: Row | None = None) -> bytes:
    told = {key: value for key, value in fields.items() if value is not None}
    head = LINE_START + json.dumps(name).encode()
    body = b", " + json.dumps(told).encode()[1:-1] if told else b""
    # The row as it will stand in OUT, so that finishing is copying.
    tail = b', "row": ' + encoded(row)[:-1] if row is not None else b""
    return head + body + tail + b"}\n"
