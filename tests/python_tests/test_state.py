"""What a call leaves for the next one counts, as where all assertions run in one process."""

from __future__ import annotations

import pytest

from microcoder_eval import Judge
from microcoder_eval.plain.gate import is_plain
from microcoder_eval.plain.state import keeps_state

TOTAL = "t = 0\ndef add(x):\n    global t\n    t += x\n    return t"
MEMORY = (
    "seen = set()\ndef new(k):\n    if k in seen: return False\n    seen.add(k)\n    return True"
)
DEFAULT = "def f(a, acc=[]):\n    acc.append(a)\n    return list(acc)"
IN_CLASS = "class S:\n    items = []\ndef f(a):\n    S.items.append(a)\n    return list(S.items)"
COUNTED = "class S:\n    n = 0\ndef f(a):\n    S.n += 1\n    return [a] * S.n"
UNSENDABLE = f"import os\n{DEFAULT}"
COUNT = "c = 0\ndef n():\n    global c\n    c += 1\n    return c"
CACHED = "from functools import lru_cache\n@lru_cache(None)\ndef f(x):\n    return [x]"
FAILS_LATER = "r = []\ndef f(a):\n    if r: raise ValueError\n    r.append(a)\n    return [a]"
ENDLESS_LATER = "r = []\ndef f(a):\n    while r: pass\n    r.append(a)\n    return [a]"
WRAPPED = """def keep(g):
    kept = []
    def h(a):
        kept.append(a)
        return kept[:]
    return h
@keep
def f(a):
    return [a]"""
IN_SECRET = [
    "def f(a, b: (r := []) = 1):\n    r.append(a)\n    return r[:]",
    "(r := [])\ndef f(a):\n    r.append(a)\n    return r[:]",
    "class C:\n    (r := [])\ndef f(a):\n    C.r.append(a)\n    return C.r[:]",
]
PURE = """LIMIT = (10 ** 9, -1)
def f(a, b=(1, 2)):
    total = []
    total.append(a)
    return total"""
NODES = """class N:
    def __init__(self):
        self.next = None
def f(a):
    n = N()
    n.next = N()
    n.next.value = a
    return [n.next.value]"""
TWO_TESTS = "def test_a():\n    assert new(1) is True\ndef test_b():\n    assert new(1) is False"


DEEPLY_DECORATED = f"""
def same(function):
    return function
@(same if {"+".join(["0"] * 500)} == 0 else same)
def f(value, seen=[]):
    seen.append(value)
    return seen[:]
"""

# A class that counts, and is changed where it has another name.
UNDER_ANOTHER_NAME = [
    "class S:\n    n = 0\n" + text
    for text in (
        "def n():\n    s = S\n    s.n += 1\n    return S.n",
        "def step(c):\n    c.n += 1\n    return c.n\ndef n(): return step(S)",
        "def n():\n    for c in (S,):\n        c.n += 1\n    return S.n",
        "def find(): return S\ndef n():\n    s = find()\n    s.n += 1\n    return S.n",
        "class T:\n    class Inner:\n        n = 0\n    def step(self):\n        i = self.Inner\n"
        "        i.n += 1\n        return i.n\ndef n(): return T().step()",
        "class T:\n    n = 0\n    def step(self):\n        self.n += 1\n        return self.n\n"
        "def n(): return T.step(T)",
    )
]


@pytest.mark.parametrize(
    ("code", "test_code", "verdict"),
    [
        (TOTAL, "assert add(5) == 5\nassert add(7) == 12", "AC"),
        (TOTAL, "assert add(5) == 5\nassert add(7) == 7", "WA"),
        (MEMORY, TWO_TESTS, "AC"),
        (DEFAULT, "def check(c):\n    assert c(1) == [1]\n    assert c(2) == [2]\ncheck(f)", "WA"),
        (IN_CLASS, "assert f(1) == [1]\nassert f(2) == [2]", "WA"),
        (COUNTED, "assert f(1) == [1]\nassert f(2) == [2]\nassert f(3) == [3]", "WA"),
        (UNSENDABLE, "assert f(1) == [1]\nassert f(2) == [1, 2]", "AC"),
        (PURE, "assert f(1) == [1]\nassert f(2) == [2]", "AC"),
        (WRAPPED, "assert f(1) == [1]\nassert f(2) == [2]", "WA"),
        (IN_SECRET[0], "assert f(1) == [1]\nassert f(2) == [2]", "WA"),
        (FAILS_LATER, "assert f(1) == [1]\nassert f(2) == [2]", "RE"),
        (ENDLESS_LATER, "assert f(1) == [1]\nassert f(2) == [2]", "TLE"),
        # Calls with literals beside other test code.
        (COUNT, "x = n()\nassert x == 1\nassert n() == 2", "AC"),
        (COUNT, "assert n() == 1\nassert n() + 0 == 2", "AC"),
        (COUNT, "x = n()\nassert x == 1\nassert n() == 1", "WA"),
        (CACHED, "assert f(1) == [1]\nassert f(1) == [1]\nassert f.cache_info().hits == 1", "AC"),
        (DEFAULT, "assert f(1) == [1]\nassert len(f(2)) == 1", "WA"),
        (DEFAULT, "e = [1]\nassert f(1) == e\nassert f(2) == [2]", "WA"),
        (PURE, "e = [1]\nassert f(1) == e\nassert f(2) == [2]", "AC"),
        (DEEPLY_DECORATED, "assert f(1) == [1]\nassert f(2) == [2]", "WA"),
        (DEEPLY_DECORATED, "e = [1]\nassert f(1) == e\nassert f(2) == [2]", "WA"),
        *((code, "x = n()\nassert x == 1\nassert n() == 2", "AC") for code in UNDER_ANOTHER_NAME),
    ],
)  # fmt: skip
@pytest.mark.parametrize("isolation", ["batch", "test"])
def test_assertions_see_what_earlier_ones_left(
    judge: Judge, code: str, test_code: str, verdict: str, isolation: str
) -> None:
    problem = {"kind": "assert", "test_code": test_code}
    judgement = judge.with_changes(isolation=isolation).judge({"code": code}, problem)
    assert judgement.verdict == verdict, judgement
    passed = [test is not None and test.verdict == "AC" for test in judgement.tests]
    assert all(passed) == judgement.passed


@pytest.mark.parametrize(
    ("code", "keeps"),
    [(TOTAL, True), (MEMORY, True), (DEFAULT, True), (IN_CLASS, True), (COUNTED, True),
     (CACHED, True), (WRAPPED, True), *((code, True) for code in (*IN_SECRET, *UNDER_ANOTHER_NAME)),
     ("x: list = []\ndef f(a):\n    x.append(a)\n    return x", True),
     ("x: int = 5\ny: int\ndef f(a):\n    return a", False),
     (PURE, False), (NODES, False)],
)  # fmt: skip
def test_plain_programs_that_keep_something_are_known(code: str, keeps: bool) -> None:
    assert is_plain(code.encode(), call=True)
    assert keeps_state(code.encode()) == keeps


def test_a_failure_is_told_as_it_was_in_the_one_process(judge: Judge) -> None:
    test_code = "assert add(1) == 1\nassert add(2) == 3\nassert add(3) == 7"
    judgement = judge.judge({"code": TOTAL}, {"kind": "assert", "test_code": test_code})
    assert judgement.verdict == "WA"
    assert "add(3) == 7" in (judgement.tests[-1].detail or "")
