"""What becomes a pair, what stays test code, and what is refused."""

from __future__ import annotations

import ast
import math
from typing import Any

import pytest

from microcoder_eval.errors import DataError
from microcoder_eval.formats.assertions import require_assertion
from microcoder_eval.python_tests.assert_plan import AssertPlan, CallTest, Relation
from microcoder_eval.python_tests.planning import plan
from microcoder_sandbox import source_analysis


def plan_call(source: str, entry: str | None = "f") -> CallTest:
    planned = plan(source, entry, None)
    assert planned.test_source is None
    (test,) = planned.tests
    return test


def count_required(planned: AssertPlan) -> int:
    """How many assertions the test runner requires."""
    tree = ast.parse(planned.test_source or "")
    return source_analysis.find_assertions(tree).required_count


@pytest.mark.parametrize(
    ("expression", "args", "expected"),
    [
        ("f(1, -2) == 3", (1, -2), 3),
        ("3 == f([1])", ([1],), 3),
        ("f((1,), {2}) == {'a': (1, [2])}", ((1,), {2}), {"a": (1, [2])}),
        ("f(float('inf')) == float('-inf')", (math.inf,), -math.inf),
        ("f(inf) == -inf", (math.inf,), -math.inf),
        ("f(list(range(5))) == set([1, 2])", ([0, 1, 2, 3, 4],), {1, 2}),
        ("f('abcde' + 'cade') == 2 ** 10", ("abcdecade",), 1024),
        ("f([0] * 3) == 2.0 / 4", ([0, 0, 0],), 0.5),
        ("f() == None", (), None),
        ("f(b'x', 1j) == True", (b"x", 1j), True),
    ],
)
def test_a_call_and_a_literal_become_a_pair(
    expression: str, args: tuple[Any, ...], expected: Any
) -> None:
    test = plan_call(f"assert {expression}")
    assert (test.entry, test.args, test.kwargs) == ("f", args, {})
    assert test.expected == expected
    assert test.relation is Relation.EQ


@pytest.mark.parametrize(
    ("base", "count"), [("", 2), ("(object)", 2), ("(Exception)", 2), ("(Base)", 0)]
)
def test_a_class_with_a_built_in_base_is_no_test(base: str, count: int) -> None:
    source = f"class N{base}: pass\nassert f(1) == 2\nassert f(2) == 3\n"
    assert len(plan(source, "f", None).tests) == count


def test_keyword_arguments_are_kept() -> None:
    test = plan_call("assert f(nums=[1], k=2) == 3")
    assert (test.args, test.kwargs) == ((), {"nums": [1], "k": 2})


@pytest.mark.parametrize(
    ("expression", "good", "bad"),
    [
        ("f(1)", [True, 1, "x"], [False, 0, None, []]),
        ("not f(1)", [False, 0, None], [True, "x"]),
        ("f(1) is True", [True], [1, False]),
        ("f(1) is None", [None], [0, False]),
        ("f(1) == 1", [1, 1.0, True], [2, "1", [1]]),
        ("f(1) == (1, 2)", [(1, 2)], [[1, 2]]),
        (
            "abs(f(1) - 0.5) < 1e-6",
            [0.5, 0.5000001, 0.5 + 0j],
            [0.50001, "0.5", math.nan, None, {0.5}, 0.5 + 1j],
        ),
        ("abs(0.5 - f(1)) <= 0.5", [0.0, 1], [1.1]),
        ("1e-6 > abs(f(1) - 0.5)", [0.5], [0.6]),
        ("math.isclose(f(1), 2.0, rel_tol=0.1)", [2.1], [2.5, math.inf, 2 + 0j]),
        ("math.isclose(2, f(1), abs_tol=0.2)", [2.1], [2.5]),
        ("f(1) == pytest.approx(100)", [100.00001, 100, 100 + 1e-5j], [100.1, math.nan, [100]]),
        ("f(1) == pytest.approx(100, abs=1)", [101], [101.1]),
    ],
)
def test_a_relation_holds_for_what_python_would_accept(
    expression: str, good: list[Any], bad: list[Any]
) -> None:
    test = plan_call(f"assert {expression}")
    assert [value for value in good if not test.holds(value)] == []
    assert [value for value in bad if test.holds(value)] == []


@pytest.mark.parametrize("call", ["check(f)", ""])
def test_check_is_planned_by_its_parameter(call: str) -> None:
    planned = plan(
        f"def check(candidate):\n    assert candidate(1) == 2, 'why'\n    assert True\n{call}\n",
        "f",
        None,
    )
    assert [test.entry for test in planned.tests] == ["f"]
    assert planned.test_source is None


def test_methods_of_a_fresh_object_are_entries() -> None:
    source = "def check(candidate):\n    assert candidate(a=1) == 2\ncheck(Solution().go)"
    assert plan_call(source, "Solution.go").entry == "Solution().go"
    assert plan_call("assert Solution().go(1) == 2").entry == "Solution().go"


def test_an_alias_stands_for_the_function() -> None:
    assert plan_call("candidate = f\nassert candidate(1) == 2").entry == "f"


def test_pytest_functions_are_planned_in_order() -> None:
    source = (
        "from solution import add as plus\n"
        "def test_one():\n    assert plus(1, 2) == 3\n"
        "def test_two():\n    assert plus(2, 2) == 4\n"
    )
    planned = plan(source, None, None)
    assert [(t.entry, t.args) for t in planned.tests] == [("add", (1, 2)), ("add", (2, 2))]
    assert planned.test_source is None


@pytest.mark.parametrize(
    "source",
    [
        "if __name__ == '__main__':\n    assert f(1) == 2\n    print('ok')",
        "def check(c):\n    assert c(1) == 2\nif __name__ == '__main__':\n    check(f)",
    ],
)
def test_what_only_a_main_module_would_assert_is_planned(source: str) -> None:
    planned = plan(source, "f", None)
    assert [(t.entry, t.args) for t in planned.tests] == [("f", (1,))]


def test_a_main_module_that_only_starts_a_framework_is_left_alone() -> None:
    source = (
        "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n"
        "        self.assertEqual(f(1), 2)\nif __name__ == '__main__':\n    unittest.main()"
    )
    assert plan(source, "f", None).test_source == source


def test_a_warning_about_test_code_is_not_shown() -> None:
    assert plan("assert (f(1) == 2, 'always')\nassert f(1) == 2", "f", None).test_source


def test_and_is_split_into_its_parts() -> None:
    planned = plan("assert f(1) == 2 and f(3) == 4 and sorted(f(5)) == [6]", "f", None)
    assert [test.args for test in planned.tests] == [(1,), (3,)]
    assert planned.test_source == "assert sorted(f(5)) == [6]"


@pytest.mark.parametrize(
    "statement",
    [
        "assert sorted(f(1)) == [1]",
        "for i in range(3):\n    assert f(i) == i",
        "assert f(g(1)) == 2",
        "assert is_same_list(f(list_node([1])), list_node([1]))",
        "x = [1]\nassert f(x) == 1",
        "assert f(*[1]) == 1",
        "assert f(1) != 2",
        "assert f(1) in (2, 3)",
        "assert f(1) == f(2)",
        "assert f(1) == open",
        "assert f(10 ** 10 ** 10) == 1",
        "assert f([0] * 10 ** 9) == 1",
        "assert f(list(range(10 ** 9))) == 1",
        "assert f('%0999999999d' % 1) == 1",
        "assert f({[]}) == 1",
        "assert f(1 / 0) == 1",
        "assert f(lambda: 1) == 1",
        "assert len([1]) == f(2)",
        "assert f().lower() == 'a'",
    ],
)
def test_everything_else_stays_test_code(statement: str) -> None:
    planned = plan(f"assert f(0) == 0\n{statement}", "f", None)
    assert [test.args for test in planned.tests] == [(0,)]
    assert planned.test_source is not None
    assert count_required(planned) == int("for " not in statement)  # it may run never
    assert "f(0)" not in planned.test_source


@pytest.mark.parametrize(
    "source",
    [
        "reset()\nassert f(1) == 1\nassert sorted(f(1)) == [1]",
        "assert f() == 1\nassert f() == 2",
        "f.limit = 3\nassert f(1) == 1",
        "stack.items[0] = 3\nassert f(1) == 1",
        "first, [*f.limits] = 1, 2\nassert f(1) == 1",
    ],
)
def test_shared_state_keeps_the_whole_code_together(source: str) -> None:
    planned = plan(source, "f", None)
    assert planned.tests == ()
    assert planned.test_source == source


def test_a_name_that_a_function_imports_for_the_module_is_no_name_of_the_program() -> None:
    source = "def load():\n    global helper\n    import helper\nassert helper.g(f(1)) == 1"
    assert source_analysis.find_free_names(source) == {"f"}


def test_assertions_of_something_else_stay_with_those_of_the_candidate() -> None:
    source = "assert f(1) == 1\nassert len([1]) == 1"
    planned = plan(source, "f", None)
    assert (planned.tests, planned.test_source) == ((), source)


def test_what_may_fail_over_the_candidate_stays_without_an_assertion() -> None:
    planned = plan("g = f\nassert g(0) == 0\nif g(1):\n    raise ValueError", "f", None)
    assert len(planned.tests) == 1
    assert planned.test_source == "g = f\nif g(1):\n    raise ValueError"
    assert count_required(planned) == 0
    assert plan("g = f\nassert g(0) == 0\ndef h():\n    g(1)", "f", None).test_source is None


def test_a_name_that_the_test_binds_is_not_the_candidates() -> None:
    planned = plan("def g(x):\n    return x\nassert g(f(2)) == 1\nassert f(1) == 1", "f", None)
    assert [test.entry for test in planned.tests] == ["f"]
    planned = plan("inf = 3\nassert f(1) == inf", "f", None)
    assert planned.tests == ()


def test_builtins_and_prelude_are_not_the_candidates_unless_asked_for() -> None:
    assert plan("assert len([f(2)]) == 1\nassert f(1)", "f", None).tests[0].entry == "f"
    assert plan_call("assert sum([1]) == 1", "sum").entry == "sum"


def test_an_entry_point_that_is_only_a_builtin_around_the_call_is_no_entry_point() -> None:
    planned = plan("assert int(f(1)) == 2\nassert f(1) == 3", "int", None)
    assert [test.entry for test in planned.tests] == ["f"]


PRINTED = "for n in (1, 2):\n    try:\n        assert f(n) == n\n        passed += 1\n    except "
NO_ASSERTIONS = ["", "f(1)", "x = f(1)\nprint(x)", "def check(c):\n    c(1)", "exit()",
                 "sys.exit(0)", f"{PRINTED}Exception as e:\n        print(n, e)\nprint(passed)",
                 f"{PRINTED}(ValueError, AssertionError):\n        pass"]  # fmt: skip


@pytest.mark.parametrize("source", NO_ASSERTIONS)
def test_no_assertion_is_a_data_error(source: str) -> None:
    with pytest.raises(DataError, match="no assertion"):
        require_assertion(source)


@pytest.mark.parametrize(
    "end", ["ValueError:\n        pass", "Exception:\n        print(n)\nassert passed == 2",
            "Exception:\n        print(n)\n        failed = True\n"]
)  # fmt: skip
def test_an_assertion_whose_failure_may_be_seen_is_one(end: str) -> None:
    require_assertion(PRINTED + end)


def test_an_error_without_a_line_names_none() -> None:
    with pytest.raises(DataError, match=r"does not compile as Python \(source code"):
        require_assertion("\0")


@pytest.mark.parametrize("source", ["assert f(1) ==", "assert f(1)\nreturn", "\0"])
def test_code_that_does_not_compile_is_a_data_error(source: str) -> None:
    with pytest.raises(DataError, match="compile"):
        plan(source, "f", None)


@pytest.mark.parametrize(
    "source",
    [
        "import inspect\nassert inspect.getsource(f)",
        "class T(unittest.TestCase):\n    def test(self):\n        self.assertLogs(f, 1)",
        "import random\nrandom.random = lambda: 1\nassert f(1) == 1",
        "import warnings\nwith warnings.catch_warnings(record=True) as w:\n    assert f(1) == 1",
        "class C:\n    @d(3)\n    def m(self):\n        return 1\nassert C().m() == 2",
        "from solution import d\nclass C:\n    @d\n    def m(self):\n        return 1\n"
        "assert C().m() == 2",
        "import os\nos.environ['A'] = '1'\nassert f(1) == 1",
        "import solution\nsolution.LIMIT, x = 1, 2\nassert solution.f(1) == 1",
        "import types\nassert isinstance(f(1), types.GeneratorType)",
        "match f(1):\n    case P(x): assert x == 1",
        "import solution\nmatch solution.f(1):\n    case solution.P(x=x): assert x == 1",
        "assert Vector(1) + Vector(2) == Vector(3)",
        "a = Vector(1)\nb = Vector(1)\nassert a == b",
        "import pickle\nassert pickle.loads(f(1)) == 1",
        "from marshal import loads\nassert loads(f(1)) == 1",
        "import weakref\na = f(1)\nr = weakref.ref(a)\ndel a\nassert r() is None",
    ],
)
def test_what_needs_the_candidates_process_is_said(source: str) -> None:
    assert plan(source, "f", None).unsupported is not None


@pytest.mark.parametrize(
    "source",
    [
        "x = eval('1 + 1')\nassert sorted(f(1)) == [x]",
        "def g(text):\n    return eval(text)\nR = [g('2')]\ndef check(c):\n    assert c(1) in R",
        "exec('x = 1')\nassert sorted(f(1)) == [x]",
    ],
)
def test_code_that_evaluates_text_stays_together(source: str) -> None:
    """It may do so only before the first call, which a call apart from it would not show."""
    planned = plan(f"{source}\nassert f(2) == 3", "f", None)
    assert (planned.tests, planned.unsupported) == ((), None)


@pytest.mark.parametrize(
    "source",
    [
        "assert Extract([1]) == [2]",
        "assert Vector(1).x == Vector(2).x",
        "class Own:\n    pass\nassert Own() == Own() or f(1)",
        "from collections import Counter\nassert Counter(f(1)) == Counter('a')",
        "assert f(1) == f(1)",
    ],
)
def test_objects_of_the_candidate_are_compared_nowhere_here(source: str) -> None:
    assert plan(source, None, None).unsupported is None


def test_objects_of_the_programs_class_may_be_compared_beside_something_else() -> None:
    for other in ("Vector(1).x == 1", "Vector(1) != Vector(2)", "str(Vector(1)) == '1'"):
        source = f"assert Vector(1) + Vector(2) == Vector(3)\nassert {other}"
        assert plan(source, None, None).unsupported is None


def test_a_function_of_which_a_value_is_expected_judges_nothing() -> None:
    line = "self.assertEqual(show(make(1)), text)"
    source = f"class T(unittest.TestCase):\n    def test(self):\n        text = 'a'\n        {line}"
    assert plan(source, None, None).unsupported is None
    decided = source.replace("Equal", "True").replace(", text", "")
    assert plan(decided, None, None).unsupported is not None
    helper = "def assert_holds(x):\n    assert x\nassert_holds(is_right(f(1)))\nassert f(1)"
    assert plan(helper, "f", None).unsupported is not None


def test_straight_assertions_are_counted_and_conditional_ones_are_not() -> None:
    source = (
        "def check(c):\n"
        "    assert sorted(c(1)) == [1]\n"
        "    if c(2):\n        assert len(c(2)) == 1\n"
        "    with pytest.raises(ValueError):\n        c(3)\n"
    )
    assert count_required(plan(source, "f", None)) == 2


def test_unittest_stays_test_code() -> None:
    source = (
        "import unittest\nclass T(unittest.TestCase):\n"
        "    def test_a(self):\n        self.assertEqual(f(1), 2)\n"
    )
    planned = plan(source, "f", None)
    assert (planned.tests, count_required(planned)) == ((), 1)


def test_helpers_come_from_the_starter_code_not_from_the_candidate() -> None:
    starter = "import math\ndef poly(x):\n    return math.floor(x)\ndef f(x):\n    '''doc'''\n"
    planned = plan("assert poly(f(1)) == 1", "f", starter)
    assert planned.test_source is not None
    assert "def poly" in planned.test_source
    assert "def f" not in planned.test_source
