"""Golden pairs: functions that are judged by test code."""

from __future__ import annotations

from collections.abc import Iterator

from tests.commands import read_table
from tests.golden.pairs import Pair, asserted


def pairs() -> Iterator[Pair]:
    """A pair for each row of assertions.toml."""
    for name, row in read_table(__file__).items():
        yield asserted(name, row["code"], row["tests"])
