"""A solution passes only if its own code ran; test code that reaches no program is the problem's
fault, which shows before any program runs."""

from __future__ import annotations

import random
import textwrap
from itertools import product
from typing import Any

import pytest

from microcoder_eval import Judge, Judgement
from tests.files import read_table

STYLES = read_table(__file__)
# Before any program runs: JE for all alike.
UNJUDGED = ("doctest", "doctest of a module", "unittest, skipped tests", "pytest, skipped tests",
            "a skip by raising", "no parameters", "expected failures")  # fmt: skip
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
ALL = list(product(STYLES, HEADS, STARTERS, (False, True)))
# Each style with each starter code; each of the two beside each head, with and without entry point.
ONE_HEAD_EACH = [
    (style, HEADS[(row + column) % len(HEADS)], starter, bool((row + column // 2) % 2))
    for row, style in enumerate(STYLES)
    for column, starter in enumerate(STARTERS)
]
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


def run(judge: Judge, code: str, test_code: str, **fields: Any) -> Judgement:
    return judge.judge({"code": code}, {"kind": "assert", "test_code": test_code, **fields})


THREE_STYLES = ("check(name)", "unittest", "a function that is called")


@pytest.mark.parametrize("number", range(1, len(STARTERS)))  # all styles: the slow test below
def test_the_starter_codes_function_never_takes_the_programs_place(
    judge: Judge, number: int
) -> None:
    test_code = STYLES[THREE_STYLES[number % 3]].format(1, 2, name="f")
    starter = str(STARTERS[number]).format(name="f", step=1)
    for code, verdicts in PROGRAMS.values():
        judgement = run(judge, code.format(name="f", step=1), test_code, starter_code=starter)
        assert judgement.verdict in verdicts, judgement


@pytest.mark.parametrize("name", UNREACHED)
def test_test_code_that_reaches_no_program_is_the_problems_fault(judge: Judge, name: str) -> None:
    for code in ("def f(x): return x + 1", "def f(x): return 7", "pass"):
        assert run(judge, code, UNREACHED[name]).verdict == "JE"


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
    assert run(judge, "def f(x): return x + 1", test_code).verdict == "AC"
    for code in ("pass", "def g(x): return x + 1"):
        judgement = run(judge, code, test_code)
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
    assert run(judge, "def f(x): return x + 1", test_code).verdict == "AC"
    assert run(judge, "def f(x): return 2 if x == 1 else 0", test_code).verdict in ("WA", "RE")


SKIPPING = {
    "an exception of the program": "try:\n            answer = f(1)\n"
    "        except NotImplementedError:\n            self.skipTest('missing')\n"
    "        self.assertEqual(answer, 2)",
    "a value of the program": "answer = f(1)\n        if answer is None:\n"
    "            raise unittest.SkipTest('missing')\n        self.assertEqual(answer, 2)",
    "a value that differs": "if f(1) != 2:\n            self.skipTest('missing')\n"
    "        self.assertEqual(f(1), 2)",
    "a value that differs, from before": "if VALUE != 2:\n            self.skipTest('missing')\n"
    "        self.assertEqual(VALUE, 2)",
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
    verdict = run(judge, "def f(x): return x + 1", test_code).verdict
    assert verdict == ("JE" if "differs" in name else "AC")  # the stand-in of a dry run differs
    for body in ("raise NotImplementedError", "pass"):
        assert run(judge, f"def f(x): {body}", test_code).verdict in {"WA", "RE", verdict} - {"AC"}


def test_no_program_has_a_class_of_tests_skipped(judge: Judge) -> None:
    test_code = (
        "import unittest\nclass T(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls):\n"
        "        if f(0) != 1: raise unittest.SkipTest('missing')\n    def test_a(self):\n"
        "        self.assertEqual(f(1), 2)\nclass U(unittest.TestCase):\n    def test_b(self):\n"
        "        self.assertNotEqual(f(1), 3)\n"
    )
    for code in ("def f(x): return x + 1", "def f(x): return 2 * x"):
        judgement = run(judge, code, test_code)
        assert judgement.verdict == "JE"
        assert "the test code skips setUpClass" in (judgement.error or "")


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
    judgement = run(judge, code, test_code, entry_point="f")
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
    assert run(judge, code, test_code).verdict == "AC"


def test_a_global_value_is_compared_by_what_it_is(judge: Judge) -> None:
    for code, verdict in {"LIMIT = 5": "AC", "LIMIT = 4": "WA", "pass": "RE"}.items():
        assert run(judge, code, "assert LIMIT == 5\nassert LIMIT != 4\n").verdict == verdict


@pytest.mark.parametrize("style", [*STYLES][::3])  # all of them: the slow test below
def test_each_style_means_what_its_framework_makes_of_it(judge: Judge, style: str) -> None:
    test_code = STYLES[style].format(3, 4, name="f")
    for code, verdicts in PROGRAMS.values():
        judgement = run(judge, code.format(name="f", step=1), test_code)
        assert judgement.verdict in ({"JE"} if style in UNJUDGED else verdicts), judgement


@pytest.mark.slow
@pytest.mark.parametrize(
    "combinations",
    [ONE_HEAD_EACH, pytest.param(ALL, marks=pytest.mark.long)],
    ids=["one head each", "all"],
)
def test_no_style_accepts_a_wrong_program_or_refuses_a_right_one(
    judge: Judge, combinations: list[tuple[str, str, str | None, bool]]
) -> None:
    """Every style with all programs, beside heads, starter code and entry points."""
    draw = random.Random(35)
    failures = []
    submissions = []
    for number, (style, head, starter, has_entry) in enumerate(combinations):
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
    assert len(submissions) == 4 * len(combinations)
    assert failures == []


def _write_test(style: str, head: str, draw: random.Random, names: dict[str, Any]) -> str:
    operand = draw.randrange(1, 1000)
    return head + STYLES[style].format(operand, operand + names["step"], **names)
