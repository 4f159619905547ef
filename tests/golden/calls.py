"""Golden pairs: functions that are called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.golden.pairs import Pair, call

LIST_NODE = "class ListNode:\n    def __init__(self, val=0, next=None):\n        self.val, self.next = val, next\n"
STARTER_LIST = (
    "# class ListNode: ...\nclass Solution:\n"
    "    def f(self, head: Optional[ListNode]) -> Optional[ListNode]:\n        "
)
STARTER_TREE = (
    "# class TreeNode: ...\nclass Solution:\n"
    "    def f(self, root: Optional[TreeNode]) -> Optional[TreeNode]:\n        "
)
REVERSE = (
    "class Solution:\n    def f(self, head):\n        last = None\n        while head:\n"
    "            head.next, last, head = last, head, head.next\n        return last"
)
MIRROR = (
    "class Solution:\n    def f(self, root):\n        if root:\n"
    "            root.left, root.right = self.f(root.right), self.f(root.left)\n        return root"
)
METHOD = {"entry_point": "Solution.f"}
# name: (program, tests, more of the problem)
CALLS: dict[str, tuple[str, list[tuple[list[Any], Any]], dict[str, Any]]] = {
    "right": ("def f(a, b): return a + b", [([1, 2], 3), ([5, -5], 0)], {}),
    "wrong": ("def f(a, b): return a - b", [([1, 2], 3), ([5, 0], 5)], {}),
    "a lambda": ("f = lambda a, b: a + b", [([1, 2], 3)], {}),
    "a class with __call__": (
        "class F:\n    def __call__(self, a): return a\nf = F()", [([1], 1)], {}),
    "a class": ("class f:\n    def __init__(self, a): pass", [([1], 1)], {}),
    "a partial": ("from functools import partial\nf = partial(pow, 2)", [([3], 8)], {}),
    "a builtin": ("f = sorted", [([[2, 1]], [1, 2])], {}),
    "a generator function": ("def f(n):\n    yield from range(n)", [([3], [0, 1, 2])], {}),
    "a coroutine": ("async def f(n): return n", [([3], 3)], {}),
    "a default argument": ("def f(a, b=2): return a + b", [([1], 3)], {}),
    "keyword only": ("def f(*, a): return a", [([1], 1)], {}),
    "variable arguments": ("def f(*a): return list(a)", [([1, 2], [1, 2])], {}),
    "too few parameters": ("def f(a): return a", [([1, 2], 3)], {}),
    "too many parameters": ("def f(a, b, c): return a", [([1, 2], 3)], {}),
    "returns nothing": ("def f(a): a + 1", [([1], 2)], {}),
    "prints instead": ("def f(a): print(a + 1)", [([1], 2)], {}),
    "prints too": ("def f(a):\n    print('debug')\n    return a + 1", [([1], 2)], {}),
    "no such function": ("def g(a): return a", [([1], 1)], {}),
    "no function at all": ("print(1)", [([1], 1)], {}),
    "an empty program": ("", [([1], 1)], {}),
    "does not compile": ("def f(a) return a", [([1], 1)], {}),
    "raises": ("def f(a): raise ValueError(a)", [([1], 1)], {}),
    "raises on the second": ("def f(a): return 1 // a", [([1], 1), ([0], 0), ([1], 1)], {}),
    "raises while it is defined": ("def f(a): return a\n1 / 0", [([1], 1)], {}),
    "reads the input": ("def f(a): return input()", [([1], 1)], {}),
    "exits": ("def f(a): exit()", [([1], 1)], {}),
    "exits with the answer printed": ("def f(a):\n    print(1)\n    exit(0)", [([1], 1)], {}),
    "os._exit": ("import os\ndef f(a): os._exit(0)", [([1], 1)], {}),
    "exits while it is defined": ("def f(a): return a\nexit()", [([1], 1)], {}),
    "catches everything": (
        "def f(a):\n    try: exit()\n    except BaseException: return a", [([1], 1)], {}),
    "a main guard that fails": (
        "def f(a): return a\nif __name__ == '__main__': f(input())", [([1], 1)], {}),
    "changes its argument": ("def f(a):\n    a.append(1)\n    return a", [([[]], [1])] * 2, {}),
    "sorts its argument, returns nothing": ("def f(a): a.sort()", [([[2, 1]], [1, 2])], {}),
    "a global that counts": (
        "n = 0\ndef f(a):\n    global n\n    n += 1\n    return n", [([1], 1)] * 3, {}),
    "a list that grows": (
        "seen = []\ndef f(a):\n    seen.append(a)\n    return len(seen)", [([1], 1)] * 3, {}),
    "a cache of a method": (
        "from functools import lru_cache\nclass Solution:\n    @lru_cache(None)\n"
        "    def f(self, n): return n if n < 2 else self.f(n - 1) + self.f(n - 2)",
        [([10], 55), ([50], 12586269025)], METHOD),
    "a cache that is never emptied": (
        "from functools import cache\nN = [0]\n@cache\ndef g():\n    N[0] += 1\n    return N[0]\n"
        "def f(a): return g()", [([1], 1)] * 3, {}),
    "a class attribute that counts": (
        "class Solution:\n    n = 0\n    def f(self, a):\n        Solution.n += 1\n        return self.n",
        [([1], 1)] * 3, METHOD),
    "an instance for each test": (
        "class Solution:\n    def __init__(self): self.n = 0\n    def f(self, a):\n"
        "        self.n += 1\n        return self.n", [([1], 1)] * 3, METHOD),
    "a default list": (
        "def f(a, seen=[]):\n    seen.append(a)\n    return len(seen)", [([1], 1)] * 3, {}),
    "a method": ("class Solution:\n    def f(self, a): return a", [([1], 1)], METHOD),
    "a method that is wrong": ("class Solution:\n    def f(self, a): return -a", [([1], 1)], METHOD),
    "a method, of a class that needs arguments": (
        "class Solution:\n    def __init__(self, n): pass\n    def f(self, a): return a",
        [([1], 1)], METHOD),
    "a static method": (
        "class Solution:\n    @staticmethod\n    def f(a): return a", [([1], 1)], METHOD),
    "a class method": (
        "class Solution:\n    @classmethod\n    def f(cls, a): return a", [([1], 1)], METHOD),
    "a function where a method is asked for": ("def f(a): return a", [([1], 1)], METHOD),
    "a method where a function is asked for": (
        "class Solution:\n    def f(self, a): return a", [([1], 1)], {}),
    "names that nobody imported": (
        "def f(a: List[int]) -> Optional[int]:\n    return max(a, default=inf) + len(deque(a))",
        [([[1, 2]], 4)], {}),
    "math without import": ("def f(a): return math.gcd(*a)", [([[4, 6]], 2)], {}),
    "a helper class": (
        "class P:\n    def __init__(self, x): self.x = x\ndef f(a): return P(a).x", [([1], 1)], {}),
    "star imports": (
        "from heapq import *\nfrom collections import *\ndef f(a):\n    heapify(a)\n"
        "    return heappop(a)", [([[3, 1, 2]], 1)], {}),
    "a linked list": (REVERSE, [([[1, 2, 3]], [3, 2, 1]), ([[]], [])],
                      {**METHOD, "starter_code": STARTER_LIST}),
    "a linked list, wrong": (
        "class Solution:\n    def f(self, head): return head", [([[1, 2, 3]], [3, 2, 1])],
        {**METHOD, "starter_code": STARTER_LIST}),
    "a linked list with its own class": (
        LIST_NODE + REVERSE, [([[1, 2, 3]], [3, 2, 1])],
        {**METHOD, "starter_code": STARTER_LIST}),
    "a linked list that ends in a cycle": (
        "class Solution:\n    def f(self, head):\n        head.next = head\n        return head",
        [([[1, 2]], [2, 1])], {**METHOD, "starter_code": STARTER_LIST}),
    "a tree": (MIRROR, [([[1, 2, 3]], [1, 3, 2]), ([[1, None, 2]], [1, 2]), ([[]], [])],
               {**METHOD, "starter_code": STARTER_TREE}),
    "a tree, wrong": (
        "class Solution:\n    def f(self, root): return root", [([[1, 2, 3]], [1, 3, 2])],
        {**METHOD, "starter_code": STARTER_TREE}),
    "a tree as a list": (
        "class Solution:\n    def f(self, root): return [1, 3, 2]", [([[1, 2, 3]], [1, 3, 2])],
        {**METHOD, "starter_code": STARTER_TREE}),
    "deep recursion": (
        "import sys\nsys.setrecursionlimit(10**6)\ndef f(n): return n and 1 + f(n - 1)",
        [([50000], 50000)], {}),
    "recursion without end": ("def f(n): return f(n)", [([1], 1)], {}),
    "recursion at Python's own limit": ("def f(n): return n and 1 + f(n - 1)", [([2000], 2000)], {}),
    "unhashable argument of a cache": (
        "from functools import cache\n@cache\ndef f(a): return 1", [([[1]], 1)], {}),
    "an unhashable item": ("def f(a): return len(set(a))", [([[[1], [1]]], 1)], {}),
    "a list as a key": ("def f(a): return {a: 1}[a]", [([[1]], 1)], {}),
    "a thread": (
        "import threading\ndef f(a):\n    r = []\n    t = threading.Thread(target=r.append, args=(a,))\n"
        "    t.start(); t.join()\n    return r[0]", [([1], 1), ([2], 2)], {}),
    "an exit handler": ("import atexit\natexit.register(print)\ndef f(a): return a", [([1], 1)], {}),
    "numpy": ("import numpy as np\ndef f(a): return np.array(a).cumsum()", [([[1, 2]], [1, 3])], {}),
    "a large argument": ("def f(a): return sum(a)", [([list(range(50000))], 1249975000)], {}),
    "a large result": ("def f(n): return list(range(n))", [([50000], list(range(50000)))], {}),
    "a large wrong result": ("def f(n): return [0] * n", [([50000], list(range(50000)))], {}),
    "text": ("def f(s): return s[::-1]", [(["abc"], "cba"), ([""], ""), (["ž"], "ž")], {}),
    "None": ("def f(a): return a", [([None], None)], {}),
    "true and false": ("def f(a): return not a", [([True], False), ([False], True)], {}),
    "reals": ("def f(a): return a / 3", [([1], 0.3333333), ([1.0], 0.34)], {}),
    "a dict": ("def f(a): return {v: k for k, v in a.items()}", [([{"x": "y"}], {"y": "x"})], {}),
    "any order allowed": (
        "def f(a): return a[::-1]", [([[1, 2]], [1, 2])], {"checker": "unordered_tokens"}),
    "a checker's source": (
        "def f(n): return [n - 1, 1]", [([5], [2, 3])],
        {"checker": {"source": "def check(input, output, expected):\n    return sum(output) == input[0]"}}),
    "a checker's source, refused": (
        "def f(n): return [n, 1]", [([5], [2, 3])],
        {"checker": {"source": "def check(input, output, expected):\n    return sum(output) == input[0]"}}),
}  # fmt: skip


def pairs() -> Iterator[Pair]:
    """A pair for each row of CALLS."""
    for name, (code, tests, problem) in CALLS.items():
        yield call(name, code, *tests, **problem)
