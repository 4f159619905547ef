"""Call problems: which function is called, with what, and what its result may be."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import Judge, Verdict
from tests.judge.conftest import Judging

STARTER = "class Solution:\n    def f(self, n: int) -> int:\n        "
BOTH = "class Solution:\n    def f(self, n): return {method}\ndef f(n): return {function}"


@pytest.mark.parametrize(
    ("code", "entry"),
    [
        ("def f(n): return 2 * n", "f"),
        ("class Solution:\n    def f(self, n): return 2 * n", "f"),
        ("class Solution:\n    def f(self, n): return 2 * n", "Solution.f"),
        ("class Solution:\n    def f(self, n): return 2 * n", "Solution().f"),
        ("class Solution:\n    @staticmethod\n    def f(n): return 2 * n", "f"),
        ("class Solution:\n    @classmethod\n    def f(cls, n): return 2 * n", "f"),
        ("class Base:\n    def f(self, n): return 2 * n\nclass Solution(Base): pass", "f"),
        ("f = lambda n: 2 * n", "f"),
        ("from functools import partial\ndef g(k, n): return k * n\nf = partial(g, 2)", "f"),
        ("@cache\ndef f(n): return 2 * n", "f"),
        ("def twice(n): return 2 * n", "f"),
        ("class Solution:\n    def twice(self, n): return 2 * n", "f"),
        ("class Solution:\n    def twice(self, n): return 2 * n\ndef g(): pass", "f"),
        ("class Solution:\n    f = staticmethod(lambda n: 2 * n)", "f"),
        ("from itertools import *\nclass Solution:\n    def count(self, n): return 2 * n", "count"),
    ],
)
def test_the_entry_point_is_found_where_people_put_it(call: Judging, code: str, entry: str) -> None:
    judgement = call(code, ([2], 4), entry_point=entry)
    assert judgement.verdict is Verdict.AC, judgement.tests


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        ("async def f(n): return 2 * n", "AC"),
        ("import asyncio\nasync def f(n):\n    await asyncio.sleep(0)\n    return 2 * n", "AC"),
        ("class Solution:\n    async def f(self, n): return n + await self.g(n)\n"
         "    async def g(self, n): return n", "AC"),
        ("async def g(n): return 2 * n\ndef f(n): return g(n)", "AC"),
        ("async def f(n): return n", "WA"),
        ("async def f(n): return n / 0", "RE"),
        ("async def f(n): return f(n)", "RE"),
        ("async def f(n):\n    while True: pass", "TLE"),
    ],
)  # fmt: skip
def test_a_coroutine_is_run_to_its_value(call: Judging, code: str, verdict: str) -> None:
    tests = ([2], 4), ([3], 6)
    judgement = call(code, *tests, limits={"time_s": 0.5})
    assert str(judgement.verdict) == verdict, judgement.tests


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        (
            "class Solution:\n    def f(self, n: int) -> int:\n        return reduce(xor, [n, 6])",
            "AC",
        ),
        ("def f(n): return deepcopy([2 * n])[0]", "AC"),
        ("def f(n): return SortedList([9, 2 * n])[0]", "AC"),
        ("def f(n): return 2 * n + len(ascii_lowercase) - 26", "AC"),
        ("def f(n): return datetime.date(1, n, 4).day", "AC"),
        ("xor = lambda a, b: 0\ndef f(n): return reduce(xor, [n, 6])", "WA"),  # its own comes first
        ("def f(n): return countOf([n] * 4, n)", "RE"),
    ],
)
def test_names_that_leetcode_gives_need_no_import(call: Judging, code: str, verdict: str) -> None:
    assert call(code, ([2], 4), entry_point="f").verdict == verdict


def test_the_function_to_call_is_none_that_leetcode_gives(call: Judging) -> None:
    code = "def f(a, b): return 0 * xor(a, b)\ndef g(): pass"
    assert call(code, ([2, 6], 4), entry_point="xor").verdict is Verdict.CE


@pytest.mark.parametrize(
    ("starter", "method", "function"), [(STARTER, "2 * n", "0"), (None, "0", "2 * n")]
)
def test_of_a_class_and_a_function_the_class_is_called_when_the_starter_code_has_it(
    call: Judging, starter: str | None, method: str, function: str
) -> None:
    code = BOTH.format(method=method, function=function)
    assert call(code, ([2], 4), starter_code=starter).verdict is Verdict.AC


@pytest.mark.parametrize(
    ("code", "flags"),
    [
        ("def only(n): return 2 * n", ("other_entry_point",)),
        ("class Solution:\n    def other(self, n): return 2 * n", ("other_entry_point",)),
        ("def only(n): return 0", ("other_entry_point",)),
        ("def f(n): return 2 * n\ndef other(): pass", ()),
        ("class Solution:\n    def f(self, n): return 2 * n", ()),
    ],
)
@pytest.mark.parametrize("test_count", [1, 3])
def test_a_call_of_a_function_with_another_name_is_flagged(
    call: Judging, code: str, flags: tuple[str, ...], test_count: int
) -> None:
    assert call(code, *[([2], 4)] * test_count).flags == flags


@pytest.mark.parametrize("test", ["assert f(2) == 4", "assert abs(f(2) - 4) < 1"])
@pytest.mark.parametrize(
    ("code", "passed"), [("def f(n): return 2 * n", True), ("def g(n): return 2 * n", False)]
)
def test_assertions_call_the_function_that_they_name_and_no_other(
    asserts: Judging, test: str, code: str, passed: bool
) -> None:
    judgement = asserts(code, test)
    assert (judgement.passed, judgement.status != "error") == (passed, True)


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("def g(n): return 4\ndef h(n): return 4", ["g", "h"]),
        ("class Solution:\n    def g(self): pass\n    def h(self): pass", ["Solution.g"]),
        ("x = 4", ["no function"]),
        ("f = 4", ["no function"]),
        ("from math import sqrt", ["no function"]),
    ],
)
def test_no_entry_point_is_a_compile_error_that_names_what_was_found(
    call: Judging, code: str, names: list[str]
) -> None:
    judgement = call(code, ([2], 4))
    assert judgement.verdict is Verdict.CE
    assert judgement.tests[0] is not None
    detail = judgement.tests[0].detail or ""
    assert '"f"' in detail
    assert all(name in detail for name in names)


def test_each_test_has_fresh_arguments_and_a_fresh_solution(call: Judging) -> None:
    code = (
        "class Solution:\n"
        "    seen = []\n"
        "    def f(self, items):\n"
        "        items.append(0); self.seen.append(1); self.n = getattr(self, 'n', 0) + 1\n"
        "        return [len(items), len(self.seen), self.n]"
    )
    same = ([[1, 2]], [3, 1, 1])
    assert call(code, same, same, same).verdict is Verdict.AC


def test_identical_arguments_are_not_one_object(call: Judging) -> None:
    code = "def f(a, b):\n    a.append(1)\n    return b"
    assert call(code, ([[], []], [])).verdict is Verdict.AC


@pytest.mark.parametrize(
    ("code", "args", "expected"),
    [
        ("def f(): return (1, 2)", [], [1, 2]),
        ("def f(): return [(1, 'a'), (2, 'b')]", [], [[1, "a"], [2, "b"]]),
        ("def f(): return [1, 2]", [], {"$tuple": [1, 2]}),
        ("def f(t): return type(t) is tuple and t[1]", [{"$tuple": [1, 2]}], 2),
        ("def f(s): return s | {3}", [{"$set": [1, 2]}], {"$set": [3, 2, 1]}),
        ("def f(d): return {k: v + 1 for k, v in d.items()}",
         [{"$dict": [[1, 2]]}], {"$dict": [[1, 3]]}),
        ("def f(b): return b + b'!'", [{"$bytes": "aGk="}], {"$bytes": "aGkh"}),
        ("def f(): return float('inf')", [], {"$float": "inf"}),
        ("def f(): return 10 ** 4000", [], 10**4000),
        ("def f(): return 2.5", [], 2.5),
        ("def f(): return None", [], None),
        ("def f(): return True", [], True),
        ("def f(): return 'é\\ud800'", [], "é\ud800"),
        ("def f(n): return (i for i in range(n))", [3], [0, 1, 2]),
        ("def f(n):\n    yield from range(n)", [3], [0, 1, 2]),
        ("def f(n):\n    a = []\n    for i in range(n):\n        a.append(i)\n        yield a", [2],
         [[0, 1], [0, 1]]),
        ("def f(n): return map(str, range(n))", [3], ["0", "1", "2"]),
        ("def f(n): return reversed(list(range(n)))", [3], [2, 1, 0]),
        ("def f(n): return iter((1, n))", [3], [1, 3]),
        ("from itertools import chain\ndef f(n): return chain([1], [n])", [3], [1, 3]),
        ("def f(n): return range(n)", [3], [0, 1, 2]),
        ("def f(n): return deque(range(n))", [3], [0, 1, 2]),
        ("def f(): return Counter('aab')", [], {"a": 2, "b": 1}),
        ("from array import array\ndef f(): return array('i', [1, 2])", [], [1, 2]),
        ("def f(): return bytearray(b'ab')", [], {"$bytes": "YWI="}),
        ("def f(): return memoryview(b'ab')", [], {"$bytes": "YWI="}),
        ("def f(): return defaultdict(int, a=1)", [], {"a": 1}),
        ("class Stack(list):\n    pass\ndef f(n): return Stack([1, n])", [3], [1, 3]),
        ("class Stack(list):\n    def __init__(self, x): super().__init__(x); self.top = x[-1]\n"
         "def f(n): return Stack([1, n])", [3], [1, 3]),
        ("class Even(int):\n    pass\ndef f(n): return [Even(n)]", [4], [4]),
        ("class Names(dict):\n    pass\ndef f(): return Names(a=1)", [], {"a": 1}),
        ("def f(): return {'a': 1}.keys()", [], ["a"]),
        ("import decimal\ndef f(n): return [decimal.Decimal(n)]", ["0.1"], [0.1]),
        ("import fractions\ndef f(n): return fractions.Fraction(n, 2)", [4**400], 4**400 // 2),
        ("def f(x: list) -> None: x.sort()", [[2, 1]], None),
        ("import numpy as np\ndef f(): return np.int64(4)", [], 4),
        ("import numpy as np\ndef f(): return np.float64(0.5)", [], 0.5),
        ("import numpy as np\ndef f(): return np.bool_(True)", [], True),
        ("import numpy as np\ndef f(): return [np.int32(4), np.str_('a')]", [], [4, "a"]),
        ("import numpy as np\ndef f(n): return np.arange(n)", [3], [0, 1, 2]),
        ("import numpy as np\ndef f(): return np.eye(2, dtype=int)", [], [[1, 0], [0, 1]]),
    ],
)  # fmt: skip
def test_results_are_compared_as_the_plain_values_they_stand_for(
    call: Judging, code: str, args: list[Any], expected: Any
) -> None:
    if "numpy" in code:
        pytest.importorskip("numpy")
    judgement = call(code, (args, expected))
    assert judgement.verdict is Verdict.AC, judgement.tests


@pytest.mark.parametrize(
    ("result", "expected", "passes"),
    [
        ("{1: 2}.keys()", "{1}", True),
        ("{1: 2}.items()", "{(1, 2)}", True),
        ("{1: 2}.keys()", "[1]", False),
        ("{1: 2}.keys()", "{1, 2}", False),
        ("bytearray(b'a')", "b'a'", True),
        ("array('i', [1])", "[1]", False),
    ],
)
def test_an_assertion_compares_as_python_does(
    pool: Judge, result: str, expected: str, passes: bool
) -> None:
    code = f"from array import array\ndef f(): return {result}"
    problem = {"test_code": f"assert f() == {expected}", "entry_point": "f"}
    assert pool.judge(code, problem).passed is passes


def test_an_array_has_no_truth_value_in_an_assertion(pool: Judge) -> None:
    pytest.importorskip("numpy")
    problem = {"kind": "assert", "test_code": "assert f([1, 2]) == [2, 4]\nassert f([3]) == [6]"}
    code = "import numpy as np\ndef f(x): return np.array(x) * 2"
    assert pool.judge({"code": code}, problem).verdict is Verdict.RE
    assert pool.judge(
        {"code": code.replace("np.array(x) * 2", "[2 * y for y in x]")}, problem
    ).passed


def test_integers_longer_than_python_likes_to_print_are_compared_exactly(call: Judging) -> None:
    tests = ([5000], 10**5000)
    assert call("def f(n): return 10 ** n", tests).verdict is Verdict.AC
    assert call("def f(n): return 10 ** n + 1", tests).verdict is Verdict.WA


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f(): return [1, 2]", [2, 1]),
        ("def f(): return '4'", 4),
        ("def f(): return ''", []),
        ("def f(): return 4.0001", 4),
        ("def f(): return None", ""),
        ("from decimal import Decimal\ndef f(): return Decimal('4.0001')", 4),
        ("def f(): return [[1]]", [1]),
        ("def f(): print(4)", 4),
        ("def f() -> None: print(4)", 4),
        ("def f(x=[4]) -> None: x.append(4)", [4, 4]),
        ("def f():\n    yield 1", [1, 2]),
    ],
)
def test_another_value_is_a_wrong_answer(call: Judging, code: str, expected: Any) -> None:
    assert call(code, ([], expected)).verdict is Verdict.WA


@pytest.mark.parametrize(
    ("starter", "code", "expected", "verdict"),
    [
        ("def f(x: list) -> None:", "def f(x): x.sort()", [1, 2], "AC"),
        ("def f(x: list) -> 'None': ...", "def f(x): x.sort()", [1, 2], "AC"),
        ("def f(x: list) -> None:", "def f(x): x.sort(reverse=True)", [1, 2], "WA"),
        ("def f(x: list) -> None:", "def f(x): return sorted(x)", [1, 2], "WA"),
        ("def f(x: list) -> None:", "def f(x): x.sort(); return len(x)", [1, 2], "AC"),
        ("def f(x: list) -> None:", "def f(x): x.sort()", None, "AC"),
        ("def f(x: list) -> List[int]:", "def f(x: list) -> None: x.sort()", [1, 2], "WA"),
        ("def g() -> None: ...\ndef f(x: list):", "def f(x): x.sort()", [1, 2], "WA"),
        ("", "def f(x: list) -> None: x.sort()", [1, 2], "WA"),
    ],
)
def test_the_first_argument_is_the_result_where_the_starter_code_returns_none(
    call: Judging, starter: str, code: str, expected: Any, verdict: str
) -> None:
    judgement = call(code, ([[2, 1]], expected), starter_code=starter)
    assert judgement.verdict == verdict, judgement.tests


LISTS = "class Solution:\n    def f(self, head{hint}){result}:\n        {body}"
REVERSE = (
    "prev = None\n        while head:\n"
    "            head.next, prev, head = prev, head, head.next\n        return prev"
)
INVERT = (
    "if head:\n            head.left, head.right = self.f(head.right), self.f(head.left)\n"
    "        return head"
)


@pytest.mark.parametrize(
    ("node", "body", "given", "expected"),
    [
        ("ListNode", REVERSE, [1, 2, 3], [3, 2, 1]),
        ("ListNode", REVERSE, [], []),
        ("TreeNode", INVERT, [1, 2, 3, None, 4], [1, 3, 2, None, None, 4]),
        ("TreeNode", INVERT, [], []),
    ],
)
@pytest.mark.parametrize("where", ["program", "starter", "string"])
def test_nodes_are_built_and_returned_where_annotations_say_so(
    call: Judging, node: str, body: str, given: list[Any], expected: list[Any], where: str
) -> None:
    quoted = f"Optional[{node}]" if where != "string" else f"'Optional[{node}]'"
    hinted = LISTS.format(hint=f": {quoted}", result=f" -> {quoted}", body=body)
    bare = LISTS.format(hint="", result="", body=body)
    starter = LISTS.format(hint=f": {quoted}", result=f" -> {quoted}", body="")
    code = bare if where == "starter" else hinted
    judgement = call(
        code, ([given], expected), starter_code=starter if where == "starter" else None
    )
    assert judgement.verdict is Verdict.AC, judgement.tests


@pytest.mark.parametrize(
    ("hint", "body", "argument", "expected"),
    [
        ("MyListNode", "return sum(head)", [1, 2], 3),
        ("Optional[TreeNodes]", "return head[::-1]", [1, 2], [2, 1]),
        ("LinkedList[ListNode]", "return head.next.val", [1, 2], 2),
        ("typing.List[Optional[ListNode]]", "return head[1].val", [[1], [2]], 2),
        ("dict[str, list[ListNode]]", "return head[1].val", [[1], [2]], 2),
        ("typing.Optional[solution.ListNode]", "return head.next.val", [1, 2], 2),
        ("ListNode|None", "return head.next.val", [1, 2], 2),
        ("Tuple[List[int], ListNode]", "return head[0] + [head[1].val]", [[1, 2], [3]], [1, 2, 3]),
        ("List[Tuple[int, TreeNode]]", "return head[0][1].right.val", [[1, [2, None, 3]]], 3),
        ("Tuple[ListNode, ...]", "return head[2].val", [[1], [2], [3]], 3),
        ("List[List[ListNode]]", "return head[0][1].val", [[[1], [2]]], 2),
    ],
)
def test_annotations_are_read_by_whole_names(
    call: Judging, hint: str, body: str, argument: list[Any], expected: Any
) -> None:
    code = LISTS.format(hint=f": '{hint}'", result="", body=body)
    judgement = call(code, ([argument], expected))
    assert judgement.verdict is Verdict.AC, judgement.tests


@pytest.mark.parametrize(
    ("body", "expected", "verdict"),
    [
        ("leaf = TreeNode(1); return TreeNode(0, leaf, leaf)", [0, 1, 1], "AC"),
        ("for _ in range(8): head = TreeNode(0, head, head)\n        return head", [0] * 255, "AC"),
        ("head = TreeNode(0); head.left = head; return head", [0, 0], "RE"),
        ("head = TreeNode(0, TreeNode(1)); head.left.right = head; return head", [0, 1], "RE"),
    ],
)
def test_a_tree_may_share_nodes_and_has_no_cycle(
    call: Judging, body: str, expected: list[int], verdict: str
) -> None:
    hint = ": Optional[TreeNode]"
    code = LISTS.format(hint=hint, result=" -> Optional[TreeNode]", body=body)
    judgement = call(code, ([[]], expected))
    assert judgement.verdict == verdict, judgement.tests


def test_a_node_that_is_changed_in_place_is_the_result(call: Judging) -> None:
    swap = "if head: head.left, head.right = head.right, head.left"
    mirror = LISTS.format(hint=": Optional[TreeNode]", result=" -> None", body=swap)
    starter = LISTS.format(hint=": Optional[TreeNode]", result=" -> None", body="")
    tests = ([[1, 2, 3]], [1, 3, 2]), ([[]], [])
    assert call(mirror, *tests, starter_code=starter).verdict is Verdict.AC
    assert call(mirror, ([[1, 2, 3]], [1, 2, 3]), starter_code=starter).verdict is Verdict.WA
    assert call(mirror, *tests).verdict is Verdict.WA
