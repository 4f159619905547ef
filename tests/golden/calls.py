"""Golden pairs: functions that are called."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.commands import read_table
from tests.golden.pairs import Pair, call

NODE = """\
# class {node}: ...
class Solution:
    def f(self, {name}: Optional[{node}]) -> Optional[{node}]:
        """
STARTERS = {
    "list": NODE.format(node="ListNode", name="head"),
    "tree": NODE.format(node="TreeNode", name="root"),
}
NUMBERS = list(range(50000))
# name: (program, arguments, what is expected): too long for the table.
LONG: dict[str, tuple[str, list[Any], Any]] = {
    "a large argument": ("def f(a): return sum(a)", [NUMBERS], sum(NUMBERS)),
    "a large result": ("def f(n): return list(range(n))", [50000], NUMBERS),
    "a large wrong result": ("def f(n): return [0] * n", [50000], NUMBERS),
}


def pairs() -> Iterator[Pair]:
    """A pair for each row of calls.toml and of LONG."""
    table = read_table(__file__)
    for name, row in table.items():
        code, tests = row.pop("code"), json.loads(row.pop("tests"))
        if starter := row.pop("starter", None):
            row["starter_code"] = STARTERS[starter]
        yield call(name, code, *((given, expected) for given, expected in tests), **row)
    for name, (code, arguments, expected) in LONG.items():
        yield call(name, code, (arguments, expected))
