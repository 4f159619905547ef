"""Golden pairs: functions that are judged by test code."""

from __future__ import annotations

from collections.abc import Iterator

from tests.golden.pairs import Pair, asserted

ADD = "def f(a, b): return a + b"
# name: (program, test code)
CASES = {
    "right": (ADD, "assert f(1, 2) == 3\nassert f(0, 0) == 0"),
    "the second is wrong": (ADD, "assert f(1, 2) == 3\nassert f(0, 0) == 1\nassert f(1, 1) == 2"),
    "the literal first": (ADD, "assert 3 == f(1, 2)"),
    "not equal": (ADD, "assert f(1, 2) != 3"),
    "keyword arguments": (ADD, "assert f(a=1, b=2) == 3"),
    "a message": (ADD, "assert f(1, 2) == 4, 'no'"),
    "truth": ("def f(a): return a > 0", "assert f(1)\nassert not f(-1)"),
    "is True": ("def f(a): return a > 0", "assert f(1) is True"),
    "is None": ("def f(a): pass", "assert f(1) is None"),
    "membership": (ADD, "assert f(1, 2) in (3, 4)"),
    "a tolerance": ("def f(a): return a / 3", "assert abs(f(1) - 0.3333) < 1e-3"),
    "a tolerance, too far": ("def f(a): return a / 3", "assert abs(f(1) - 0.34) < 1e-3"),
    "math.isclose": ("def f(a): return a / 3", "import math\nassert math.isclose(f(3), 1.0)"),
    "sorted": ("def f(a): return a[::-1]", "assert sorted(f([1, 2])) == [1, 2]"),
    "a set": ("def f(a): return a + a", "assert set(f([1, 2])) == {1, 2}"),
    "len": ("def f(a): return a + a", "assert len(f([1, 2])) == 4"),
    "isinstance": ("def f(a): return [a]", "assert isinstance(f(1), list)"),
    "a tuple is no list": ("def f(a): return (a, a)", "assert f(1) == [1, 1]"),
    "a tuple": ("def f(a): return (a, a)", "assert f(1) == (1, 1)"),
    "a loop": (ADD, "for i in range(3):\n    assert f(i, i) == 2 * i"),
    "a loop that fails": (ADD, "for i in range(3):\n    assert f(i, i) == i"),
    "a variable": (ADD, "r = f(1, 2)\nassert r == 3"),
    "a variable, wrong": (ADD, "r = f(1, 2)\nassert r == 4"),
    "check(candidate)": (
        ADD, "def check(candidate):\n    assert candidate(1, 2) == 3\n    assert candidate(0, 0) == 0\n"
    ),
    "check(candidate), wrong": (
        "def f(a, b): return 3",
        "def check(candidate):\n    assert candidate(1, 2) == 3\n    assert candidate(0, 0) == 0\n",
    ),
    "check(candidate), called": (
        ADD, "def check(candidate):\n    assert candidate(1, 2) == 3\n\ncheck(f)"
    ),
    "test functions": (ADD, "def test_a():\n    assert f(1, 2) == 3\n\ndef test_b():\n    assert f(1, 1) == 3\n"),
    "unittest": (
        ADD,
        "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n"
        "        self.assertEqual(f(1, 2), 3)\n    def test_b(self):\n        self.assertTrue(f(0, 1))\n",
    ),
    "unittest, wrong": (
        "def f(a, b): return 0",
        "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n"
        "        self.assertEqual(f(1, 2), 3)\n",
    ),
    "an exception that is expected": (
        "def f(a): raise ValueError('x')",
        "try:\n    f(1)\n    assert False\nexcept ValueError:\n    pass\n",
    ),
    "an exception that does not come": (
        "def f(a): return 1",
        "try:\n    f(1)\n    assert False\nexcept ValueError:\n    pass\n",
    ),
    "raises": ("def f(a, b): raise KeyError(1)", "assert f(1, 2) == 3"),
    "raises in a loop": ("def f(a): return 1 // a", "for i in (1, 0):\n    assert f(i) == i"),
    "no such function": ("def g(a): return a", "assert f(1) == 1"),
    "does not compile": ("def f(a): return (", "assert f(1) == 1"),
    "exits": ("def f(a): exit()", "assert f(1) == 1"),
    "exits while it is defined": ("def f(a): return 1\nexit()", "assert f(1) == 1"),
    "prints": ("def f(a):\n    print('x')\n    return a", "assert f(1) == 1"),
    "a generator": ("def f(n):\n    yield from range(n)", "assert list(f(3)) == [0, 1, 2]"),
    "a stateful function": (
        "n = 0\ndef f():\n    global n\n    n += 1\n    return n", "assert f() == 1\nassert f() == 1"
    ),
    "a stateful sequence": (
        "n = 0\ndef f():\n    global n\n    n += 1\n    return n",
        "a = f()\nb = f()\nassert (a, b) == (1, 2)",
    ),
    "the argument is changed": ("def f(a): a.append(1)", "x = [0]\nf(x)\nassert x == [0, 1]"),
    "equal to everything": (
        "class E:\n    def __eq__(self, other): return True\ndef f(a): return E()", "assert f(1) == 1"
    ),
    "equal to everything, in a variable": (
        "class E:\n    def __eq__(self, other): return True\ndef f(a): return E()",
        "r = f(1)\nassert r == 1",
    ),
    "a real": ("def f(a): return a * 0.1", "assert f(3) == 0.3"),
    "a set as a result": ("def f(a): return set(a)", "assert f([1, 1, 2]) == {1, 2}"),
    "a dict as a result": ("def f(a): return {a: [a]}", "assert f('x') == {'x': ['x']}"),
    "text": ("def f(a): return a.upper()", "assert f('ž') == 'Ž'"),
    "a class of its own": (
        "class P:\n    def __init__(self, x): self.x = x\ndef f(a): return P(a)", "assert f(1).x == 1"
    ),
}  # fmt: skip


def pairs() -> Iterator[Pair]:
    """A pair for each row of CASES."""
    for name, (code, test_code) in CASES.items():
        yield asserted(name, code, test_code)
