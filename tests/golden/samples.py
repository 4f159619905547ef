"""Golden pairs: the bundled samples, datasets/samples, but for those that reach a limit.

Those take the seconds that their problems allow; limits.py has quick ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.golden.pairs import Pair

SAMPLES = Path(__file__).resolve().parents[2] / "datasets" / "samples"


def pairs() -> Iterator[Pair]:
    """Every sample solution with its problem."""
    problems = {row["problem_id"]: row for row in _rows("tests.jsonl")}
    for row in _rows("solutions.jsonl"):
        if row["expected_verdict"] in ("TLE", "MLE", "OLE"):
            continue
        language = row.get("language", "python")
        solution: dict[str, Any] = {key: row[key] for key in ("code", "response") if key in row}
        yield Pair(
            f"samples/{row['solution_id']}",
            problems[row["problem_id"]],
            {**solution, "language": language},
            frozenset({language} - {"python"}),
        )


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLES / name).read_text().splitlines()]
