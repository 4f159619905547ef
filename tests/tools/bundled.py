"""The bundled problems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MINI = Path(__file__).resolve().parents[2] / "datasets" / "microcoder-mini"


def rows_of(tier: str, split: str) -> list[dict[str, Any]]:
    text = (MINI / f"tier_{tier}_{split}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
