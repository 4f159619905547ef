"""Call problems: which function is called, with what, and what its result may be."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import Judge, Verdict
from tests.files import read_table
from tests.judge.conftest import Judging

TABLE = read_table(__file__)
STARTER = "class Solution:\n    def f(self, n: int) -> int:\n        "
BOTH = "class Solution:\n    def f(self, n): return {method}\ndef f(n): return {function}"


@pytest.mark.parametrize(("code", "entry"), TABLE["entry_points"])
def test_the_entry_point_is_found_where_people_put_it(call: Judging, code: str, entry: str) -> None:
    judgement = call(code, ([2], 4), entry_point=entry)
    assert judgement.verdict is Verdict.AC, judgement.tests


@pytest.mark.parametrize(("code", "verdict"), TABLE["coroutines"])
def test_a_coroutine_is_run_to_its_value(call: Judging, code: str, verdict: str) -> None:
    tests = ([2], 4), ([3], 6)
    judgement = call(code, *tests, limits={"time_s": 0.5})
    assert str(judgement.verdict) == verdict, judgement.tests


@pytest.mark.parametrize(("code", "verdict"), TABLE["leetcode_names"])
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


@pytest.mark.parametrize(("code", "flags"), TABLE["other_names"])
@pytest.mark.parametrize("test_count", [1, 3])
def test_a_call_of_a_function_with_another_name_is_flagged(
    call: Judging, code: str, flags: list[str], test_count: int
) -> None:
    assert call(code, *[([2], 4)] * test_count).flags == tuple(flags)


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
    code = TABLE["keeps_what_it_was_given"]
    same = ([[1, 2]], [3, 1, 1])
    assert call(code, same, same, same).verdict is Verdict.AC


def test_identical_arguments_are_not_one_object(call: Judging) -> None:
    code = "def f(a, b):\n    a.append(1)\n    return b"
    assert call(code, ([[], []], [])).verdict is Verdict.AC


@pytest.mark.parametrize(
    ("code", "args", "expected"),
    [
        *TABLE["results"],
        ("def f(): return None", [], None),
        ("def f(x: list) -> None: x.sort()", [[2, 1]], None),
        ("def f(): return 'é\\ud800'", [], "é\ud800"),
        ("def f(): return 10 ** 4000", [], 10**4000),
        ("import fractions\ndef f(n): return fractions.Fraction(n, 2)", [4**400], 4**400 // 2),
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


@pytest.mark.parametrize(("code", "expected"), TABLE["other_values"])
def test_another_value_is_a_wrong_answer(call: Judging, code: str, expected: Any) -> None:
    assert call(code, ([], expected)).verdict is Verdict.WA


@pytest.mark.parametrize("result", ["{range(3)}", "{range(3): 1}", "[{(range(3), 1)}]"])
def test_a_member_or_a_key_whose_plain_form_has_no_hash_is_named(
    call: Judging, result: str
) -> None:
    judgement = call(f"def f(): return {result}", ([], 1))
    detail = "the result cannot be compared: a value of type range has no plain form"
    assert (judgement.verdict, judgement.tests[0].detail) == (Verdict.RE, detail)


@pytest.mark.parametrize(
    ("starter", "code", "expected", "verdict"),
    [
        *TABLE["in_place"],
        ("def f(x: list) -> None:", "def f(x): x.sort()", None, "AC"),
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


@pytest.mark.parametrize(("hint", "body", "argument", "expected"), TABLE["annotations"])
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
