"""The table of rules in docs/comparison.md says what the code does: every pair is run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.compare import make_comparer

PAGE = Path(__file__).resolve().parents[2] / "docs" / "comparison.md"
_PAIR = re.compile(r"^`(.*)` → `(.*)`$")
CALIBRATED = make_comparer("calibrated")


def rules() -> list[Any]:
    table = PAGE.read_text().partition("## The rules of `calibrated`")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return [pytest.param(*row, id=row[0][:60]) for row in rows[1:]]


def accepts(pair: str) -> bool:
    parts = _PAIR.match(pair)
    assert parts is not None, f"not a pair: {pair}"
    output, expected = parts.groups()
    if output.startswith("="):
        match = CALIBRATED.compare_value(json.loads(output[1:]), json.loads(expected[1:]))
    else:
        match = CALIBRATED.compare_text(json.loads(output).encode(), json.loads(expected).encode())
    return match.method is not None


@pytest.mark.parametrize(("rule", "source", "accepted", "refused"), rules())
def test_the_rule_holds(rule: str, source: str, accepted: str, refused: str) -> None:
    assert source
    assert accepts(accepted), rule
    assert not accepts(refused), rule


def test_the_table_is_there() -> None:
    assert len(rules()) > 35
