"""The bundled problems."""

from __future__ import annotations

from typing import Any

from tests.files import ROOT, read_jsonl

MINI = ROOT / "datasets" / "microcoder-mini"
SPLITS = ("train", "heldout")


def read_rows(name: str) -> list[dict[str, Any]]:
    """The rows of a file of the set."""
    return read_jsonl(MINI / name)


def rows_of(tier: str, *splits: str) -> list[dict[str, Any]]:
    """The problems of a tier, of all splits if none is named."""
    return [row for split in splits or SPLITS for row in read_rows(f"tier_{tier}_{split}.jsonl")]
