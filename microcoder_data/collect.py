"""The stage that reads every problem, with licence, origin, platform and date."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .dates import to_iso_date
from .recipe import Collect
from .row_reader import read_row
from .rows import Row
from .stage import Decisions, Drop, KeptProblem, RawRecord, Stage, StageResult

_LICENCE_KEYS = ("licence", "license", "License")
_ORIGIN_KEYS = ("origin", "url", "link", "source_url")


@dataclass(slots=True)
class CollectStage(Stage):
    """Reads rows of known formats and problem packages; drops repeated names."""

    recipe: Collect
    max_line_mb: float = 1024.0
    name: str = "collect"

    def describe_settings(self) -> Mapping[str, Any]:
        """See Stage."""
        return {**self.recipe.model_dump(mode="json"), "max_line_mb": self.max_line_mb}

    def handle_record(self, record: RawRecord) -> StageResult:
        """Read one problem."""
        return StageResult(self._fill_defaults(read_row(record, self.recipe.format)))

    def _fill_defaults(self, row: Row) -> Row:
        """Return the row with the recipe's values where it has none."""
        row = _rename_key(_rename_key(row, "licence", _LICENCE_KEYS), "origin", _ORIGIN_KEYS)
        for key in ("licence", "origin", "platform", "date"):
            default = getattr(self.recipe, key)
            if default is not None and not row.get(key):
                row[key] = default
        if (date := to_iso_date(row.get("date"))) is not None:
            row["date"] = date
        return row

    def finalize(self, problems: Iterator[KeptProblem]) -> Decisions:
        """Drop the second problem of a name: solutions and results refer to names."""
        names: set[str] = set()
        drops: dict[int, Drop] = {}
        for problem in problems:
            if problem.problem_id in names:
                detail = f'an earlier problem is called "{problem.problem_id}", too'
                drops[problem.position] = Drop("duplicate_id", detail)
            names.add(problem.problem_id)
        return drops


def _rename_key(row: Row, name: str, keys: tuple[str, ...]) -> Row:
    """Return the row with the first text under one of ``keys`` moved to the key ``name``."""
    text = next((row[key] for key in keys if isinstance(row.get(key), str) and row[key]), None)
    fields = {key: value for key, value in row.items() if key not in keys or key == name}
    return fields if text is None else {**fields, name: text}
