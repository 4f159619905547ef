"""Which function is called when several could be meant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from microcoder_eval import Judge

PROBLEM = {
    "problem_id": "p",
    "kind": "call",
    "entry_point": "count",
    "tests": [{"input": [1, 2, 3, 4], "output": 10}],
}


@pytest.fixture(scope="module")
def pool() -> Iterator[Judge]:
    with Judge(workers=1) as held:
        yield held


@pytest.mark.parametrize(
    "code",
    [
        "from itertools import *\nclass Solution:\n    def count(self, a, b, c, d): return a+b+c+d",
        "from functools import *\n@lru_cache\ndef count(a, b, c, d): return a+b+c+d",
        "class Solution:\n    def count(self, *a): return 0\ndef count(a, b, c, d): return a+b+c+d",
        "count = lambda *a: sum(a)",
        "class Solution:\n    count = staticmethod(lambda *a: sum(a))",
        "class Solution:\n    def other(self, a, b, c, d): return a+b+c+d",
        "def only(a, b, c, d): return a+b+c+d",
    ],
)
def test_the_program_s_own_definition_is_called_never_an_imported_one(
    pool: Judge, code: str
) -> None:
    assert pool.judge({"code": code}, PROBLEM).passed
