"""The log of a stage: one entry for each finished problem, appended at once.

The log is the judge's journal with other lines: it is locked, stays readable after kill -9, and
takes two integers of memory for each problem. The first line names the input and settings that the
entries belong to.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from microcoder_eval.records import encode_line
from microcoder_eval.results.files import Extent, OutputError
from microcoder_eval.results.journal import Journal, LineExtents

from .reasons import PENDING_REASONS
from .rows import order_keys
from .stage import Drop, StageResult


class ResultLog(Journal):
    """The open log of one run of a stage."""

    def open_index(self, key: Mapping[str, str]) -> LineExtents:
        """Return where each entry of an earlier run is, by the problem's position.

        A new log gets its first line. Entries of pending problems are left out, so that they are
        tried again.

        Raises OutputError for entries of another input, other settings or another version.
        """
        locations = LineExtents()
        if not self.holds_results:
            self.append_line(_encode_entry(None, key=dict(key)))
            return locations
        for extent, line in self.read_lines():
            entry = self._decode_entry(line)
            if extent.offset == 0:
                self._refuse_other(entry.get("key"), key)
            elif (entry.get("drop") or {}).get("reason") not in PENDING_REASONS:
                locations.record(entry["position"], extent)
        return locations

    def _decode_entry(self, line: bytes) -> dict[str, Any]:
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if not isinstance(entry, dict) or not ("key" in entry or "position" in entry):
            raise OutputError(
                f"{self.paths.journal} is not a log of microcoder-data; choose another name for -o"
            )
        return entry

    def _refuse_other(self, stored_key: Any, key: Mapping[str, str]) -> None:
        for name, value in key.items():
            if not isinstance(stored_key, dict) or stored_key.get(name) != value:
                raise OutputError(
                    f"--resume refused: {self.paths.journal} was made with another {name}; "
                    f"use the {name} of that run, or --force to start over"
                )

    def read_result(self, location: Extent) -> StageResult:
        """Return the result in the entry at a location."""
        entry = json.loads(self.read(location))
        drop = entry.get("drop")
        return StageResult(
            entry.get("row"), drop and Drop(**drop), entry.get("features"), entry.get("timing")
        )


def encode_result(position: int, result: StageResult) -> bytes:
    """Return a result as a line of the log."""
    return _encode_entry(
        result.problem_id,
        position=position,
        drop=result.drop and drop_to_dict(result.drop),
        features=result.features,
        timing=result.timing or None,
        row=result.row and order_keys(result.row),
    )


def drop_to_dict(drop: Drop) -> dict[str, Any]:
    """Return a drop as JSON objects hold it."""
    evidence = {"evidence": dict(drop.evidence)} if drop.evidence else {}
    return {"reason": drop.reason, "detail": drop.detail, **evidence}


def _encode_entry(problem_id: Any, **fields: Any) -> bytes:
    """Return a line of the log. The journal expects the key "problem_id" at its start."""
    values = {key: value for key, value in fields.items() if value is not None}
    return encode_line({"problem_id": problem_id, **values}, allow_nan=True) + b"\n"
