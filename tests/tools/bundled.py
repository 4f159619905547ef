"""The bundled problems, and how the judge judges the programs that stand with them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from microcoder_eval import Judge, Verdict

MINI = Path(__file__).resolve().parents[2] / "datasets" / "microcoder-mini"


def rows_of(tier: str, split: str) -> list[dict[str, Any]]:
    text = (MINI / f"tier_{tier}_{split}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def misjudged(pool: Judge, rows: Sequence[dict[str, Any]]) -> list[tuple[str, str, Verdict]]:
    """(problem, program, verdict) of each program that does not get the verdict stated."""
    cases = [(row, solution) for row in rows for solution in row["solutions"]]
    pending = [pool.submit({"code": s["code"]}, row) for row, s in cases]
    return [
        (row["problem_id"], solution["code"], judged.verdict)
        for (row, solution), future in zip(cases, pending, strict=True)
        if (judged := future.result()).verdict != solution["verdict"]
    ]
