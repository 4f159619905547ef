"""A solution passes only if its own code ran; test code that reaches no program is the problem's
fault, which shows before any program runs."""

from __future__ import annotations

import itertools
import random
import textwrap
from collections.abc import Iterator
from typing import Any

import pytest

from microcoder_eval import Judge, Judgement, Limits

# {0}: the operand, {1}: the right result, {name}: the function.
STYLES = {
    "assertions": "assert {name}({0}) + 0 == {1}\n",
    "literal assertions": "assert {name}({0}) == {1}\n",
    "assertions in a loop": "for _ in range(2):\n    assert {name}({0}) + 0 == {1}\n",
    "check(f)": "def check(f):\n    assert f({0}) + 0 == {1}\ncheck({name})\n",
    "check(name)": "def check({name}):\n    assert {name}({0}) + 0 == {1}\ncheck({name})\n",
    "a function that is called": "def run():\n    assert {name}({0}) + 0 == {1}\nrun()\n",
    "a main guard": "def run():\n    assert {name}({0}) + 0 == {1}\n"
    "if __name__ == '__main__':\n    run()\n",
    "an attribute of a class": "class Held:\n    held = {name}\nassert Held.held({0}) + 0 == {1}\n",
    "a class": "class Tests:\n    def run(self):\n        assert {name}({0}) + 0 == {1}\n"
    "Tests().run()\n",
    "unittest": "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n"
    "        self.assertEqual({name}({0}), {1})\n",
    "pytest": "import pytest\n@pytest.mark.parametrize('x, y', [({0}, {1})])\n"
    "def test_a(x, y):\n    assert {name}(x) == y\n",
    "a pytest class": "class TestIt:\n    def test_a(self):\n"
    "        assert {name}({0}) + 0 == {1}\n",
    "unittest, skipped tests": "import unittest\nclass T(unittest.TestCase):\n"
    "    def test_a(self):\n        self.assertEqual({name}({0}), {1})\n"
    "    @unittest.skip('slow')\n    def test_b(self):\n        self.assertEqual({name}(1), None)\n"
    "    def test_c(self):\n        self.skipTest('slow')\n"
    "        self.assertEqual({name}(1), None)\n"
    "    def test_d(self):\n        raise unittest.SkipTest('slow')\n"
    "@unittest.skipIf(1 < 2, 'slow')\nclass U(unittest.TestCase):\n"
    "    def test_a(self):\n        self.assertEqual({name}(1), None)\n"
    "class V(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls):\n"
    "        raise unittest.SkipTest('slow')\n"
    "    def test_a(self):\n        self.assertEqual({name}(1), None)\n",
    "pytest, skipped tests": "import pytest\ndef test_a():\n    assert {name}({0}) == {1}\n"
    "def test_b():\n    pytest.skip('slow')\n    assert {name}(1) == None\n"
    "@pytest.mark.skip\ndef test_c():\n    assert {name}(1) == None\n"
    "@pytest.mark.skip(reason='slow')\n@pytest.mark.parametrize('x', [1, 2])\n"
    "def test_d(x):\n    assert {name}(x) == None\n"
    "@pytest.mark.skipif(True, reason='slow')\nclass TestIt:\n"
    "    def test_a(self):\n        assert {name}(1) == None\n",
    "a skip by raising": "import unittest\ndef test_a():\n    raise unittest.SkipTest('slow')\n"
    "    assert {name}(1) == None\ndef test_b():\n    assert {name}({0}) == {1}\n"
    "def test_c():\n    return\n    assert {name}(1) == None\n",
    "expected failures": "import unittest\nclass T(unittest.TestCase):\n"
    "    @unittest.expectedFailure\n    def test_a(self):\n"
    "        self.assertEqual({name}({0}), None)\n        self.assertEqual({name}({0}), {1})\n"
    "    def test_b(self):\n        self.assertEqual({name}({0}), {1})\n",
    "swallowed failures": "import contextlib\ndef test_a():\n    try:\n"
    "        assert {name}({0}) == None\n    except AssertionError:\n        pass\n"
    "    with contextlib.suppress(AssertionError):\n        assert {name}({0}) == None\n"
    "    assert {name}({0}) + 0 == {1}\n",
    "asynchronous tests": "import asyncio, unittest, pytest\nasync def test_a():\n"
    "    await asyncio.sleep(0)\n    assert {name}({0}) == {1}\n"
    "@pytest.mark.asyncio\nasync def test_b():\n    assert {name}({0}) + 0 == {1}\n"
    "class T(unittest.IsolatedAsyncioTestCase):\n    async def test_a(self):\n"
    "        await asyncio.sleep(0)\n        self.assertEqual({name}({0}), {1})\n",
    "one asynchronous test": "import asyncio\nasync def test_a():\n"
    "    await asyncio.sleep(0)\n    assert {name}({0}) + 0 == {1}\nasyncio.run(test_a())\n",
    "a TestCase and functions": "import unittest\nclass T(unittest.TestCase):\n"
    "    def test_a(self):\n        self.assertTrue(True)\n"
    "def test_b():\n    assert {name}({0}) == {1}\n",
    "functions and a TestCase": "import unittest\ndef test_b():\n"
    "    assert {name}({0}) != None\n"
    "class T(unittest.TestCase):\n    def test_a(self):\n"
    "        self.assertEqual({name}({0}), {1})\n",
    "fixtures": "import pytest\n@pytest.fixture\ndef operand():\n    yield {0}\n"
    "@pytest.fixture(scope='module')\ndef result(base):\n    return base + 1\n"
    "@pytest.fixture\ndef base():\n    return {1} - 1\n"
    "def test_a(operand, result):\n    assert {name}(operand) == result\n"
    "class TestIt:\n    def test_a(self, operand):\n"
    "        assert {name}(operand) == {1}\n",
    "pytest.raises": "import pytest\ndef test_a():\n    with pytest.raises(TypeError):\n"
    "        {name}(None)\n    assert {name}({0}) == {1}\n",
    "pytest.param": "import pytest\n"
    "@pytest.mark.parametrize('x, y', [pytest.param({0}, {1}, id='a')])\n"
    "@pytest.mark.parametrize('z', [pytest.param(0), 0])\n"
    "def test_a(x, y, z):\n    assert {name}(x) + z == y\n",
    "subtests": "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n"
    "        for x in [{0}]:\n            with self.subTest(x=x):\n"
    "                self.assertEqual({name}(x), {1})\n",
    "an import of the program": "from solution import {name}\nassert {name}({0}) + 0 == {1}\n",
    "the program as a module": "import solution\nassert solution.{name}({0}) + 0 == {1}\n",
    "a raise": "if {name}({0}) != {1}:\n    raise AssertionError('wrong')\n",
    "a raise beside an assertion": "assert {name}({0}) == {1}\nfor _ in range(2):\n"
    "    if {name}({0}) + 0 != {1}:\n        raise AssertionError('wrong')\n",
    "an assertion of something else": "import time\nstart = time.time()\n"
    "assert {name}({0}) == {1}\nassert time.time() - start < 600\n",
    "tests of one name": "def test_a():\n    assert {name}(1) == None\n"
    "def test_a():\n    assert {name}({0}) == {1}\n"
    "class TestIt:\n    def test_b(self):\n        assert {name}(1) == None\n"
    "    def test_b(self):\n        assert {name}({0}) == {1}\n",
    "tests that return": "def test_a():\n    if 1 < 2:\n        return\n"
    "    assert {name}(1) == None\ndef test_b():\n    assert {name}({0}) == {1}\n",
    "a check that returns": "def check(f):\n    assert f({0}) == {1}\n    if 1 < 2:\n"
    "        return\n    assert f(1) == None\ncheck({name})\n",
    "tests that skip in a branch": "import pytest, unittest\ndef test_a():\n"
    "    if 1 < 2:\n        pytest.skip('slow')\n    assert {name}(1) == None\n"
    "def test_b():\n    assert {name}({0}) == {1}\n",
    "nothing beside assertions": "assert {name}({0}) == {1}\nif 1 > 2:\n"
    "    assert {name}(1) == None\nfor _ in []:\n    assert {name}(1) == None\n",
    "skipped tests beside others": "import pytest\ndef test_a():\n    assert {name}({0}) == {1}\n"
    "@pytest.mark.skip\ndef test_b():\n    assert {name}(1) == None\n"
    "@pytest.mark.parametrize('x', [])\ndef test_c(x):\n    assert {name}(x) == None\n",
    "an exit with a status": "import sys\nanswers = [{name}({0})]\nassert len(answers) == 1\n"
    "sys.exit(0 if answers == [{1}] else 1)\n",
    "an exit with a count": "import os\nfailures = 0\nassert 1 + 1 == 2\n"
    "if {name}({0}) != {1}:\n    failures += 1\nos._exit(failures)\n",
    "an exit by an exception": "def main():\n    assert 1 + 1 == 2\n"
    "    return 0 if {name}({0}) == {1} else 3\n"
    "if __name__ == '__main__':\n    raise SystemExit(main())\n",
    "an exit in branches": "import sys\nassert 1 + 1 == 2\nif {name}({0}) == {1}:\n"
    "    sys.exit()\nelse:\n    sys.exit('wrong')\n",
    "tests that are made": "def make(x, y):\n    def run():\n        assert {name}(x) == y\n"
    "    return run\ntest_a = make({0}, {1})\ndef test_b():\n    assert {name}({0}) != None\n",
    "tests in a branch": "if 1 < 2:\n    def test_a():\n        assert {name}({0}) == {1}\n"
    "def test_b(x={0}):\n    assert {name}(x) != None\n",
    "an inherited test": "class Base:\n    def test_a(self):\n"
    "        assert {name}({0}) == {1}\nclass TestIt(Base):\n    pass\n",
    "functions that set up": "answers = []\ndef setup_module(module):\n"
    "    answers.append({name}({0}))\ndef setup_function():\n    answers.append({1})\n"
    "def test_a():\n    assert answers[0] == answers[1]\n",
    "methods that set up": "class TestIt:\n    @classmethod\n    def setup_class(cls):\n"
    "        cls.first = {name}({0})\n    def setup_method(self, method):\n"
    "        self.second = {name}({0})\n    def teardown_method(self):\n"
    "        assert self.second == {1}\n    def test_a(self):\n"
    "        assert self.first == self.second\n",
    "fixtures of a class": "import pytest\nclass TestIt:\n"
    "    @pytest.fixture(autouse=True)\n    def prepare(self, answer):\n"
    "        self.answer = answer\n    @pytest.fixture\n    def answer(self):\n"
    "        return {name}({0})\n    def test_a(self):\n        assert self.answer == {1}\n",
    "a function with parameters": "def test_case(x, y):\n    assert {name}(x) == y\n"
    "test_case({0}, {1})\ndef test_b():\n    test_case({0}, {1})\n",
    "check inside of a test": "import unittest\ndef check(f):\n    assert f({0}) == {1}\n"
    "class T(unittest.TestCase):\n    def test_a(self):\n        check({name})\n",
    "main of unittest": "from unittest import TestCase, main\nclass T(TestCase):\n"
    "    def test_a(self):\n        self.assertEqual({name}({0}), {1})\nmain()\n",
    "one parameter": "import pytest\n@pytest.mark.parametrize(['x'], [({0},)])\n"
    "@pytest.mark.parametrize('y,', [pytest.param({1})])\n@pytest.mark.parametrize('z', [(1, 2)])\n"
    "def test_a(x, y, z):\n    assert {name}(x) == y and z == (1, 2)\n",
    "doctest": 'def run():\n    """\n    >>> {name}({0})\n    {1}\n    """\n'
    "import doctest\nassert doctest.testmod().failed == 0\n",
    "doctest of a module": "import doctest, sys\n"
    "failed, _ = doctest.testmod(sys.modules[__name__])\nassert failed == 0\n",
}
UNJUDGED = ("doctest", "doctest of a module")  # before any program runs: JE for all alike
HEADS = ["", "'''What it does.'''\n", "'''Doc.'''\nfrom __future__ import annotations\n"]
HEADS.append("import math\n'''A text after an import.'''\n")
STARTERS = [
    None,
    "def {name}(x):\n    pass\n",
    "def {name}(x):\n    return x + {step}\n",
    "def {name}(x):\n    return 0\n",
    "def {name}(x):\n    raise NotImplementedError\n",
    "def {name}(x):\n    return 1 // 0\n",
    "def {name}(x):\n    import math\n    '''Doc.'''\n",
    "def helper(x):\n    return x\ndef {name}(x):\n    '''Doc.'''\n",
]
COMBINATIONS = 1500  # of those, each with all programs
PROGRAMS = {
    "right": ("def {name}(x):\n    return x + {step}\n", {"AC"}),
    "wrong": ("def {name}(x):\n    return x - {step}\n", {"WA"}),
    "another name": ("def misnamed(x):\n    return x + {step}\n", {"CE", "RE", "WA"}),
    "empty": ("pass\n", {"CE", "RE", "WA"}),
}
UNREACHED = {
    "it defines the function itself": "def f(x):\n    return 2\nassert f(1) + 0 == 2\n",
    "assertions that never run": "if False:\n    assert f(1) == 3\nassert 1 + 1 == 2\n",
    "callable": "assert callable(f)\n",
    "not None": "assert f is not None\n",
    "doctest": "import doctest\nassert doctest.testmod().failed == 0\n",
    "a function that nobody calls": "def run():\n    assert f(1) + 0 == 2\n",
    "a failure before the first call": "assert 1 == 2\nassert f(1) + 0 == 2\n",
}


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    """Two workers."""
    with Judge(workers=2, limits=Limits(time_s=2, wall_s=60), reuse=False) as judge:
        yield judge


def judged(judge: Judge, code: str, test_code: str, **fields: Any) -> Judgement:
    return judge.judge({"code": code}, {"kind": "assert", "test_code": test_code, **fields})


@pytest.mark.parametrize("style", ["check(name)", "unittest", "a function that is called"])
@pytest.mark.parametrize("starter", [text for text in STARTERS if text is not None])
def test_the_starter_codes_function_never_takes_the_programs_place(
    judge: Judge, style: str, starter: str
) -> None:
    test_code = STYLES[style].format(1, 2, name="f")
    for code, verdicts in PROGRAMS.values():
        judgement = judged(
            judge,
            code.format(name="f", step=1),
            test_code,
            starter_code=starter.format(name="f", step=1),
        )
        assert judgement.verdict in verdicts, judgement


@pytest.mark.parametrize("name", UNREACHED)
def test_test_code_that_reaches_no_program_is_the_problems_fault(judge: Judge, name: str) -> None:
    for code in ("def f(x): return x + 1", "def f(x): return 7", "pass"):
        assert judged(judge, code, UNREACHED[name]).verdict == "JE"


@pytest.mark.parametrize(
    "test_code",
    [
        "try:\n    f(1)\nexcept NameError:\n    pass\nassert 1 + 1 == 2\n",
        "import pytest\ndef test_a():\n    with pytest.raises(Exception):\n        f('a')\n",
    ],
)
def test_a_program_neither_passes_nor_abstains_by_lacking_the_name(
    judge: Judge, test_code: str
) -> None:
    assert judged(judge, "def f(x): return x + 1", test_code).verdict == "AC"
    for code in ("pass", "def g(x): return x + 1"):
        judgement = judged(judge, code, test_code)
        assert (judgement.verdict, judgement.flags) == ("WA", ("not_called",))


SHAPES = {
    "assertions": "assert f(1) == 2\n{0}",
    "check": "def check(f):\n    assert f(1) == 2\n{1}check(f)",
    "pytest": "def test_a():\n    assert f(1) == 2\ndef test_b():\n{1}",
}
# What follows fails for those that know the first answer only.
BESIDE = {
    "a raise": "if f(3) != 4:\n    raise AssertionError('wrong')\n",
    "another exception": "if f(3) != 4:\n    raise ValueError('wrong')\n",
    "a loop": "for k in range(5):\n    if f(k) != k + 1:\n        raise AssertionError(k)\n",
    "an exit": "import sys\nif f(3) != 4:\n    sys.exit(1)\n",
    "a helper": "def verify(k):\n    if f(k) != k + 1:\n        raise AssertionError(k)\n"
    "answer = verify(3)\n",
    "helpers": "def g(k):\n    return f(k)\ndef verify(k):\n"
    "    return 1 // (g(k) == k + 1)\nanswer = verify(3)\n",
    "a value": "answer = 12 // f(3)\n",
    "a branch": "try:\n    answer = f(3)\nexcept Exception:\n    answer = 0\n"
    "if answer != 4:\n    raise AssertionError\n",
    "a match": "match f(3):\n    case 4: pass\n    case _: raise AssertionError\n",
    "a key": "answers = {f(3): 1}\ndel answers[4]\n",
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("name", BESIDE)
def test_what_checks_a_program_without_an_assertion_is_run_beside_assertions(
    judge: Judge, name: str, shape: str
) -> None:
    test_code = shape.format(BESIDE[name], textwrap.indent(BESIDE[name], "    "))
    if "{1}" in shape and "def verify" in test_code:  # helpers beside the tests
        test_code = BESIDE[name].rpartition("answer")[0] + shape.format("", "    verify(3)\n")
    assert judged(judge, "def f(x): return x + 1", test_code).verdict == "AC"
    assert judged(judge, "def f(x): return 2 if x == 1 else 0", test_code).verdict in ("WA", "RE")


SKIPPING = {
    "an exception of the program": "try:\n            answer = f(1)\n"
    "        except NotImplementedError:\n            self.skipTest('missing')\n"
    "        self.assertEqual(answer, 2)",
    "a value of the program": "answer = f(1)\n        if answer is None:\n"
    "            raise unittest.SkipTest('missing')\n        self.assertEqual(answer, 2)",
    "a value from before": "if VALUE is None:\n            self.skipTest('missing')\n"
    "        self.assertEqual(VALUE, 2)",
}


@pytest.mark.parametrize("name", SKIPPING)
def test_no_program_has_a_test_skipped_by_what_it_does(judge: Judge, name: str) -> None:
    test_code = (
        "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n"
        f"        {SKIPPING[name]}\n    def test_b(self):\n        self.assertNotEqual(f(1), 3)\n"
    )
    if "VALUE" in test_code:
        test_code = f"VALUE = f(1)\n{test_code}"
    assert judged(judge, "def f(x): return x + 1", test_code).verdict == "AC"
    for body in ("raise NotImplementedError", "pass"):
        assert judged(judge, f"def f(x): {body}", test_code).verdict in ("WA", "RE")


DECIDERS = [
    "assert_equal(f(1), 2)",
    "assert f(2) == 3\nassert_equal(f(1), 2)",
    "answer = f(1)\nassert same(answer, 2)",
    "def check(candidate):\n    assert not differ(candidate(1), 2)",
    "from solution import f, same\nassert same(f(1), 2) is True",
    "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n"
    "        self.assertTrue(same(f(1), 2))",
]


@pytest.mark.parametrize("test_code", DECIDERS)
def test_no_function_of_the_programs_decides_over_its_results(judge: Judge, test_code: str) -> None:
    code = "def f(x): return 7\ndef same(a, b): return True\ndef differ(a, b): return False\n"
    code += "def assert_equal(a, b): pass\n"
    judgement = judged(judge, code, test_code, entry_point="f")
    assert judgement.verdict == "JE"
    assert "define it in the test code" in (judgement.error or "")


@pytest.mark.parametrize(
    "test_code",
    [
        "assert is_even(4)\nassert is_even(double(3))",
        "assert is_leaf(Node(1))\nassert not is_leaf(Node(Node(1)))",
        "def run(x):\n    assert is_even(x)\nrun(4)",
        "assert double(half(4)) == 4",
        "def same(a, b):\n    return a == b\nassert same(double(2), 4)",
    ],
)
def test_functions_that_a_problem_asks_for_are_the_programs(judge: Judge, test_code: str) -> None:
    code = (
        "class Node:\n    def __init__(self, value): self.value = value\n"
        "def is_leaf(node): return not isinstance(node.value, Node)\n"
        "def is_even(x): return x % 2 == 0\ndef double(x): return 2 * x\n"
        "def half(x): return x // 2\n"
    )
    assert judged(judge, code, test_code).verdict == "AC"


def test_a_global_value_is_compared_by_what_it_is(judge: Judge) -> None:
    for code, verdict in {"LIMIT = 5": "AC", "LIMIT = 4": "WA", "pass": "RE"}.items():
        assert judged(judge, code, "assert LIMIT == 5\nassert LIMIT != 4\n").verdict == verdict


@pytest.mark.parametrize("style", STYLES)
def test_each_style_means_what_its_framework_makes_of_it(judge: Judge, style: str) -> None:
    test_code = STYLES[style].format(3, 4, name="f")
    for code, verdicts in PROGRAMS.values():
        judgement = judged(judge, code.format(name="f", step=1), test_code)
        assert judgement.verdict in ({"JE"} if style in UNJUDGED else verdicts), judgement


@pytest.mark.slow
def test_no_style_accepts_a_wrong_program_or_refuses_a_right_one(judge: Judge) -> None:
    """Every style, beside drawn heads, starter code and entry points."""
    draw = random.Random(35)
    combinations = list(itertools.product(STYLES, HEADS, STARTERS, (False, True)))
    draw.shuffle(combinations)
    failures = []
    submissions = []
    for number, (style, head, starter, has_entry) in enumerate(combinations[:COMBINATIONS]):
        names = {"name": draw.choice(["inc", "solve", "helper_of", "compute"]), "step": number + 1}
        problem = {"kind": "assert", "test_code": _write_test(style, head, draw, names)}
        if starter is not None:
            problem["starter_code"] = starter.format(**names)
        if has_entry:
            problem["entry_point"] = names["name"]
        for kind, (code, verdicts) in PROGRAMS.items():
            future = judge.submit({"code": code.format(**names)}, problem)
            expected = {"JE"} if style in UNJUDGED else verdicts
            submissions.append((kind, expected, problem, future))
    for kind, verdicts, problem, future in submissions:
        judgement = future.result()
        if judgement.verdict not in verdicts:
            failures.append((kind, judgement.verdict, problem))
    assert len(submissions) == 4 * COMBINATIONS
    assert failures == []


def _write_test(style: str, head: str, draw: random.Random, names: dict[str, Any]) -> str:
    operand = draw.randrange(1, 1000)
    return head + STYLES[style].format(operand, operand + names["step"], **names)
