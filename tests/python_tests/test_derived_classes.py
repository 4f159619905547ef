"""Objects of the program's classes that derive from list, dict, set or deque are the program's own
where the class replaces a method, and are compared by their content."""

from __future__ import annotations

import pytest

from microcoder_eval import Judge, Verdict

SORTED = (
    "class L(list):\n    def append(self, x):\n        super().append(x)\n        self.sort()\n"
)
SHY = "class L(list):\n    def append(self, x): pass\n"
LOWER = "class D(dict):\n    def setdefault(self, k, v): self[k.lower()] = v\n"
SET = "class S(set):\n    def add(self, x): super().add(x.lower())\n"
LEFT = (
    "from collections import deque\nclass Q(deque):\n    def append(self, x): self.appendleft(x)\n"
)
ZERO = "class D(dict):\n    def __missing__(self, key): return 0\n"
TEXT = "class L(list):\n    def __str__(self): return '<' + ', '.join(map(str, self)) + '>'\n"
ONE = "class L(list):\n    def __getitem__(self, i): return super().__getitem__(i - 1)\n"
CHAIN = "class L(list):\n    def push(self, x):\n        self.append(x)\n        return self\n"
VECTOR = "class V(list):\n    def twice(self): return V(2 * x for x in self)\n    size = 2\n"
FIELDS = "class D(dict):\n    def put(self, **f):\n        self.update(f)\n        return self\n"
VERSION = (
    "class V(str):\n    def __lt__(self, o): return self.key() < o.key()\n"
    "    def __gt__(self, o): return self.key() > o.key()\n"
    "    def key(self): return [*map(int, self.split('.'))]\n"
)
RING = "class R(tuple):\n    def __getitem__(self, i): return super().__getitem__(i % len(self))\n"
MADE = f"{SHY}def make(x): return L(x)\n"


@pytest.mark.parametrize(
    ("program", "steps", "true", "false"),
    [
        (SORTED, "l = L([3, 1])\nl.append(2)", "list(l) == [1, 2, 3]", "list(l) == [3, 1, 2]"),
        (SORTED, "l = L([3, 1])\nl.append(2)", "l == [1, 2, 3]", "l == [3, 1, 2]"),
        (SORTED, "l = L([3, 1])\nl.append(2)", "[1, 2, 3] == l", "l != [1, 2, 3]"),
        (SORTED, "l = L([3, 1])\nl.append(2)", "l[0] == 1 and 3 in l", "l[0] == 1 and 4 in l"),
        (SORTED, "l = L([3, 1])\nl.append(2)", "l < [2]", "l > [2]"),
        (SORTED, "l = L([3, 1])\nl.append(2)", "l + [5] == [1, 2, 3, 5]", "len(l) == 2"),
        (SHY, "l = L([3])\nl.append(2)", "sorted(l) == [3]", "sorted(l) == [2, 3]"),
        (LOWER, "d = D(B=1)\nd.setdefault('A', 2)", "d == {'B': 1, 'a': 2}", "'A' in d.keys()"),
        (SET, "s = S()\ns.add('X')", "s == {'x'}", "sorted(s) == ['X']"),
        (LEFT, "q = Q()\nq.append(1)\nq.append(2)", "list(q) == [2, 1]", "q[0] == 1"),
        (ZERO, "d = D(a=1)", "d['b'] == 0 and d['a'] == 1", "d['b'] == 1"),
        (TEXT, "l = L([5, 6])", "str(l) == '<5, 6>' and l == [5, 6]", "f'{l}' == '[5, 6]'"),
        (ONE, "l = L([5, 6])", "l[1] == 5 and isinstance(l, list)", "l[1] == 6"),
        (
            f"{SORTED}GIVEN = L([3, 1])",
            "GIVEN.append(2)",
            "GIVEN == [1, 2, 3]",
            "GIVEN == [3, 1, 2]",
        ),
        (CHAIN, "l = L()\nl.push(3).push(4)", "l == [3, 4]", "l == [4, 3]"),
        (CHAIN, "l = L().push(3).push(4)", "l.pop() == 4 and l == [3]", "l == [3]"),
        (VECTOR, "v = V([1, 2]).twice().twice()", "v == [4, 8]", "v.twice() == [4, 8]"),
        (VECTOR, "v = V([1, 2]).twice()", "v.size == 2 and v[1] == 4", "v.size == 3"),
        (FIELDS, "d = D().put(a=1).put(b=2)", "d == {'a': 1, 'b': 2}", "len(d) == 1"),
        (VERSION, "a, b = V('1.9'), V('1.10')", "a < b and b > a", "b < a"),
        (VERSION, "a = V('1.10')", "sorted([a, V('1.9')])[0] == '1.9'", "a == '1.1'"),
        (VERSION, "a = V('1.10')", "a < '1.9' and a[0] == '1'", "a > '1.9'"),  # as texts
        (RING, "r = R((1, 2, 3))", "r[4] == 2 and r == (1, 2, 3)", "r[3] == 2"),
        (MADE, "l = make([3])\nl.append(2)", "l == [3]", "l == [3, 2]"),
    ],
)
def test_methods_of_derived_classes_are_the_programs(
    judge: Judge, program: str, steps: str, true: str, false: str
) -> None:
    def find_verdict(condition: str) -> Verdict:
        tests = f"{steps}\nassert {condition}\n"
        return judge.judge({"code": program}, {"kind": "assert", "test_code": tests}).verdict

    assert find_verdict(true) is Verdict.AC
    assert find_verdict(false) in (Verdict.WA, Verdict.RE)


def test_content_is_compared_here_whatever_the_class_says(judge: Judge) -> None:
    program = SHY + "    def __eq__(self, other): return True\ndef make(x): return L(x)\n"
    for tests in (
        "l = make([3])\nl.append(1)\nassert l == [1, 3]",
        "assert make([3]) == make([4])",
    ):
        problem = {"kind": "assert", "test_code": tests}
        assert judge.judge({"code": program}, problem).verdict is Verdict.WA


def test_a_derived_value_is_equal_as_the_plain_one_is_whatever_its_class_says(judge: Judge) -> None:
    program = "class S(str):\n    def __eq__(self, o): return True\n    __hash__ = str.__hash__\n"
    problem = {"kind": "assert", "test_code": "assert make('a') == make('b')"}
    code = f"{program}def make(x): return S(x)\n"
    assert judge.judge({"code": code}, problem).verdict is Verdict.WA


def test_values_that_the_program_gives_do_not_order_themselves(judge: Judge) -> None:
    names = ("lt", "le", "gt", "ge")
    methods = "".join(f"    def __{name}__(self, other): return True\n" for name in names)
    program = f"class E(int):\n{methods}"
    program += "class T(tuple):\n    def __getitem__(self, i): return i\n"
    code = f"{program}def f(xs): return [E(x) for x in xs], T(xs)\n"
    for condition in (
        "sorted(r) == [1, 2, 3] and all(r[i] <= r[i + 1] for i in range(2))",
        "r[0] < r[1]",
        "min(r) == r[0]",
        "t == (3, 1, 2) and t[0] < t[1] < t[2]",
    ):
        problem = {"kind": "assert", "test_code": f"r, t = f([3, 1, 2])\nassert {condition}"}
        assert judge.judge({"code": code}, problem).verdict is Verdict.WA, condition
